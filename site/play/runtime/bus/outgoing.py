"""Queue of messages to be sent on the bus: on the channels of topics, or to single processes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from play.runtime.bus.bus_messages import Hints, channel_of, channel_of_process
from play.runtime.topics import Rev, Topic

MAX_TOPICS_PER_MESSAGE = 200
MAX_PENDING_TOPICS = 5_000  # more are dropped; the commit watcher finds them


class Waiting:
    """Hints, counts and notes about topics, each topic once: the newest replaces older ones."""

    __slots__ = ("asks", "counts", "hints", "leaves", "watches")

    def __init__(self) -> None:
        self.hints: dict[Topic, Rev | None] = {}
        self.counts: dict[Topic, Mapping[str, int]] = {}
        self.asks: dict[Topic, None] = {}  # in the order in which they came, as all of these
        self.watches: dict[Topic, None] = {}
        self.leaves: dict[Topic, None] = {}

    def __bool__(self) -> bool:
        return bool(self.hints or self.counts or self.asks or self.watches or self.leaves)

    def hint(self, topic: Topic, rev: Rev | None) -> None:
        """Add a hint, unless too many topics wait."""
        if len(self.hints) < MAX_PENDING_TOPICS or topic in self.hints:
            self.hints[topic] = rev

    def forget(self, topic: Topic) -> None:
        """Drop the waiting question and answer about a topic that is no longer watched."""
        self.asks.pop(topic, None)
        self.watches.pop(topic, None)

    def take(self) -> "Waiting":
        """Remove and return the messages of one batch, the oldest first."""
        taken = Waiting()
        for name in self.__slots__:
            mine, theirs = getattr(self, name), getattr(taken, name)
            for topic in list(mine)[:MAX_TOPICS_PER_MESSAGE]:
                theirs[topic] = mine.pop(topic)
        return taken

    def topics(self) -> Iterable[Topic]:
        """Return all topics, each once."""
        return {**self.hints, **self.counts, **self.asks, **self.watches, **self.leaves}

    def message(self, topics: Iterable[Topic]) -> Hints:
        """Return the message about some of the topics."""
        some = list(topics)
        return Hints(
            hints=[(*topic, self.hints[topic]) for topic in some if topic in self.hints],
            crowds=_spell_counts(self.counts, some),
            asks=[topic for topic in some if topic in self.asks],
            watches=[topic for topic in some if topic in self.watches],
            leaves=[topic for topic in some if topic in self.leaves],
        )


def _spell_counts(counts: Mapping[Topic, Mapping[str, int]], some: list[Topic]) -> list[Any]:
    return [(*topic, dict(counts[topic])) for topic in some if topic in counts] if counts else []


class Batch(NamedTuple):
    """One batch: messages by channel, and by the name of a process."""

    waited: Waiting
    by_channel: dict[str, Hints]
    by_process: dict[str, Hints]

    def count_hints(self) -> int:
        """Return the number of hints, those to several processes counted for each."""
        return len(self.waited.hints) + sum(len(each.hints) for each in self.by_process.values())

    def messages(self) -> Iterator[tuple[str, Hints]]:
        """Return all messages with their channels, those to processes last."""
        yield from self.by_channel.items()
        for name, message in self.by_process.items():
            yield channel_of_process(name), message


class Outgoing:
    """Messages of a process to the others."""

    def __init__(self) -> None:
        self.all = Waiting()  # on the channels of topics
        self.single: defaultdict[str, Waiting] = defaultdict(Waiting)  # by name of a process

    def __bool__(self) -> bool:
        return bool(self.all or self.single)

    def count_for_all(self, topic: Topic, counts: Mapping[str, int]) -> None:
        """Add viewer counts on the topic's channel; older ones to single processes are dropped."""
        for waiting in self.single.values():
            waiting.counts.pop(topic, None)
        self.all.counts[topic] = counts

    def take(self) -> Batch:
        """Remove and return one batch."""
        waited = self.all.take()
        by_channel: defaultdict[str, list[Topic]] = defaultdict(list)
        for topic in waited.topics():
            by_channel[channel_of(topic)].append(topic)
        single = {name: waiting.take() for name, waiting in self.single.items() if waiting}
        for name in [name for name, waiting in self.single.items() if not waiting]:
            del self.single[name]
        return Batch(
            waited,
            {channel: waited.message(topics) for channel, topics in by_channel.items()},
            {name: taken.message(taken.topics()) for name, taken in single.items()},
        )
