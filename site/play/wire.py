"""Messages of the game socket: parsed once, strictly; nothing else parses JSON."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from play.commands import Answer
from play.refusals import Reason, Refused

LARGEST = 16 * 1024  # bytes of a frame
PLAIN = r"^[^\x00-\x1f\x7f]*\Z"  # no control characters
Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
Rev = Annotated[int, Meta(ge=-1, le=2**31 - 1)]
ActionText = Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN)]


class Message(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="t"):
    """Something a page says. The field `t` names the kind."""


class Hello(Message, frozen=True, tag="hello"):
    """The page has this rev (-1: none) and wants to know of newer ones."""

    rev: Rev = -1


class Ping(Message, frozen=True, tag="ping"):
    """The heartbeat; answered with a pong, or with the state if that is newer."""

    rev: Rev = -1


class Plan(Message, frozen=True, tag="plan"):
    """Asks what who waits may plan at this rev; answered with that, or with the state if that is
    newer."""

    rev: Rev


class Act(Message, frozen=True, tag="act"):
    """The actions of (the rest of) a go, made for a turn."""

    id: Id
    turn: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    actions: Annotated[tuple[ActionText, ...], Meta(min_length=1, max_length=4)]
    takebacks: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None  # that the page knew of


class Resign(Message, frozen=True, tag="resign"):
    """Gives up."""

    id: Id


class Draw(Message, frozen=True, tag="draw"):
    """Deals with a draw offer; `rev` names the one that is answered."""

    id: Id
    do: Answer
    rev: Rev | None = None


class Takeback(Message, frozen=True, tag="takeback"):
    """Deals with the wish to take the latest go back; `rev` names the one that is answered."""

    id: Id
    do: Answer
    rev: Rev | None = None


class Abort(Message, frozen=True, tag="abort"):
    """Breaks the game off."""

    id: Id


class Claim(Message, frozen=True, tag="claim"):
    """Claims a draw by the rules of the site, or an end because the other side is gone."""

    id: Id
    way: Literal["quiet", "victory", "draw"] = msgspec.field(default="quiet", name="as")


class Flag(Message, frozen=True, tag="flag"):
    """Asks the server to look at the clocks."""


class _Kind(msgspec.Struct):
    t: str


TopicMessage = Hello | Ping
GameMessage = Hello | Ping | Plan | Act | Resign | Draw | Takeback | Abort | Claim | Flag
_kind = msgspec.json.Decoder(_Kind)
_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)


def reader(messages: Any) -> Callable[[str | None], Any]:
    """The function that reads text frames (None: a binary one) as one of a union of messages.

    It raises `Refused`: too large, unreadable, or of a kind that is not among them.
    """
    decoder = msgspec.json.Decoder(messages)
    kinds = {kind.__struct_config__.tag for kind in get_args(messages)}

    def read(text: str | None) -> Any:
        if text is None:
            raise Refused(Reason.MALFORMED, say="Only text frames are read here.")
        if len(text) > LARGEST or len(text.encode(errors="replace")) > LARGEST:
            raise Refused(Reason.TOO_LARGE)
        try:
            return decoder.decode(text)
        except _UNREADABLE as error:
            say = f"That message could not be read: {error}"
            raise Refused(_reason(text, kinds), say=say) from None

    return read


parse: Callable[[str | None], GameMessage] = reader(GameMessage)


def _reason(text: str, kinds: set[Any]) -> Reason:
    try:
        known = _kind.decode(text).t in kinds
    except _UNREADABLE:
        return Reason.MALFORMED
    return Reason.MALFORMED if known else Reason.UNKNOWN_MESSAGE
