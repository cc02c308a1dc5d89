"""The addresses of sockets."""

from django.urls import path

from play.consumers import GameSocket

websocket_urlpatterns = [path("ws/game/<str:slug>/", GameSocket.as_asgi())]
