"""How many sockets look at a topic, by audience, in every process of the site."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from play.topics import Topic

SHARED = 5.0  # seconds after which a process says again who is there
FORGOTTEN = 15.0  # seconds after which what it does not say again is not so any more


class Crowds:
    """What this process has said, and what the others have."""

    def __init__(self) -> None:
        self._here: dict[Topic, Counter[str]] = {}
        # By topic and process: how many, and until when that holds on the monotonic clock.
        self._others: defaultdict[Topic, dict[str, tuple[Counter[str], float]]] = defaultdict(dict)

    def here(self, topic: Topic, counts: Counter[str]) -> bool:
        """Notes how many look at a topic in this process; whether that is news."""
        if self._here.get(topic, Counter()) == counts:
            return False
        if counts:
            self._here[topic] = counts
        else:
            self._here.pop(topic, None)
        return True

    def all_here(self) -> dict[Topic, Counter[str]]:
        """All that look at something in this process."""
        return dict(self._here)

    def elsewhere(self, topic: Topic) -> Counter[str]:
        """How many look at a topic in other processes."""
        at = time.monotonic()
        total: Counter[str] = Counter()
        for counts, until in self._others.get(topic, {}).values():
            if until > at:
                total += counts
        return total

    def heard(self, process: str, topic: Topic, counts: Counter[str]) -> set[str]:
        """Notes what another process has said; the audiences that nobody elsewhere has now."""
        before = self.elsewhere(topic)
        if counts:
            self._others[topic][process] = (counts, time.monotonic() + FORGOTTEN)
        else:
            self._drop(topic, process)
        return set(before) - set(self.elsewhere(topic))

    def gone(self, process: str) -> list[tuple[Topic, str]]:
        """Forgets a process; the topics and audiences that nobody elsewhere has now."""
        theirs = [topic for topic, said in self._others.items() if process in said]
        return [(t, audience) for t in theirs for audience in self.heard(process, t, Counter())]

    def expired(self) -> Iterator[tuple[Topic, str]]:
        """Forgets what was not said again; the topics and audiences that nobody elsewhere has."""
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
