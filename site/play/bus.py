"""What web processes tell each other: that a topic has changed, and how many look at it there.

Hints bear a topic and a rev, never what it says. They are sent after the commit and beside its
answer; many that wait go together, and of one topic the newest.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

import msgspec
from django.conf import settings
from msgspec import Meta, Struct

from play import meters
from play.carrier import Carrier, Message
from play.crowds import SHARED, Crowds
from play.perloop import per_loop
from play.topics import Rev, Topic

TOGETHER = 200  # topics in a message
APART = 0.02  # seconds between two messages; the first after a silence goes at once
MOST = 5_000  # topics that wait; what is over is dropped, and healed by the tail
MOST_SOCKETS = 1_000_000  # of one audience in one process, as a bound on what others may say
RENAMED = "renamed"  # the kind of a hint that tells of a user's new name
log = logging.getLogger("quiver.play")
Count = Annotated[int, Meta(ge=0, le=MOST_SOCKETS)]


class Hints(Struct, frozen=True, gc=False):
    """A message of another process, checked; fields that this code does not know are ignored.

    `hints` are kind, ident and rev; `crowds` kind, ident and the number of sockets by audience.
    """

    process: str = msgspec.field(name="from")
    hints: Sequence[tuple[str, str, Rev | None]] = ()
    crowds: Sequence[tuple[str, str, dict[str, Count]]] = ()
    bye: bool = False


class Ears(Protocol):
    """Who is told what other processes have said: the hub."""

    def hint(self, topic: Topic, rev: Rev | None = None) -> None:
        """A topic has changed."""

    def renamed(self, user: int) -> None:
        """A user has another name."""

    def tell(self, topic: Topic) -> None:
        """Other people look at a topic."""

    def left_elsewhere(self, topic: Topic, audience: str) -> None:
        """The last socket of an audience has gone in another process."""

    def recovered(self) -> None:
        """Others can be heard again after a time in which they could not."""


class Bus:
    """The bus of one event loop; without Redis it carries nothing."""

    def __init__(self) -> None:
        is_on = bool(settings.REDIS_URL)
        self._carrier = Carrier(self._hear, self._recovered) if is_on else None
        self._ears: Ears | None = None
        self._hints: dict[Topic, Rev | None] = {}
        self._counts: dict[Topic, Mapping[str, int]] = {}
        self._sending: asyncio.Task[None] | None = None
        self._sharing: asyncio.Task[None] | None = None
        self._has_dropped = False  # a message that was no process's of this site
        self.crowds = Crowds()

    @property
    def is_alone(self) -> bool:
        """Whether no other process can serve the same games: without Redis a second is refused."""
        return self._carrier is None

    @property
    def is_deaf(self) -> bool:
        """Whether other processes should be heard, and are not."""
        return self._carrier is not None and self._carrier.is_deaf

    @property
    def lost(self) -> int:
        """Messages that could not be sent."""
        return self._carrier.lost if self._carrier else 0

    def listen(self, ears: Ears) -> None:
        """Begins to hear what other processes say, and to share who is here."""
        self._ears = ears
        if self._carrier and self._sharing is None:
            self._carrier.listen()
            self._sharing = asyncio.create_task(self._keep_sharing())

    def say(self, topic: Topic, rev: Rev | None = None) -> None:
        """Tells other processes soon that a topic has changed, perhaps to `rev`; returns at once.

        The kind `renamed` says that the user of that id has another name.
        """
        if self._carrier is None or (len(self._hints) >= MOST and topic not in self._hints):
            return
        self._hints[topic] = rev
        self._send_soon()

    def share(self, topic: Topic, here: Counter[str]) -> None:
        """Tells other processes soon how many look at a topic here, by audience."""
        if self._carrier is not None and self.crowds.here(topic, here):
            self._counts[topic] = here
            self._send_soon()

    def _send_soon(self) -> None:
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._carrier and (self._hints or self._counts):
            hints = _taken(self._hints)
            meters.HINTS.inc(len(hints))
            counts = _taken(self._counts)
            await self._carrier.say(
                {
                    "hints": [[*topic, rev] for topic, rev in hints.items()],
                    "crowds": [[*topic, dict(many)] for topic, many in counts.items()],
                }
            )
            await asyncio.sleep(APART)

    async def _keep_sharing(self) -> None:
        """Says again and again who is here: others forget it when it is not said."""
        while True:
            await asyncio.sleep(SHARED)
            self._counts.update(self.crowds.all_here())
            if self._counts:
                self._send_soon()
            for topic, audience in self.crowds.expired():
                self._gone(topic, audience)

    def _hear(self, message: Message) -> None:
        """Hear a message of another process; drop one that no process of this site has sent."""
        ears = self._ears
        if ears is None:
            return
        try:
            heard = msgspec.convert(message, Hints)
            renamed = [int(ident) for kind, ident, _ in heard.hints if kind == RENAMED]
        except (msgspec.ValidationError, ValueError):
            self._drop_odd()
            return
        for user in renamed:
            ears.renamed(user)
        for kind, ident, rev in heard.hints:
            if kind != RENAMED:
                ears.hint((kind, ident), rev)
        for kind, ident, counts in heard.crowds:
            for audience in self.crowds.heard(heard.process, (kind, ident), Counter(counts)):
                self._gone((kind, ident), audience)
            ears.tell((kind, ident))
        if heard.bye:
            for topic, audience in self.crowds.gone(heard.process):
                self._gone(topic, audience)

    def _drop_odd(self) -> None:
        """Log the first message that was dropped; its text may be anything."""
        if not self._has_dropped:
            self._has_dropped = True
            log.warning(
                "A message in Redis that no process of this site has sent was dropped. Further "
                "ones are dropped too. Check who else can write to REDIS_URL.",
                extra={"event": "bus_odd_message"},
            )

    def _gone(self, topic: Topic, audience: str) -> None:
        if self._ears:
            self._ears.left_elsewhere(topic, audience)
            self._ears.tell(topic)

    def _recovered(self) -> None:
        if self._ears:
            self._ears.recovered()

    async def close(self) -> None:
        """Says goodbye and leaves the line; what is said afterwards is carried nowhere."""
        carrier, self._carrier = self._carrier, None
        tasks = [task for task in (self._sending, self._sharing) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if carrier:
            if self._sharing:
                await carrier.say({"bye": True})
            await carrier.close()
        bus.forget()


def _taken(waiting: dict[Topic, Any]) -> dict[Topic, Any]:
    """Takes what goes into one message, the oldest first."""
    topics = list(waiting)[:TOGETHER]
    return {topic: waiting.pop(topic) for topic in topics}


bus = per_loop(Bus)
