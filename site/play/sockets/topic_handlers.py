"""Subscriptions of a socket to topics, and the handlers that admit pages and answer them.

Each kind of topic that pages subscribe to has a handler, beside the source of its frames
(`runtime.topics.TopicKind`).
"""

import asyncio
import logging
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from accounts.refusals import Refused
from play.domain import clocks
from play.domain.game_refusals import Reason
from play.domain.lag import ConnectionStats
from play.domain.wire_types import Frame, encode_frame, topic_head
from play.runtime.runtime import WebRuntime
from play.runtime.topics import KINDS, Rev, Topic, topic_label
from play.sockets.messages import Ended, Pong, Refusal, Subscribe, Unsubscribe
from play.sockets.send_queue import SendQueue
from telemetry import counters
from telemetry.outage_log import note_outage

SESSION_FRESH_S = 0.5  # a session that was read so lately is not checked again
TRY_AGAIN_LATER_CODE = 1013  # close code during an outage of the database
UNSUBSCRIBED = "unsubscribed"

log = logging.getLogger("quiver.play")
Scope = dict[str, Any]


class Subscription:
    """A topic that one page follows: a socket of the hub.

    It is over while the page does not follow the topic; states are then ignored.
    """

    __slots__ = (
        *("_admitted", "_head", "_is_unseen", "_is_visible", "_line"),
        *("_on_end", "audience", "handler", "ident", "is_over", "joining", "kind", "name", "queue"),
        *("runtime", "scope", "topic", "viewer"),
    )

    def __init__(
        self, name: str, ident: str, handler: "TopicHandler", scope: Scope, queue: SendQueue
    ) -> None:
        self.name = name  # of the topic, in messages
        self.kind = name.partition(":")[0]
        self.ident = ident
        self.handler = handler
        self.scope = scope
        self.runtime: WebRuntime = scope["runtime"]
        self.queue = queue
        self.topic: Topic = ("", "")  # in the hub; set when the page is admitted
        self.audience = ""
        self.viewer: int | None = None  # the user to name among the viewers
        self._admitted: int | None = None  # the user who may be named
        self._is_unseen = False
        self._is_visible = False  # as the page has said last
        self._line: ConnectionStats | None = scope.get("line")  # None: another ASGI server's
        self.is_over = True
        self.joining: asyncio.Task[None] | None = None  # until the page follows the topic
        self._head = topic_head(name)
        self._on_end: list[Callable[[], None]] = []

    # Called by the hub.

    def show(self, frame: Frame) -> None:
        """Put the newest state into the send queue."""
        if not self.is_over:
            self.queue.show(self.name, frame)

    def post(self, frame: Frame) -> None:
        """Put a frame of this topic into the send queue that must not be dropped."""
        if not self.is_over:
            self.queue.post(frame)

    @property
    def reader(self) -> int | None:
        """The user whose page it is; None for a stranger."""
        user: int | None = self.scope["user"].pk
        return user

    @property
    def is_visible(self) -> bool:
        """Whether the page has said that it is visible, and its connection seems to work.

        A page that is cut off does not hold a push back, which waits longer than the server's pings
        need.
        """
        return self._is_visible and not (
            self._line is not None and self._line.is_silent(time.monotonic())
        )

    # Called by handlers.

    def reply(self, message: Any) -> None:
        """Send a message on this topic."""
        self.queue.post(encode_frame(message, self._head))

    def show_newest(self) -> None:
        """Put the newest state into the send queue, rendered for the audience."""
        frame = self.runtime.hub.frame(self.topic, self.audience)
        if frame is not None:
            self.show(frame)

    def show_newer(self, rev: Rev) -> None:
        """Send the state to a page that has an older `rev`."""
        self.queue.note_old_rev(self.name, rev)
        counters.RESYNCS.inc()
        self.show_newest()

    def confirm(self) -> None:
        """Tell a page that it has the newest state."""
        self.queue.note_current(self.name)
        rev = self.rev()
        self.reply(Pong(now=clocks.now(), revs={} if rev is None else {self.name: rev}))

    def on_end(self, call: Callable[[], None]) -> None:
        """Call a function when the page follows the topic no longer."""
        self._on_end.append(call)

    # Called by the socket.

    def note_visible(self, is_visible: bool) -> None:
        """Note whether the page is visible, until it says otherwise; report a change of that."""
        was_visible = self._is_visible
        self._is_visible = is_visible
        if was_visible != is_visible and not self.is_over:
            self.runtime.hub.report_pages(self.topic, self.audience)

    def refuse(self, refused: Refused, message: Any = None) -> None:
        """Send a refusal of a message, or of a frame that was not parsed."""
        self.reply(refusal(refused, getattr(message, "id", None)))

    def rev(self) -> Rev | None:
        """Return the newest rev of the topic; None if the page does not follow it."""
        return None if self.is_over else self.runtime.hub.rev(self.topic)

    async def answer(self, message: Any, received_at: int = 0) -> None:
        """Answer one message; a refusal is followed by the current state."""
        try:
            if isinstance(message, Subscribe):
                self._set_unseen(message.unseen)
                if not self.is_over or await self._join():
                    await self.handler.bring_up(self, message.rev)
            elif isinstance(message, Unsubscribe):
                self.end()
            elif self.is_over:
                raise Refused(Reason.NOT_SUBSCRIBED)
            else:
                await self.handler.handle(self, message, received_at)
        except Exception as error:
            self._report(error, message)

    def _report(self, error: Exception, message: Any) -> None:
        if isinstance(error, Refused):
            self.refuse(error, message)
            self.show_newest()
            return
        if not note_outage(error, refused=1):
            label = topic_label(self.topic)
            log.error("a frame for %s could not be handled", label, exc_info=error)
        self.refuse(Refused(self.handler.fault), message)

    async def _join(self) -> bool:
        """Join the topic; return whether the page may follow it. If not, send it the reason."""
        try:
            await self._check_session()
            admission = await self.handler.admit(self.scope, self.ident)
            self.topic, self.audience, self._admitted = admission
            self._set_unseen(None)
            if self.queue.is_over:
                return False
            self.is_over = False
            if await self.runtime.hub.join(self.topic, self) is None:
                raise Refused(Reason.GONE)
            if self._is_visible:
                self.runtime.hub.report_pages(self.topic, self.audience)
            await self.handler.came(self)
            return True
        except Refused as refused:
            self.end(refused)
        except Exception as error:
            if note_outage(error, refused=1):
                self.queue.end(TRY_AGAIN_LATER_CODE)
            else:
                log.exception("a page could not follow a topic of the kind %s", self.kind)
                self.end(Refused(Reason.BUSY))
        return False

    def _set_unseen(self, unseen: bool | None) -> None:
        """Note whether the user watches unseen (None: as before), and tell the other pages."""
        if unseen is not None:
            self._is_unseen = unseen
        viewer = None if self._is_unseen else self._admitted
        if viewer != self.viewer:
            self.viewer = viewer
            self.runtime.hub.tell(self.topic)

    async def _check_session(self) -> None:
        """Raise `Refused` if the session of the socket has ended since it was read."""
        permit = self.queue.permit
        is_fresh = asyncio.get_running_loop().time() - self.queue.opened_at < SESSION_FRESH_S
        if is_fresh or (permit.user is None and permit.session is None):
            return
        await self.runtime.session_watch.follow()  # it ends the queues of revoked sessions
        if self.queue.is_over:
            raise Refused(Reason.SIGNED_OUT)

    def end(self, refused: Refused | None = None) -> None:
        """Leave the topic and tell the page; `refused` says why, if it did not unsubscribe."""
        self.leave()
        self.reply(ended_by(refused) if refused else Ended(reason=UNSUBSCRIBED, say=""))

    def leave(self) -> None:
        """Leave the topic; a state that waits to be sent is dropped."""
        self.is_over = True
        if self.joining is not None and self.joining is not asyncio.current_task():
            self.joining.cancel()
        self.runtime.hub.leave(self.topic, self)
        while self._on_end:
            self._on_end.pop()()
        self.queue.drop(self.name)
        self.queue.note_current(self.name)


def ended_by(refused: Refused) -> Ended:
    """Return the message that a refusal has ended a subscription."""
    return Ended(reason=refused.reason, say=refused.say)


def refusal(refused: Refused, id: str | None = None) -> Refusal:
    """Return the message of a refusal."""
    return Refusal(
        id=id,
        reason=refused.reason,
        code=refused.details.get("code"),
        squares=refused.details.get("squares", ()),
        say=refused.say,
        index=refused.details.get("index", 0),
    )


class Admission(NamedTuple):
    """The topic of the hub that a page follows, and its audience there."""

    topic: Topic
    audience: str
    viewer: int | None = None  # the user, if their name may be shown to the others


class TopicHandler(ABC):
    """Actions of pages on one kind of topic; a handler implements `admit`."""

    ident = re.compile(r"[0-9A-Za-z-]{1,32}")  # of the topics of this kind
    has_text_revs = False  # revs are texts that differ, not integers that grow
    fault = Reason.BUSY  # the answer to a message after an internal error
    # Kinds of messages that have a bucket of their own on each socket, with how many of them are
    # handled in a second; more are dropped, and not answered.
    rates: Mapping[str, float] = MappingProxyType({})

    @abstractmethod
    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return the topic and the audience of a page. Raise `Refused` if it may see nothing."""

    async def came(self, subscription: Subscription) -> None:
        """Note that a page follows a topic, before it is sent the state.

        Callbacks given to `subscription.on_end` are called when it does no longer.
        """
        return

    def parse(self, text: str) -> Any:
        """Return a message about a topic from its frame. Raise `Refused`."""
        raise Refused(Reason.UNKNOWN_MESSAGE)

    async def handle(self, subscription: Subscription, message: Any, received_at: int) -> None:
        """Answer a message that `parse` has returned. Raise `Refused`."""
        raise Refused(Reason.UNKNOWN_MESSAGE)

    async def bring_up(self, subscription: Subscription, rev: Rev) -> None:
        """Answer a page that has `rev`: with the state if that is older, else with a pong."""
        if subscription.runtime.hub.is_behind(subscription.topic, rev):
            subscription.show_newer(rev)
        else:
            subscription.confirm()

    def check_rev(self, rev: Rev) -> None:
        """Raise `Refused` for a rev that this kind of topic cannot have."""
        if isinstance(rev, str) and not self.has_text_revs:
            raise Refused(Reason.MALFORMED)


def handler_of(name: str) -> tuple[TopicHandler, str]:
    """Return the handler of a topic with its ident. Raise `Refused` for a name that none has."""
    word, _, ident = name.partition(":")
    handler: TopicHandler | None = KINDS[word].handler if word in KINDS else None
    if handler is None or not handler.ident.fullmatch(ident):
        raise Refused(Reason.GONE)
    return handler, ident
