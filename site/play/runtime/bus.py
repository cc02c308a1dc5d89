"""The bus between web processes: carries hints about changed topics, and viewer counts.

Hints bear a topic and a rev, never content. They are sent after the commit, in the background;
waiting hints share a message, and of one topic only the newest is sent.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

import msgspec
from django.conf import settings
from msgspec import Meta, Struct

from play.domain.game_state import GameState
from play.runtime.bus_transport import BusTransport, Message
from play.runtime.topics import Rev, Topic
from play.runtime.viewer_counts import SHARE_INTERVAL_S, ViewerCounts
from telemetry import counters

MAX_TOPICS_PER_MESSAGE = 200
SEND_INTERVAL_S = 0.02  # between messages; the first after a pause is sent at once
MAX_PENDING_TOPICS = 5_000  # more are dropped; the commit watcher finds them
MAX_SOCKETS = 1_000_000  # of one audience in one process; bounds untrusted counts
RENAMED = "renamed"  # the kind of a hint about a renamed user
log = logging.getLogger("quiver.play")
Count = Annotated[int, Meta(ge=0, le=MAX_SOCKETS)]


class Hints(Struct, frozen=True, gc=False):
    """A validated message of another process; unknown fields are ignored.

    `hints` are kind, ident and rev; `crowds` are kind, ident and the number of sockets by audience.
    """

    process: str = msgspec.field(name="from")
    hints: Sequence[tuple[str, str, Rev | None]] = ()
    crowds: Sequence[tuple[str, str, dict[str, Count]]] = ()
    bye: bool = False


class BusListener(Protocol):
    """The receiver of messages from other processes: the hub."""

    def hint(self, topic: Topic, rev: Rev | None = None) -> None:
        """Note that a topic has changed."""

    def show_new_name(self, user: int) -> None:
        """Show the new name of a user."""

    def tell(self, topic: Topic) -> None:
        """Note that the viewers of a topic have changed."""

    def on_last_socket_closed_elsewhere(self, topic: Topic, audience: str) -> None:
        """Note that the last socket of an audience was closed in another process."""

    def on_bus_recovered(self) -> None:
        """Note that messages arrive again after an interruption."""


class Bus:
    """The bus of one event loop; without Redis it sends nothing."""

    def __init__(self) -> None:
        is_on = bool(settings.REDIS_URL)
        self._transport = BusTransport(self._receive, self._report_recovered) if is_on else None
        self._listener: BusListener | None = None
        self._hints: dict[Topic, Rev | None] = {}
        self._counts: dict[Topic, Mapping[str, int]] = {}
        self._sending: asyncio.Task[None] | None = None
        self._sharing: asyncio.Task[None] | None = None
        self._has_logged_invalid = False  # an invalid message was logged
        self.crowds = ViewerCounts()

    @property
    def is_alone(self) -> bool:
        """Whether this is the only web process: without Redis a second one is refused."""
        return self._transport is None

    @property
    def is_disconnected(self) -> bool:
        """Whether messages of other processes should arrive and do not."""
        return self._transport is not None and self._transport.is_disconnected

    @property
    def lost_count(self) -> int:
        """The number of messages that could not be sent."""
        return self._transport.lost_count if self._transport else 0

    def listen(self, listener: BusListener) -> None:
        """Start to receive messages of other processes, and to share viewer counts."""
        self._listener = listener
        if self._transport and self._sharing is None:
            self._transport.listen()
            self._sharing = asyncio.create_task(self._share_periodically())

    def say(self, topic: Topic, rev: Rev | None = None) -> None:
        """Tell other processes that a topic has changed, perhaps to `rev`; sent in the background.

        The kind `renamed` says that the user with that id was renamed.
        """
        if self._transport is None or (
            len(self._hints) >= MAX_PENDING_TOPICS and topic not in self._hints
        ):
            return
        self._hints[topic] = rev
        self._send_soon()

    def say_changed(self, game: GameState, others: Sequence[Topic]) -> None:
        """Tell other processes that this one has changed a game and the `others` topics."""
        if self._transport is None:
            return
        self.say(("game", game.slug), game.rev)
        for topic in others:
            self.say(topic)

    def share(self, topic: Topic, here: Counter[str]) -> None:
        """Tell other processes how many sockets watch a topic here; returns at once."""
        if self._transport is not None and self.crowds.update_own(topic, here):
            self._counts[topic] = here
            self._send_soon()

    def _send_soon(self) -> None:
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._transport and (self._hints or self._counts):
            hints = _take_batch(self._hints)
            counters.HINTS.inc(len(hints))
            counts = _take_batch(self._counts)
            await self._transport.say(
                {
                    "hints": [[*topic, rev] for topic, rev in hints.items()],
                    "crowds": [[*topic, dict(many)] for topic, many in counts.items()],
                }
            )
            await asyncio.sleep(SEND_INTERVAL_S)

    async def _share_periodically(self) -> None:
        """Repeat the viewer counts of this process: others drop counts that are not repeated."""
        while True:
            await asyncio.sleep(SHARE_INTERVAL_S)
            self._counts.update(self.crowds.all_here())
            if self._counts:
                self._send_soon()
            for topic, audience in self.crowds.drop_expired():
                self._report_left(topic, audience)

    def _receive(self, message: Message) -> None:
        """Pass on a message of another process; drop one that no process of this site has sent."""
        listener = self._listener
        if listener is None:
            return
        try:
            heard = msgspec.convert(message, Hints)
            renamed = [int(ident) for kind, ident, _ in heard.hints if kind == RENAMED]
        except (msgspec.ValidationError, ValueError):
            self._log_invalid()
            return
        for user in renamed:
            listener.show_new_name(user)
        for kind, ident, rev in heard.hints:
            if kind != RENAMED:
                listener.hint((kind, ident), rev)
        for kind, ident, counts in heard.crowds:
            for audience in self.crowds.update_other(heard.process, (kind, ident), Counter(counts)):
                self._report_left((kind, ident), audience)
            listener.tell((kind, ident))
        if heard.bye:
            for topic, audience in self.crowds.forget_process(heard.process):
                self._report_left(topic, audience)

    def _log_invalid(self) -> None:
        """Log the first message that was dropped, without its text, which may be anything."""
        if not self._has_logged_invalid:
            self._has_logged_invalid = True
            log.warning(
                "An invalid message on the bus was dropped. Further ones are dropped without a "
                "log entry. Check who else can write to REDIS_URL.",
                extra={"event": "bus_odd_message"},
            )

    def _report_left(self, topic: Topic, audience: str) -> None:
        if self._listener:
            self._listener.on_last_socket_closed_elsewhere(topic, audience)
            self._listener.tell(topic)

    def _report_recovered(self) -> None:
        if self._listener:
            self._listener.on_bus_recovered()

    async def close(self) -> None:
        """Tell the other processes that this one leaves, and disconnect.

        Later messages are dropped.
        """
        transport, self._transport = self._transport, None
        tasks = [task for task in (self._sending, self._sharing) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if transport:
            if self._sharing:
                await transport.say({"bye": True})
            await transport.close()


def _take_batch(waiting: dict[Topic, Any]) -> dict[Topic, Any]:
    """Remove and return the topics of one message, the oldest first."""
    topics = list(waiting)[:MAX_TOPICS_PER_MESSAGE]
    return {topic: waiting.pop(topic) for topic in topics}
