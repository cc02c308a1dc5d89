"""The sockets of lobbies and of the lists."""

from typing import Any

from django.urls import path, re_path

from lobby.presence import present, saw
from lobby.tongues import audience, language_of
from play.consumers import TopicSocket
from play.desk import desk
from play.mailbox import Mailbox
from play.topics import Topic


def eyes(scope: dict[str, Any]) -> str:
    """Who is behind a socket, and in which language they read."""
    return audience(scope["user"].pk, language_of(scope))


class LobbySocket(TopicSocket):
    """The socket of a lobby: while it is open, whoever opened it is there."""

    def __init__(self) -> None:
        super().__init__("lobby", eyes)

    async def listen(
        self, scope: dict[str, Any], topic: Topic, mailbox: Mailbox, receive: Any
    ) -> int:
        code, user = topic[1], scope["user"].pk
        with present(code, user, scope["user"].get_username()):
            if user is not None:
                await desk().read(saw, [(code, user)])
            return await super().listen(scope, topic, mailbox, receive)


websocket_urlpatterns = [
    re_path(r"^ws/lobby/(?P<code>[0-9A-Za-z-]{1,32})/\Z", LobbySocket.as_asgi()),
    path("ws/lists/", TopicSocket.as_asgi(kind="lists", audience=language_of)),
    path("ws/lists/<slug:key>/", TopicSocket.as_asgi(kind="lists", audience=language_of)),
]
