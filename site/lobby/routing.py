"""The sockets of lobbies and of the lists."""

from typing import Any

from django.urls import path

from play.consumers import TopicSocket


def eyes(scope: dict[str, Any]) -> str:
    """The name of the user behind a socket; empty for a stranger."""
    return scope["user"].get_username()


websocket_urlpatterns = [
    path("ws/lobby/<str:code>/", TopicSocket.as_asgi(kind="lobby", audience=eyes)),
    path("ws/lists/", TopicSocket.as_asgi(kind="lists")),
]
