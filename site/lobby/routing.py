"""The sockets of lobbies and of the lists."""

from typing import Any

from django.urls import path

from lobby.presence import present, saw
from lobby.tongues import audience, language_of
from play.consumers import TopicSocket
from play.desk import desk
from play.hub import Topic
from play.mailbox import Mailbox


class LobbySocket(TopicSocket):
    """The socket of a lobby: while it is open, whoever opened it is there."""

    def __init__(self) -> None:
        super().__init__("lobby", lambda scope: eyes(scope))

    async def listen(
        self, scope: dict[str, Any], topic: Topic, mailbox: Mailbox, receive: Any
    ) -> int:
        code, user = topic[1], scope["user"].pk
        with present(code, user):
            if user is not None:
                await desk().read(saw, [(code, user)])
            return await super().listen(scope, topic, mailbox, receive)


def eyes(scope: dict[str, Any]) -> str:
    """Name and language of the user behind a socket; the name of a stranger is empty."""
    return audience(scope["user"].get_username(), language_of(scope))


websocket_urlpatterns = [
    path("ws/lobby/<str:code>/", LobbySocket.as_asgi()),
    path("ws/lists/", TopicSocket.as_asgi(kind="lists", audience=language_of)),
    path("ws/lists/<str:key>/", TopicSocket.as_asgi(kind="lists", audience=language_of)),
]
