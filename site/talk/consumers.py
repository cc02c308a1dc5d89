"""The socket of talk: what a topic's does, and the words of those who may speak."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from msgspec.structs import asdict

from accounts.addresses import of_scope
from accounts.limits import TALK, TooOften, spend
from play import revoked
from play.consumers import Receive, Scope, Send, TopicSocket, refusal
from play.desk import desk
from play.frames import Frame, encoded
from play.hub import hub
from play.mailbox import GATE, Mailbox
from play.permit import Permit
from play.permits import permits
from play.refusals import Refused
from play.topics import Topic
from talk import refusals, services, viewers, wire
from talk.permits import is_on
from talk.viewers import STRANGER

TURNED_AWAY = 4403  # close code: there is no talk here for whoever asks


class Bell:
    """Hears of changes of what only one user may see. The frame is their sockets' audience."""

    audience = ""

    def __init__(self, mailbox: Mailbox, ring: Callable[[], None]) -> None:
        self._mailbox = mailbox
        self._ring = ring

    def show(self, frame: Frame) -> None:
        """The mailbox has these eyes from now on, and sees anew."""
        self._mailbox.audience = frame.text
        self._ring()

    def post(self, frame: Frame) -> None:
        """Nobody else is at this topic, so there is no crowd to be told of."""


class TalkSocket(TopicSocket):
    """The talk of a game or lobby, as the circle of its user may follow it."""

    parse = staticmethod(wire.parse)  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__("talk")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind, ident = scope["url_route"]["kwargs"].values()
        user = scope["user"].pk
        if GATE.is_shut:
            await super().__call__(scope, receive, send)
            return
        try:
            if not is_on():
                raise refusals.Refused(refusals.Reason.OFF)
            circle = await desk().read(services.enter, kind, ident, user)
        except Refused as refused:
            await turn_away(refused, receive, send)
            return
        kwargs = {"topic": f"{kind}/{ident}/{circle}", "kind": kind, "ident": ident}
        await super().__call__({**scope, "url_route": {"kwargs": kwargs}}, receive, send)

    async def audience(self, scope: Scope, topic: Topic) -> str:
        viewer = await desk().read(viewers.find, scope["user"].pk)
        return encoded(asdict(viewer or STRANGER)).text

    async def listen(self, scope: Scope, topic: Topic, mailbox: Mailbox, receive: Receive) -> int:
        """Listens with the eyes of its user, and learns when these change."""
        user = scope["user"].pk
        if user is None:
            return await super().listen(scope, topic, mailbox, receive)
        own = ("talker", str(user))
        bell = Bell(mailbox, lambda: self.show(topic, mailbox))
        try:
            viewer = await hub().join(own, bell)
            mailbox.audience = encoded(asdict(viewer or STRANGER)).text
            return await super().listen(scope, topic, mailbox, receive)
        finally:
            hub().leave(own, bell)

    async def handle(
        self, scope: Scope, topic: Topic, mailbox: Mailbox, message: Any, received_at: int
    ) -> None:
        if isinstance(message, wire.Hello):
            self.show(topic, mailbox)
        elif isinstance(message, wire.Ping):
            self.bring_up(topic, mailbox, message.rev)
        else:
            receipt = await desk().read(permitted, permits().now(mailbox), scope, message)
            mailbox.post(encoded(receipt))


async def turn_away(refused: Refused, receive: Receive, send: Send) -> None:
    """Tells a page why there is no talk for it, and closes its socket."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": encoded(refusal(refused)).text})
    await send({"type": "websocket.close", "code": TURNED_AWAY})


def permitted(permit: Permit, scope: Scope, message: Any) -> dict[str, object]:
    """Does what a message asks for, unless the session of its socket has ended."""
    with transaction.atomic():
        revoked.demand(permit)
        return DEEDS[type(message)](scope, message)


def _say(scope: Scope, message: wire.Say) -> dict[str, object]:
    where, user = scope["url_route"]["kwargs"], scope["user"].pk
    try:
        spend(TALK, user, of_scope(scope))
    except TooOften as error:
        raise refusals.Refused(refusals.Reason.TOO_FAST) from error
    done = services.say(
        where["kind"], where["ident"], user, message.id, message.text, message.phrase
    )
    return {"t": "receipt", "id": message.id, "line": done.line, "again": done.again}


def _mute(scope: Scope, message: wire.Mute) -> dict[str, object]:
    services.mute(scope["user"].pk, message.name, message.on)
    return {"t": "receipt", "id": message.id, "line": None, "again": False}


def _report(scope: Scope, message: wire.Report) -> dict[str, object]:
    where, user = scope["url_route"]["kwargs"], scope["user"].pk
    done = services.report(where["kind"], where["ident"], user, message.line, message.why)
    return {"t": "receipt", "id": message.id, "line": done.line, "again": done.again}


DEEDS: dict[type, Callable[[Scope, Any], dict[str, object]]] = {
    wire.Say: _say,
    wire.Mute: _mute,
    wire.Report: _report,
}
