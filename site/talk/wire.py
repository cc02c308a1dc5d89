"""Messages of the talk socket: parsed once, strictly."""

from typing import Annotated

import msgspec
from msgspec import Meta

from play.refusals import Reason, Refused
from play.wire import LARGEST, Id, Message

Rev = int | Annotated[str, Meta(max_length=64)]


class Hello(Message, frozen=True, tag="hello"):
    """The page has come; it is shown everything."""

    rev: Rev = -1


class Ping(Message, frozen=True, tag="ping"):
    """The heartbeat; answered with a pong, or with the talk if that is newer."""

    rev: Rev = -1


class Say(Message, frozen=True, tag="say"):
    """Something to be said: a text or the key of a phrase, exactly one of them."""

    id: Id
    text: Annotated[str, Meta(max_length=2000)] = ""
    phrase: Annotated[str, Meta(max_length=16)] = ""


class Mute(Message, frozen=True, tag="mute"):
    """Somebody's lines are to vanish from sight, or to be seen again."""

    name: Annotated[str, Meta(pattern=r"^[^\x00-\x1f]{1,40}\Z")]
    on: bool
    id: Id | None = None


class Report(Message, frozen=True, tag="report"):
    """A line that moderators should look at."""

    id: Id
    line: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    why: Annotated[str, Meta(max_length=16)]


class _Kind(msgspec.Struct):
    t: str


KINDS = {"hello", "ping", "say", "mute", "report"}
TalkMessage = Hello | Ping | Say | Mute | Report
_talk = msgspec.json.Decoder[TalkMessage](TalkMessage)
_kind = msgspec.json.Decoder(_Kind)
_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)


def parse(text: str | None) -> TalkMessage:
    """The message in a text frame (None: a binary one).

    Raises `Refused`: too large, unreadable, or of a kind that is not known.
    """
    if text is None:
        raise Refused(Reason.MALFORMED, say="Only text frames are read here.")
    if len(text) > LARGEST or len(text.encode(errors="replace")) > LARGEST:
        raise Refused(Reason.TOO_LARGE)
    try:
        message: TalkMessage = _talk.decode(text)
    except _UNREADABLE as error:
        raise Refused(_reason(text), say=f"That message could not be read: {error}") from None
    if isinstance(message, Say) and message.text and message.phrase:
        raise Refused(Reason.MALFORMED, say="Say a text or a phrase, not both.")
    return message


def _reason(text: str) -> Reason:
    try:
        known = _kind.decode(text).t in KINDS
    except _UNREADABLE:
        return Reason.MALFORMED
    return Reason.MALFORMED if known else Reason.UNKNOWN_MESSAGE
