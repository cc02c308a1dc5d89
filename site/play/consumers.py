"""Sockets: frames in, one service call each, frames out; every frame is answered.

These are plain ASGI applications under Channels' routing: the dispatch of its consumers makes a
hop through a thread for every message.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from accounts.outage_log import note_outage
from play import act, clocks, meters, sight, wire
from play.frames import encoded
from play.hub import hub
from play.mailbox import GATE, SIGNED_OUT, Bucket, Mailbox
from play.permit import Permit
from play.permits import permits
from play.refusals import Reason, Refused
from play.silence import Silence
from play.topics import Rev, Topic, topic_label

SILENCE = 75.0  # seconds after which a socket that says nothing is closed (hidden tabs ping rarely)
FLOOD = 400  # frames refused more than accepted, after which a socket is closed
POLICY, UNREAD, FORBIDDEN, GONE = 1008, 4009, 4403, 4404  # close codes

log = logging.getLogger("quiver.play")
security = logging.getLogger("quiver.security")
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class TopicSocket:
    """A socket that watches one topic: hello, heartbeat, and every newer state.

    `kind` is the topic's; its ident is the address's only argument, or empty.
    """

    parse = staticmethod(wire.parse)
    fault = Reason.BUSY  # what is said of a frame that could not be handled by a fault of ours

    def __init__(self, kind: str, audience: Callable[[Scope], str] = lambda scope: "") -> None:
        self.kind = kind
        self.audience_of = audience

    @classmethod
    def as_asgi(cls, *args: Any, **kwargs: Any) -> Any:
        """The ASGI application, in Channels' spelling."""
        return cls(*args, **kwargs)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        if GATE.is_shut:
            await send({"type": "websocket.close"})
            return
        await send({"type": "websocket.accept"})
        topic = (self.kind, next(iter(scope["url_route"]["kwargs"].values()), ""))
        try:
            audience = await self.audience(scope, topic)
        except Refused as refused:
            is_gone = refused.reason is Reason.GONE
            await turn_away(send, refused, GONE if is_gone else FORBIDDEN)
            return
        mailbox = Mailbox(send, audience, await permit_of(scope), scope.get("outlet"))
        try:
            if permits().has_ended(mailbox.permit):
                await send({"type": "websocket.close", "code": SIGNED_OUT})
                return
            if await hub().join(topic, mailbox) is None:
                await turn_away(send, Refused(Reason.GONE), GONE)
                return
            code = await self.listen(scope, topic, mailbox, receive)
            if code:
                await send({"type": "websocket.close", "code": code})
        finally:
            hub().leave(topic, mailbox)
            mailbox.close()

    async def audience(self, scope: Scope, topic: Topic) -> str:
        """Whose eyes this socket has. Raises `Refused` if there is nothing for it to see."""
        return self.audience_of(scope)

    async def listen(self, scope: Scope, topic: Topic, mailbox: Mailbox, receive: Receive) -> int:
        """Answers frames until the other end leaves; the close code, 0 if it left by itself."""
        loop, bucket = asyncio.get_running_loop(), Bucket()
        bucket.at = loop.time()
        silence = Silence(SILENCE, lambda: mailbox.end(POLICY))
        try:
            while True:
                event = await receive()
                received_at, at = clocks.now(), loop.time()
                if event["type"] == "websocket.disconnect" or mailbox.is_over or GATE.is_shut:
                    return 0
                silence.broken(at)
                if not bucket.take(at):
                    if bucket.refused > FLOOD:
                        flooded(scope, topic)
                        return POLICY
                    mailbox.post(SLOW_DOWN)
                    await asyncio.sleep(0)  # for the others: frames that wait come without a pause
                else:
                    with GATE.answering():
                        await self.answer(scope, topic, mailbox, event.get("text"), received_at)
                if mailbox.is_deaf:
                    meters.EVICTIONS.labels("unread").inc()
                    return UNREAD
        finally:
            silence.stop()

    async def answer(
        self, scope: Scope, topic: Topic, mailbox: Mailbox, text: str | None, received_at: int
    ) -> None:
        """Answers one frame: a refusal goes to its sender alone, with the state as it stands."""
        message = None
        try:
            message = self.parse(text)
            await self.handle(scope, topic, mailbox, message, received_at)
        except Refused as refused:
            mailbox.post(encoded(refusal(refused, getattr(message, "id", None))))
            if message is not None:
                self.show(topic, mailbox)
        except Exception as error:
            if not note_outage(error, refused=1):
                log.exception("a frame for %s could not be handled", topic_label(topic))
            fault = Refused(self.fault)
            mailbox.post(encoded(refusal(fault, getattr(message, "id", None))))

    async def handle(
        self, scope: Scope, topic: Topic, mailbox: Mailbox, message: Any, received_at: int
    ) -> None:
        """Hello and ping: the state if the page's is older, else a pong."""
        if not isinstance(message, wire.TopicMessage):
            raise Refused(Reason.UNKNOWN_MESSAGE)
        self.bring_up(topic, mailbox, message.rev)

    def bring_up(self, topic: Topic, mailbox: Mailbox, rev: Rev) -> None:
        """Answers a page that has `rev`: the state if that is older, else a pong."""
        if hub().is_behind(topic, rev):
            mailbox.still_has(rev)
            meters.RESYNCS.inc()
            self.show(topic, mailbox)
        else:
            mailbox.is_up()
            pong = {"t": "pong", "rev": hub().rev(topic), "now": clocks.now()}
            mailbox.post(encoded(pong))

    def show(self, topic: Topic, mailbox: Mailbox) -> None:
        """Puts the newest state into one mailbox."""
        frame = hub().frame(topic, mailbox.audience)
        if frame is not None:
            mailbox.show(frame)


class GameSocket(TopicSocket):
    """The socket of a game: what a topic's does, and the commands of those who are seated."""

    fault = Reason.UNSURE  # it may have been committed

    def __init__(self) -> None:
        super().__init__("game")

    async def audience(self, scope: Scope, topic: Topic) -> str:
        return await act.audience(topic[1], scope["user"].pk)

    async def handle(
        self, scope: Scope, topic: Topic, mailbox: Mailbox, message: Any, received_at: int
    ) -> None:
        if isinstance(message, wire.TopicMessage):
            if await act.has_lost(topic[1], message.rev):
                mailbox.post(ANEW)
            else:
                await super().handle(scope, topic, mailbox, message, received_at)
        elif isinstance(message, wire.Plan):
            plan = await sight.plan(topic[1], message.rev, mailbox.audience)
            if plan is None:
                self.bring_up(topic, mailbox, message.rev)
            else:
                mailbox.post(encoded(plan))
        elif isinstance(message, wire.Flag):
            await act.ask_for_flag(topic[1], received_at)
            self.show(topic, mailbox)
        elif mailbox.audience == "spectator":
            # Seats never change, so nothing has to be read to refuse this, and nobody who plays
            # waits for it.
            raise Refused(Reason.NOT_SEATED)
        else:
            lag = scope["line"].lag if "line" in scope else 0
            permit = permits().now(mailbox)
            with meters.answer():
                receipt = await act.perform(
                    topic[1], permit.user, message, received_at, lag, permit
                )
            mailbox.post(encoded(receipt))


async def permit_of(scope: Scope) -> Permit:
    """In whose name a socket speaks. The newest revocation was noted before the session was read,
    where the site's routing is (see `noting`)."""
    since = scope.get("since")
    if since is None:
        since = await permits().newest()
    return Permit(getattr(scope.get("session"), "digest", None), scope["user"].pk, since)


def noting(site: Any) -> Any:
    """Notes the newest revocation in the scope of a socket, before anything looks at its session.

    `site` is the ASGI application that does.
    """

    async def noted(scope: Scope, receive: Receive, send: Send) -> None:
        await site({**scope, "since": await permits().newest()}, receive, send)

    return noted


def flooded(scope: Scope, topic: Topic) -> None:
    """Notes that somebody sent more than anybody can mean."""
    meters.EVICTIONS.labels("flood").inc()
    about = {"event": "flood", "kind": topic[0], "user": scope["user"].pk}
    security.warning("a socket was closed: too many frames", extra=about)


async def turn_away(send: Send, refused: Refused, code: int) -> None:
    """Says why a socket gets nothing, and closes it."""
    await send({"type": "websocket.send", "text": encoded(refusal(refused)).text})
    await send({"type": "websocket.close", "code": code})


def refusal(refused: Refused, id: str | None = None) -> dict[str, object]:
    """The frame of a refusal."""
    return {
        "t": "refused",
        "id": id,
        "reason": refused.reason,
        "code": refused.code,
        "squares": refused.squares,
        "say": refused.say,
        "index": refused.index,
    }


ANEW = encoded({"t": "anew"})  # the page has seen what is no more, and is to be loaded again
SLOW_DOWN = encoded(refusal(Refused(Reason.SLOW_DOWN)))
