"""Messages of the talk socket: parsed once, strictly."""

from typing import Annotated

from msgspec import Meta

from play.refusals import Reason, Refused
from play.wire import PLAIN, Id, Message, reader
from play.wire import Rev as Number

Rev = Number | Annotated[str, Meta(max_length=64, pattern=PLAIN)]


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


TalkMessage = Hello | Ping | Say | Mute | Report
_read = reader(TalkMessage)


def parse(text: str | None) -> TalkMessage:
    """The message in a text frame (None: a binary one).

    Raises `Refused`: too large, unreadable, of a kind that is not known, or said twice over.
    """
    message: TalkMessage = _read(text)
    if isinstance(message, Say) and message.text and message.phrase:
        raise Refused(Reason.MALFORMED, say="Say a text or a phrase, not both.")
    return message
