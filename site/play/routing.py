"""The addresses of sockets."""

from django.urls import re_path

from play.consumers import GameSocket

websocket_urlpatterns = [re_path(r"^ws/game/(?P<slug>[0-9A-Za-z-]{1,32})/\Z", GameSocket.as_asgi())]
