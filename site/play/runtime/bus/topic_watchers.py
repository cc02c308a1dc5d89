"""Track the other processes that watch a topic, as far as this process knows them.

A process that begins to watch a topic asks, and those that watch it say so; a process that leaves
it says so too. If Redis delivered a message to as many processes as are known, all of them are
known: until something changes, messages about the topic go to those processes, many topics in one,
and none is sent if there are none. The last such hint is kept for a process whose question is under
way.
"""

from collections import defaultdict
from collections.abc import Iterable

from play.runtime.topics import Rev, Topic


class TopicWatchers:
    """The other processes by topic, and the topics of which all are known."""

    def __init__(self) -> None:
        self._others: defaultdict[Topic, set[str]] = defaultdict(set)
        self._complete: set[Topic] = set()  # all others are known
        self._last: dict[Topic, Rev | None] = {}  # hints that only those were sent
        self._changed: set[Topic] = set()  # since `begin_batch`

    def begin_batch(self) -> None:
        """Note that a batch is being sent; its counts prove nothing about later changes."""
        self._changed.clear()

    def note_received(self, topic: Topic, count: int) -> None:
        """Note how many other processes got a message on the channel of a topic."""
        if topic in self._changed:
            return
        if not count:
            self._others.pop(topic, None)  # others have left it without a message
        if count == len(self._others.get(topic, ())):
            self._complete.add(topic)

    def others(self, topic: Topic) -> Iterable[str] | None:
        """Return the other processes that watch a topic; None if some may be unknown."""
        return self._others.get(topic, ()) if topic in self._complete else None

    def has_none(self, topic: Topic) -> bool:
        """Return whether no other process is known to watch a topic."""
        return not self._others.get(topic)

    def note_hint(self, topic: Topic, rev: Rev | None) -> None:
        """Keep a hint that only known processes were sent."""
        self._last[topic] = rev

    def add(self, topic: Topic, process: str) -> bool:
        """Note a process that watches a topic; return whether it was unknown."""
        is_new = process not in self._others[topic]
        self._others[topic].add(process)
        return is_new

    def discard(self, topic: Topic, process: str) -> None:
        """Note that a process does not watch a topic any more."""
        others = self._others.get(topic)
        if others is None:
            return
        self._changed.add(topic)
        others.discard(process)
        if not others:
            del self._others[topic]

    def forget_process(self, process: str) -> list[Topic]:
        """Forget a process that is gone; return the topics that it watched."""
        topics = [topic for topic, others in self._others.items() if process in others]
        for topic in topics:
            self.discard(topic, process)
        return topics

    def mark_incomplete(self, topic: Topic) -> tuple[bool, Rev | None]:
        """Note that an unknown process may watch a topic.

        Return whether a hint was kept, which it may lack, and its rev.
        """
        self._changed.add(topic)
        self._complete.discard(topic)
        has_last = topic in self._last
        return has_last, self._last.pop(topic, None)

    def forget_topic(self, topic: Topic) -> None:
        """Forget the processes that watch a topic."""
        self._others.pop(topic, None)
        self._complete.discard(topic)
        self._last.pop(topic, None)
        self._changed.add(topic)
