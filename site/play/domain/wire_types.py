"""Base classes and field types of the messages on the sockets, in both directions. Pure.

A frame is the JSON text of a message, encoded once for all sockets that receive it.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Self

import msgspec
from msgspec import UNSET, Meta, UnsetType

PLAIN = r"^[^\x00-\x1f\x7f]*\Z"  # no control characters
TOPIC_NAME = r"^[a-z]{1,16}(:[0-9A-Za-z/_-]{1,64})?\Z"  # a kind, and mostly an ident
TopicName = Annotated[str, Meta(pattern=TOPIC_NAME)]
Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
Rev = Annotated[int, Meta(ge=-1, le=2**31 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
SquareName = Annotated[str, Meta(pattern=r"^[a-n](1[0-4]|[1-9])\Z")]
ActionText = Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN)]


class Message(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, tag_field="t"
):
    """A message from a page. The field `t` names the kind, `topic` the topic concerned."""

    topic: TopicName = ""


class Outgoing(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="t"):
    """A message from the site. The field `t` names the kind, `topic` the topic concerned.

    The topic is put in front of an encoded message, once for all sockets (see `encoding`).
    """

    topic: TopicName | UnsetType = UNSET

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> Self:
        """Return the message with these fields and its kind as `t`; values are not checked.

        Raise TypeError if a field is missing or unknown.
        """
        return cls(**{name: value for name, value in message.items() if name != "t"})


class Shown(msgspec.Struct, frozen=True, gc=False):
    """A part of a message from the site."""


ENCODER = msgspec.json.Encoder()
Frame = str  # the text of a WebSocket message


def topic_head(name: str) -> str:
    """Return the beginning of every message on a topic, which names it."""
    return f'{{"topic":{ENCODER.encode(name).decode()},'


def put_on_topic(frame: Frame, head: str) -> Frame:
    """Return a frame on the topic of a head from `topic_head`; empty: the frame itself."""
    return head + frame[1:] if head else frame


def encode_frame(message: Mapping[str, object] | msgspec.Struct, head: str = "") -> Frame:
    """Return the frame of a message; with a head from `topic_head`, on that topic."""
    return put_on_topic(ENCODER.encode(message).decode(), head)


def encode_head(message: msgspec.Struct) -> str:
    """Return the JSON of a shared message part up to its closing brace; it must not be empty."""
    return f"{ENCODER.encode(message)[:-1].decode()},"


def join_frame(head: str, rest: msgspec.Struct, topic: str = "") -> Frame:
    """Return the frame that consists of a head from `encode_head` and the rest.

    With a head from `topic_head`, it is on that topic.
    """
    return put_on_topic(head + ENCODER.encode(rest)[1:].decode(), topic)
