"""Messages of the bus, and the channels on which they are sent."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from play.runtime.topics import KINDS_OF_ALL, Rev, Topic

MAX_SOCKETS = 1_000_000  # of one audience in one process; bounds untrusted counts
RENAMED = "renamed"  # the kind of a hint about a renamed user
ALL = "all"  # the channel of all processes; other channels are named like `game:SLUG`
PROCESS = "process"  # the kind of the channels of single processes, named like `process:NAME`
Count = Annotated[int, Meta(ge=0, le=MAX_SOCKETS)]


class Hints(Struct, frozen=True, gc=False, omit_defaults=True):
    """A validated message of another process; unknown fields are ignored.

    `hints` are kind, ident and rev; `crowds` are kind, ident and the number of sockets by audience;
    `asks` are the topics that the process begins to watch, `watches` those that it watches already,
    and `leaves` those that it does not watch any more, which come before the others.
    """

    hints: Sequence[tuple[str, str, Rev | None]] = ()
    crowds: Sequence[tuple[str, str, dict[str, Count]]] = ()
    asks: Sequence[Topic] = ()
    bye: bool = False
    watches: Sequence[Topic] = ()
    leaves: Sequence[Topic] = ()


ENCODER = msgspec.msgpack.Encoder()
DECODER = msgspec.msgpack.Decoder(Hints)


def channel_of(topic: Topic) -> str:
    """Return the channel of messages about a topic."""
    return ALL if topic[0] in KINDS_OF_ALL or topic[0] == RENAMED else f"{topic[0]}:{topic[1]}"


def channel_of_process(name: str) -> str:
    """Return the channel of a single process."""
    return f"{PROCESS}:{name}"


def topic_of(channel: str) -> Topic:
    """Return the topic of a channel; for other channels a topic that nobody watches."""
    kind, _, ident = channel.partition(":")
    return kind, ident


def encode_message(message: Hints) -> bytes:
    """Return the bytes of a message."""
    return ENCODER.encode(message)


def decode_message(text: bytes) -> Hints:
    """Decode a message. Raise msgspec.DecodeError if it is invalid."""
    return DECODER.decode(text)
