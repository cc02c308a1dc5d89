"""Base classes and field types of the messages on the sockets, in both directions. Pure."""

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
