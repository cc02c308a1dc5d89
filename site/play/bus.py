"""What web processes tell each other: that a topic has changed, and how many look at it there.

Hints bear a topic and a rev, never what it says. They are sent after the commit and beside its
answer; many that wait go together, and of one topic the newest.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any, Protocol

from django.conf import settings

from play import meters
from play.carrier import Carrier, Message
from play.crowds import SHARED, Crowds
from play.perloop import per_loop
from play.topics import Rev, Topic

TOGETHER = 200  # topics in a message
APART = 0.02  # seconds between two messages; the first after a silence goes at once
MOST = 5_000  # topics that wait; what is over is dropped, and healed by the tail


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
        ears, process = self._ears, message.get("from", "")
        if ears is None:
            return
        for kind, ident, rev in message.get("hints", ()):
            if kind == "renamed":
                ears.renamed(int(ident))
            else:
                ears.hint((kind, ident), rev)
        for kind, ident, counts in message.get("crowds", ()):
            for audience in self.crowds.heard(process, (kind, ident), Counter(counts)):
                self._gone((kind, ident), audience)
            ears.tell((kind, ident))
        if message.get("bye"):
            for topic, audience in self.crowds.gone(process):
                self._gone(topic, audience)

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
