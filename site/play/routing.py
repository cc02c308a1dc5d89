"""WebSocket routes: one socket for each page.

The address of a game's pages names the game, so that a proxy can send all its players to one
process. It subscribes to nothing: a page sends its own subscriptions.
"""

from django.urls import path, re_path

from play.sockets.consumers import PageConsumer

websocket_urlpatterns = [
    path("ws/", PageConsumer.as_asgi()),
    re_path(r"^ws/g/(?P<slug>[0-9A-Za-z-]{1,32})/\Z", PageConsumer.as_asgi()),
]
