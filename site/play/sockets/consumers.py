"""The WebSocket endpoint of a page: parses each frame, hands it on, and answers it.

Only frames above a rate of their own (`TopicHandler.rates`) are dropped without an answer.

It is a plain ASGI application behind Channels' routing: Channels' consumers dispatch every message
through a thread.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from accounts.limits.networks import of_scope
from play.domain import clocks
from play.domain.encoding import encode_frame, topic_head
from play.domain.refusals import SENTENCES, Reason, Refused
from play.domain.socket_session import SocketSession
from play.runtime.open_sockets import ACCEPTING
from play.runtime.runtime import WebRuntime
from play.runtime.topics import Rev
from play.sockets import messages
from play.sockets.idle_timeout import IdleTimeout
from play.sockets.messages import (
    MAX_TOPICS,
    Ended,
    Header,
    Ping,
    Pong,
    Subscribe,
    Unsubscribe,
)
from play.sockets.outlets import PageConnection
from play.sockets.send_queue import SIGNED_OUT_CODE, Bucket, SendQueue, bucket_of_network
from play.sockets.serving_queue import ServingQueue, Slot
from play.sockets.subscription import Scope, Subscription, refusal
from play.sockets.topic_handlers import handler_of
from telemetry import counters

IDLE_TIMEOUT_S = 130.0  # pages ping every 25 s, hidden ones once a minute
MAX_REFUSED_FRAMES = 400  # of one kind, more refused than accepted: the flood is ended
POLICY = 1008  # close code
OWN = ""  # the bucket of the socket's own messages, beside those of each kind of topic

security = logging.getLogger("quiver.security")
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class PageSocket:
    """The ASGI application of a page's socket, which follows the topics that the page shows.

    It speaks in the name of one session and is closed when that ends.
    """

    @classmethod
    def as_asgi(cls) -> Any:
        """Return the ASGI application; the name is that of Channels' consumers."""
        return cls()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        if ACCEPTING.is_shut:
            await send({"type": "websocket.close"})
            return
        await send({"type": "websocket.accept"})
        runtime: WebRuntime = scope["runtime"]
        session = await socket_session_of(scope)
        queue = SendQueue(send, session, runtime.send_scheduler, scope.get("outlet"))
        page = PageTopics(scope, queue)
        try:
            if runtime.session_watch.has_ended(queue.permit):
                await send({"type": "websocket.close", "code": SIGNED_OUT_CODE})
                return
            await page.listen(receive)
        finally:
            await page.close()
            queue.close()


class PageTopics:
    """The subscriptions of one socket, and the frames of its page."""

    def __init__(self, scope: Scope, queue: SendQueue) -> None:
        self._scope = scope
        self._queue = queue
        self._loop = asyncio.get_running_loop()
        self._subscriptions: dict[str, Subscription] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._buckets: dict[str, Bucket] = {}
        network = of_scope(scope)  # empty for this machine itself, which is not counted
        self._shared_bucket = bucket_of_network(network) if network else None
        self._unanswered: set[str] = set()  # topics that the page waits for since it came
        self._idle: asyncio.Future[None] | None = None  # awaited when the page has gone
        self._slot: Slot | None = None  # to be served, since the first subscription
        self._is_served = False  # it has come: subscriptions may answer
        self._is_visible = False  # as the page has said last
        self._silence = IdleTimeout(IDLE_TIMEOUT_S, lambda: queue.end(POLICY))

    async def listen(self, receive: Receive) -> None:
        """Answer frames until the peer leaves or the socket is being closed.

        A connection of the `server` app delivers them by a call, without a step of this task; under
        other servers `receive` returns them.
        """
        connection: PageConnection | None = self._scope.get("outlet")
        try:
            if connection is not None:
                connection.deliver_to(self.receive_frame)
            while (event := await receive())["type"] != "websocket.disconnect":
                if self._queue.is_over or ACCEPTING.is_shut:
                    return
                if (pause_s := self.receive_frame(event.get("text"))) is not None:
                    await asyncio.sleep(pause_s)  # frames already received come without a pause
        finally:
            if connection is not None:
                connection.deliver_to(None)

    def receive_frame(self, text: str | None) -> float | None:
        """Handle one frame (None: a binary one); return the seconds until the next may follow.

        None: at once. The sockets of a network that sends too many frames wait for each other, so
        that the actions of players on other networks do not.
        """
        if self._queue.is_over or ACCEPTING.is_shut:
            return None
        at = self._loop.time()
        self._silence.reset(at)
        is_accepted = self._receive(text, clocks.now(), at)
        if not is_accepted and self._bucket(OWN).refused > MAX_REFUSED_FRAMES:
            self._log_flood("socket")
            self._queue.end(POLICY)
        self._queue.end_if_stalled()
        pause_s = self._shared_bucket.take_on_credit(at) if self._shared_bucket else 0.0
        return None if is_accepted and not pause_s else pause_s

    async def close(self) -> None:
        """End all subscriptions; messages that were received before are handled if it was served.

        The actions of a page that has waited in vain are not: it sends them again when it is back.
        """
        self._silence.stop()
        if self._slot is not None:
            self._slot.end()
        try:
            await self._wait_until_answered()
        finally:
            for subscription in [*self._subscriptions.values()]:
                self._end(subscription)

    async def _wait_until_answered(self) -> None:
        while any(each.is_working for each in self._subscriptions.values()):
            if self._tasks:
                await asyncio.gather(*self._tasks)
            else:
                self._idle = self._loop.create_future()
                await self._idle

    def _note_idle(self, subscription: Subscription) -> None:
        """Handle the messages that arrived while one was answered without a task."""
        if subscription.has_messages and subscription.name in self._subscriptions:
            self._start(subscription)
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)  # `close` looks again, and waits for the task

    def _receive(self, text: str | None, received_at: int, at: float) -> bool:
        """Hand one frame on to its subscription, or answer it; return whether it was accepted."""
        subscription: Subscription | None = None
        try:
            header = messages.read_header(text)
            if header.t not in messages.SOCKET_KINDS:
                subscription = self._subscriptions.get(header.topic)
        except Refused as unreadable:
            self._refuse(
                None, unreadable if self._spend_token(OWN, at) else Refused(Reason.SLOW_DOWN)
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
                self._put(subscription, message, received_at)
            else:
                message = _parse(text or "", header)
                self._answer(message, received_at, at)
        except Refused as refused:
            if rate is None or refused.reason != Reason.SLOW_DOWN:
                self._refuse(subscription, refused, message)
            is_flood = bucket.refused > MAX_REFUSED_FRAMES
            if subscription and is_flood and not subscription.is_ending:
                self._end_flooded(kind)
            return False
        return True

    def _refuse(
        self, subscription: Subscription | None, refused: Refused, message: Any = None
    ) -> None:
        if subscription is not None:
            subscription.refuse(refused, message)
            return
        head = topic_head(message.topic) if message is not None and message.topic else b""
        self._queue.post(encode_frame(refusal(refused, getattr(message, "id", None)), head))

    def _answer(self, message: Any, received_at: int, at: float) -> None:
        """Answer a message of the socket itself. Raise `Refused`."""
        if isinstance(message, Ping):
            self._answer_ping(message, received_at, at)
        elif isinstance(message, Subscribe):
            self._subscribe(message)
        elif isinstance(message, Unsubscribe) and message.topic in self._subscriptions:
            self._put(self._subscriptions[message.topic], message)
        else:
            raise Refused(Reason.NOT_SUBSCRIBED)

    def _subscribe(self, message: Subscribe) -> None:
        name = message.topic
        try:
            handler, ident = handler_of(name)
            handler.check_rev(message.rev)
            subscription = self._subscriptions.get(name)
            if subscription is None:
                if len(self._subscriptions) >= MAX_TOPICS:
                    raise Refused(Reason.TOO_MANY_TOPICS)
                subscription = Subscription(name, ident, handler, self._scope, self._queue)
                subscription.note_visible(self._is_visible)
                self._subscriptions[name] = subscription
                self._unanswered.add(name)
                subscription.on_answered = self._note_answered
                subscription.on_idle = self._note_idle
            self._put(subscription, message)
        except Refused as refused:
            if refused.reason not in (Reason.GONE, Reason.TOO_MANY_TOPICS):
                raise
            ended = Ended(reason=refused.reason, say=refused.say)
            self._queue.post(encode_frame(ended, topic_head(name)))

    def _put(self, subscription: Subscription, message: Any, received_at: int = 0) -> None:
        """Have a subscription handle a message, once its page is served. Raise `Refused`."""
        if self._is_served and subscription.start(message, received_at):
            return
        subscription.put(message, received_at)
        if self._is_served:
            self._start(subscription)
        elif self._slot is None:
            waiting: ServingQueue = self._scope["runtime"].part(ServingQueue)
            self._slot = waiting.request(self._serve)

    def _serve(self) -> None:
        """Let all subscriptions answer: the page has its place."""
        self._is_served = True
        for subscription in self._subscriptions.values():
            self._start(subscription)

    def _start(self, subscription: Subscription) -> None:
        """Start the task that handles the messages of a subscription, unless it runs."""
        if subscription.is_working:
            return
        subscription.is_working = True
        task = asyncio.create_task(self._run(subscription))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, subscription: Subscription) -> None:
        has_ended = True
        try:
            has_ended = await subscription.work()
        finally:
            subscription.is_working = False
            if has_ended:
                self._end(subscription)

    def _end(self, subscription: Subscription) -> None:
        subscription.leave()
        del self._subscriptions[subscription.name]
        self._note_answered(subscription.name)

    def _note_answered(self, name: str) -> None:
        """Note that a topic was answered; after the last one the next page may come."""
        if name in self._unanswered:
            self._unanswered.discard(name)
            if not self._unanswered and self._slot is not None:
                self._slot.end()

    def _answer_ping(self, message: Ping, received_at: int, at: float) -> None:
        """Answer with the newest revs; topics of which the page has an old one are brought up.

        Most pings are those of pages that wait and have all: they cost no task and no look-up but
        the revs.
        """
        if message.visible != self._is_visible:
            self._is_visible = message.visible
            for each in self._subscriptions.values():
                each.note_visible(message.visible)
        revs = message.revs if self._is_current(message.revs) else self._bring_up(message.revs, at)
        self._queue.post(encode_frame(Pong(now=received_at, revs=revs)))

    def _is_current(self, revs: Mapping[str, Rev]) -> bool:
        """Return whether a page has the newest state of all these topics and follows them."""
        for name, rev in revs.items():
            subscription = self._subscriptions.get(name)
            if subscription is None or subscription.rev() != rev:
                return False
            self._queue.note_current(name)
        return True

    def _bring_up(self, revs: Mapping[str, Rev], at: float) -> dict[str, Rev]:
        """Have older states of a page brought up; return the newest revs. Raise `Refused`."""
        found: dict[str, Rev] = {}
        for name, rev in revs.items():
            subscription = self._subscriptions.get(name)
            newest = subscription.rev() if subscription else None
            if subscription is None or newest is None:
                continue
            subscription.handler.check_rev(rev)
            found[name] = newest
            if rev == newest:
                self._queue.note_current(name)
            elif self._spend_token(OWN, at):
                self._put(subscription, Subscribe(topic=name, rev=rev))
        return found

    def _bucket(self, name: str, rate: float | None = None) -> Bucket:
        """Return a bucket; one with a rate of its own holds the frames of a second."""
        bucket = self._buckets.get(name)
        if bucket is None:
            at = self._loop.time()
            bucket = Bucket(at=at) if rate is None else Bucket(rate, rate, rate, at)
            self._buckets[name] = bucket
        return bucket

    def _spend_token(self, kind: str, at: float) -> bool:
        """Return whether one more frame of a kind may be handled now."""
        return self._bucket(kind).take(at)

    def _end_flooded(self, kind: str) -> None:
        """End the subscriptions of a kind of which the page has sent too many messages."""
        self._log_flood(kind)
        for subscription in [*self._subscriptions.values()]:
            if subscription.kind == kind:
                self._put(subscription, FLOODED)

    def _log_flood(self, kind: str) -> None:
        """Log that a topic or a socket was ended because its page sent too many frames."""
        counters.EVICTIONS.labels("flood").inc()
        network = of_scope(self._scope)
        about = {"event": "flood", "kind": kind, "user": self._scope["user"].pk, "network": network}
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


async def refuse_socket(send: Send, refused: Refused, code: int) -> None:
    """Send a refusal and close the socket."""
    await send({"type": "websocket.send", "text": encode_frame(refusal(refused)).text})
    await send({"type": "websocket.close", "code": code})


FLOODED = Ended(reason=Reason.SLOW_DOWN, say=SENTENCES[Reason.SLOW_DOWN])
