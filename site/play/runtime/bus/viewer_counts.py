"""Viewer counts: how many sockets of every process watch a topic, by audience."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from play.runtime.topics import Topic

SHARE_INTERVAL_S = 5.0  # between repetitions of a process's counts
EXPIRY_S = 15.0  # after which counts that were not repeated are dropped


class ViewerCounts:
    """The counts of this process, and those received from the others."""

    def __init__(self) -> None:
        self._here: dict[Topic, Counter[str]] = {}
        # By topic and process: the counts, and their expiry on the monotonic clock (s).
        self._others: defaultdict[Topic, dict[str, tuple[Counter[str], float]]] = defaultdict(dict)

    def update_own(self, topic: Topic, counts: Counter[str]) -> bool:
        """Store the counts of a topic in this process; return whether they have changed."""
        if self._here.get(topic, Counter()) == counts:
            return False
        if counts:
            self._here[topic] = counts
        else:
            self._here.pop(topic, None)
        return True

    def here(self, topic: Topic) -> Counter[str]:
        """Return the counts of a topic in this process."""
        return self._here.get(topic, Counter())

    def all_here(self) -> dict[Topic, Counter[str]]:
        """Return the counts of this process by topic."""
        return dict(self._here)

    def elsewhere(self, topic: Topic) -> Counter[str]:
        """Return the counts of a topic in other processes."""
        at = time.monotonic()
        total: Counter[str] = Counter()
        for counts, until in self._others.get(topic, {}).values():
            if until > at:
                total += counts
        return total

    def update_other(self, process: str, topic: Topic, counts: Counter[str]) -> set[str]:
        """Store the counts of another process.

        Return the audiences that no other process has now.
        """
        before = self.elsewhere(topic)
        if counts:
            self._others[topic][process] = (counts, time.monotonic() + EXPIRY_S)
        else:
            self._drop(topic, process)
        return set(before) - set(self.elsewhere(topic))

    def forget_topic(self, topic: Topic) -> None:
        """Drop the counts of a topic that this process does not watch any more."""
        self._here.pop(topic, None)
        self._others.pop(topic, None)

    def forget_process(self, process: str) -> list[tuple[Topic, str]]:
        """Drop the counts of a process.

        Return the topics and audiences that no other process has now.
        """
        theirs = [topic for topic, said in self._others.items() if process in said]
        return [
            (t, audience) for t in theirs for audience in self.update_other(process, t, Counter())
        ]

    def drop_expired(self) -> Iterator[tuple[Topic, str]]:
        """Drop counts that were not repeated.

        Yield the topics and audiences that no other process has now.
        """
        at = time.monotonic()
        for topic, said in list(self._others.items()):
            old = {process: counts for process, (counts, until) in said.items() if until <= at}
            for process in old:
                self._drop(topic, process)
            for audience in set().union(*old.values()) - set(self.elsewhere(topic)):
                yield topic, audience

    def _drop(self, topic: Topic, process: str) -> None:
        self._others[topic].pop(process, None)
        if not self._others[topic]:
            del self._others[topic]
