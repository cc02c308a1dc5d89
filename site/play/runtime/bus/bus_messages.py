"""Messages of the bus, and the channels on which they are sent."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from play.runtime.topics import KINDS_OF_ALL, Rev, Topic

MAX_SOCKETS = 1_000_000  # of one audience in one process; bounds untrusted counts
RENAMED = "renamed"  # the kind of a hint about a renamed user
ALL = "all"  # the channel of all processes; other channels are named like `game:SLUG`
Count = Annotated[int, Meta(ge=0, le=MAX_SOCKETS)]


class Hints(Struct, frozen=True, gc=False, omit_defaults=True):
    """A validated message of another process; unknown fields are ignored.

    `hints` are kind, ident and rev; `crowds` are kind, ident and the number of sockets by audience;
    `asks` are the topics that the process begins to watch.
    """

    hints: Sequence[tuple[str, str, Rev | None]] = ()
    crowds: Sequence[tuple[str, str, dict[str, Count]]] = ()
    asks: Sequence[Topic] = ()
    bye: bool = False


ENCODER = msgspec.msgpack.Encoder()
DECODER = msgspec.msgpack.Decoder(Hints)


def channel_of(topic: Topic) -> str:
    """Return the channel of messages about a topic."""
    return ALL if topic[0] in KINDS_OF_ALL or topic[0] == RENAMED else f"{topic[0]}:{topic[1]}"


def topic_of(channel: str) -> Topic:
    """Return the topic of a channel that has one; of `ALL` a topic that nobody watches."""
    kind, _, ident = channel.partition(":")
    return kind, ident


def encode_message(message: Hints) -> bytes:
    """Return the bytes of a message."""
    return ENCODER.encode(message)


def decode_message(text: bytes) -> Hints:
    """Return the message in some bytes. Raise msgspec.DecodeError for what is none."""
    return DECODER.decode(text)


def build_messages(
    hints: Mapping[Topic, Rev | None],
    counts: Mapping[Topic, Mapping[str, int]],
    asks: Mapping[Topic, None],
) -> dict[str, Hints]:
    """Return a message for each channel that a batch concerns."""
    by_channel: defaultdict[str, list[Topic]] = defaultdict(list)
    for topic in {**hints, **counts, **asks}:
        by_channel[channel_of(topic)].append(topic)
    return {
        channel: Hints(
            hints=[(*topic, hints[topic]) for topic in topics if topic in hints],
            crowds=[(*topic, dict(counts[topic])) for topic in topics if topic in counts],
            asks=[topic for topic in topics if topic in asks],
        )
        for channel, topics in by_channel.items()
    }
