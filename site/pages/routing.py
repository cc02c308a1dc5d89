"""The socket of what a user has under way; every page of theirs may have it open."""

from typing import Any

from django.urls import path

from lobby.tongues import language_of
from play import wire
from play.consumers import TopicSocket
from play.frames import encoded
from play.mailbox import Mailbox
from play.topics import Topic


class MineSocket(TopicSocket):
    """Shows a user what they have under way, when the page says hello and with every change.

    The rev of that is a text, which pages don't send: so a ping is answered with a pong only.
    """

    def __init__(self) -> None:
        super().__init__("mine", language_of)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        user = scope["user"].pk
        route = {**scope["url_route"], "kwargs": {"user": str(user or "")}}
        await super().__call__({**scope, "url_route": route}, receive, send)

    async def handle(
        self, scope: Any, topic: Topic, mailbox: Mailbox, message: Any, received_at: int
    ) -> None:
        if isinstance(message, wire.Hello):
            self.show(topic, mailbox)
        elif isinstance(message, wire.Ping):
            mailbox.post(encoded({"t": "pong", "now": received_at}))
        else:
            await super().handle(scope, topic, mailbox, message, received_at)


websocket_urlpatterns = [path("ws/mine/", MineSocket.as_asgi())]
