"""The WebSocket consumer of a page: parses each frame, and answers it or has its topic answer.

Only frames above a rate of their own (`TopicHandler.rates`) are dropped without an answer.
A socket that says nothing is closed.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from accounts.limits.networks import of_scope
from accounts.refusals import Refused
from play.domain import clocks
from play.domain.game_refusals import Reason
from play.domain.socket_session import SocketSession
from play.domain.wire_types import encode_frame, topic_head
from play.runtime.open_sockets import ACCEPTING
from play.runtime.runtime import WebRuntime
from play.runtime.topics import Rev
from play.sockets import messages
from play.sockets.messages import (
    MAX_TOPICS,
    Header,
    Ping,
    Pong,
    Subscribe,
    Unsubscribe,
)
from play.sockets.send_queue import POLICY, SIGNED_OUT_CODE, Bucket, SendQueue, bucket_of_network
from play.sockets.topic_handlers import Scope, Subscription, ended_by, handler_of, refusal
from telemetry import counters


class IdleTimeout:
    """Calls `over` when nothing was received for `seconds`.

    One timer runs and checks when it expires: setting it again with every frame would cost more
    than all other work of this class.
    """

    def __init__(self, seconds: float, over: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._over = over
        self._heard_at = self._loop.time()
        self._timer = self._loop.call_later(seconds, self._check)

    def reset(self, at: float) -> None:
        """Note that something was received at `at` (seconds on the loop's clock)."""
        self._heard_at = at

    def _check(self) -> None:
        rest = self._heard_at + self._seconds - self._loop.time()
        if rest > 0:
            self._timer = self._loop.call_later(rest, self._check)
        else:
            self._over()

    def stop(self) -> None:
        """Cancel the timer."""
        self._timer.cancel()


IDLE_TIMEOUT_S = 130.0  # pages ping every 25 s, hidden ones once a minute
MAX_REFUSED_FRAMES = 400  # of one kind, more refused than accepted: the flood is ended
OWN = ""  # the bucket of the socket's own messages, beside those of each kind of topic

security = logging.getLogger("quiver.security")


class PageConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """The socket of a page, which follows the topics that the page shows.

    It speaks in the name of one session and is closed when that ends. It answers one message after
    the other; only topics are joined in tasks, so that pings are answered while thousands of pages
    that come back wait for their states. A page has no channel of its own in Channels' layer: the
    hub receives for all.
    """

    _is_open = False  # it was accepted

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Run the consumer; leave all topics at its end, also if it is cancelled.

        Channels' own method waits for a layer besides, in a task for each message.
        """
        self.scope, self.base_send = scope, send
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            self._leave()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler of an ASGI event.

        Channels' own method closes old database connections in a thread before; this consumer opens
        none. An action took 275 µs of CPU time with it and 200 without (performance.md).
        """
        if message["type"] == "websocket.disconnect":
            raise StopConsumer  # Channels' own handler closes connections here too
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def connect(self) -> None:
        """Accept the socket, unless the server stops or the session has ended."""
        if ACCEPTING.is_shut:
            await self.close()
            return
        await self.accept()
        runtime: WebRuntime = self.scope["runtime"]
        self._loop = asyncio.get_running_loop()
        self._runtime = runtime
        self._subscriptions: dict[str, Subscription] = {}
        self._buckets: dict[str, Bucket] = {}
        network = of_scope(self.scope)  # empty for this machine itself, which is not counted
        self._shared_bucket = bucket_of_network(network) if network else None
        self._is_visible = False  # as the page has said last
        queue = self._queue = SendQueue(self, await socket_session_of(self.scope))
        self._silence = IdleTimeout(IDLE_TIMEOUT_S, lambda: queue.end(POLICY))
        self._is_open = True
        if runtime.session_watch.has_ended(queue.permit):
            queue.end(SIGNED_OUT_CODE)
        elif ACCEPTING.is_shut:  # meanwhile: the other pages were told before this one was open
            await queue.say_bye()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a frame; binary ones are refused. The socket leaves its topics once it is closed.

        The sockets of a network that sends too many frames wait for each other, so that the actions
        of players on other networks do not.
        """
        queue = self._queue
        if queue.is_over:
            raise StopConsumer
        if ACCEPTING.is_shut:  # the page is about to get the restart notice, and sends it again
            return
        at = self._loop.time()
        self._silence.reset(at)
        with ACCEPTING.count_answer():
            is_accepted = await self._receive(text_data, clocks.now(), at)
        if not is_accepted and self._bucket(OWN).refused > MAX_REFUSED_FRAMES:
            self._log_flood("socket")
            queue.end(POLICY)
        queue.end_if_stalled()
        pause_s = self._shared_bucket.take_on_credit(at) if self._shared_bucket else 0.0
        if pause_s or not is_accepted:
            await asyncio.sleep(pause_s)

    def _leave(self) -> None:
        """Leave all topics and stop sending."""
        if not self._is_open:
            return
        self._silence.stop()
        for subscription in self._subscriptions.values():
            subscription.leave()
        self._subscriptions.clear()
        self._queue.close()

    async def _receive(self, text: str | None, received_at: int, at: float) -> bool:
        """Answer one frame, or have its topic answer; return whether it was accepted."""
        subscription: Subscription | None = None
        try:
            header = messages.read_header(text)
            if header.t not in messages.SOCKET_KINDS:
                subscription = self._subscriptions.get(header.topic)
        except Refused as unreadable:
            self._refuse(
                None, unreadable if self._bucket(OWN).take(at) else Refused(Reason.SLOW_DOWN)
            )
            return False
        kind = subscription.kind if subscription else OWN
        rate = subscription.handler.rates.get(header.t) if subscription else None
        bucket = self._bucket(kind) if rate is None else self._bucket(f"{kind} {header.t}", rate)
        message = None
        try:
            if not bucket.take(at):
                raise Refused(Reason.SLOW_DOWN)
            if subscription:
                message = subscription.handler.parse(text or "")
                await self._have_answered(subscription, message, received_at)
            else:
                message = _parse(text or "", header)
                await self._answer(message, received_at, at)
        except Refused as refused:
            if rate is None or refused.reason != Reason.SLOW_DOWN:
                self._refuse(subscription, refused, message)
            if subscription and bucket.refused > MAX_REFUSED_FRAMES:
                self._end_flooded(kind)
            return False
        return True

    def _refuse(
        self, subscription: Subscription | None, refused: Refused, message: Any = None
    ) -> None:
        if subscription is not None:
            subscription.refuse(refused, message)
            return
        head = topic_head(message.topic) if message is not None and message.topic else ""
        self._queue.post(encode_frame(refusal(refused, getattr(message, "id", None)), head))

    async def _answer(self, message: Any, received_at: int, at: float) -> None:
        """Answer a message of the socket itself. Raise `Refused`."""
        if isinstance(message, Ping):
            await self._answer_ping(message, received_at, at)
        elif isinstance(message, Subscribe):
            await self._subscribe(message)
        elif isinstance(message, Unsubscribe) and message.topic in self._subscriptions:
            await self._have_answered(self._subscriptions[message.topic], message)
        else:
            raise Refused(Reason.NOT_SUBSCRIBED)

    async def _subscribe(self, message: Subscribe) -> None:
        name = message.topic
        try:
            handler, ident = handler_of(name)
            handler.check_rev(message.rev)
            subscription = self._subscriptions.get(name)
            if subscription is not None:
                await self._have_answered(subscription, message)
                return
            if len(self._subscriptions) >= MAX_TOPICS:
                raise Refused(Reason.TOO_MANY_TOPICS)
            subscription = Subscription(name, ident, handler, self.scope, self._queue)
            subscription.note_visible(self._is_visible)
            self._subscriptions[name] = subscription
            subscription.joining = asyncio.create_task(self._join(subscription, message))
        except Refused as refused:
            if refused.reason not in (Reason.GONE, Reason.TOO_MANY_TOPICS):
                raise
            self._queue.post(encode_frame(ended_by(refused), topic_head(name)))

    async def _join(self, subscription: Subscription, message: Subscribe) -> None:
        """Let a page follow a topic, in its turn; drop the subscription if it may not."""
        async with self._runtime.joins:
            await subscription.answer(message)
        subscription.joining = None
        if subscription.is_over:
            self._end(subscription)

    async def _have_answered(
        self, subscription: Subscription, message: Any, received_at: int = 0
    ) -> None:
        """Have a subscription answer a message, and drop it if that has ended it."""
        if subscription.joining is not None:
            await subscription.joining
        await subscription.answer(message, received_at)
        if subscription.is_over:
            self._end(subscription)

    def _end(self, subscription: Subscription) -> None:
        subscription.leave()
        if self._subscriptions.get(subscription.name) is subscription:
            del self._subscriptions[subscription.name]

    async def _answer_ping(self, message: Ping, received_at: int, at: float) -> None:
        """Answer with the newest revs; topics of which the page has an old one are brought up.

        Most pings are those of pages that wait and have all: they cost no look-up but the revs.
        """
        if message.visible != self._is_visible:
            self._is_visible = message.visible
            for each in self._subscriptions.values():
                each.note_visible(message.visible)
        is_current = self._is_current(message.revs)
        revs = message.revs if is_current else await self._bring_up(message.revs, at)
        self._queue.post(encode_frame(Pong(now=received_at, revs=revs)))

    def _is_current(self, revs: Mapping[str, Rev]) -> bool:
        """Return whether a page has the newest state of all these topics and follows them."""
        for name, rev in revs.items():
            subscription = self._subscriptions.get(name)
            if subscription is None or subscription.rev() != rev:
                return False
            self._queue.note_current(name)
        return True

    async def _bring_up(self, revs: Mapping[str, Rev], at: float) -> dict[str, Rev]:
        """Have older states of a page brought up; return the newest revs. Raise `Refused`."""
        found: dict[str, Rev] = {}
        for name, rev in revs.items():
            subscription = self._subscriptions.get(name)
            newest = subscription.rev() if subscription else None
            if subscription is None or subscription.joining is not None or newest is None:
                continue
            subscription.handler.check_rev(rev)
            found[name] = newest
            if rev == newest:
                self._queue.note_current(name)
            elif self._bucket(OWN).take(at):
                await self._have_answered(subscription, Subscribe(topic=name, rev=rev))
        return found

    def _bucket(self, name: str, rate: float | None = None) -> Bucket:
        """Return a bucket; one with a rate of its own holds the frames of a second."""
        bucket = self._buckets.get(name)
        if bucket is None:
            at = self._loop.time()
            bucket = Bucket(at=at) if rate is None else Bucket(rate, rate, rate, at)
            self._buckets[name] = bucket
        return bucket

    def _end_flooded(self, kind: str) -> None:
        """End the subscriptions of a kind of which the page has sent too many messages."""
        self._log_flood(kind)
        for subscription in [*self._subscriptions.values()]:
            if subscription.kind == kind:
                subscription.end(Refused(Reason.SLOW_DOWN))
                self._end(subscription)

    def _log_flood(self, kind: str) -> None:
        """Log that a topic or a socket was ended because its page sent too many frames."""
        counters.EVICTIONS.labels("flood").inc()
        network = of_scope(self.scope)
        about = {"event": "flood", "kind": kind, "user": self.scope["user"].pk, "network": network}
        what = "a socket was closed" if kind == "socket" else "a subscription was ended"
        security.warning("%s because its page sent too many frames", what, extra=about)


def _parse(text: str, header: Header) -> Any:
    """Return a message of the socket, or one about a topic that is not followed."""
    if header.t in messages.SOCKET_KINDS:
        return messages.parse_socket_message(text)
    if not header.topic:
        raise Refused(Reason.UNKNOWN_MESSAGE)
    return handler_of(header.topic)[0].parse(text)


async def socket_session_of(scope: Scope) -> SocketSession:
    """Return the session in whose name a socket writes.

    The newest revocation was read before the session, see `socket_authentication`.
    """
    since = scope.get("since")
    if since is None:
        since = await scope["runtime"].session_watch.newest()
    return SocketSession(getattr(scope.get("session"), "digest", None), scope["user"].pk, since)


async def refuse_socket(send: Any, refused: Refused, code: int) -> None:
    """Send a refusal and close the socket."""
    await send({"type": "websocket.send", "text": encode_frame(refusal(refused))})
    await send({"type": "websocket.close", "code": code})
