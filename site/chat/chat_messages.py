"""Typed messages of chats in both directions, parsed strictly."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from accounts.refusals import Refused
from chat.models import Circle
from play.domain.game_refusals import Reason
from play.domain.wire_types import Id, Message, Outgoing, Shown
from play.sockets.messages import message_decoder


class Say(Message, frozen=True, tag="say"):
    """Says a text or the phrase with a key, exactly one of them."""

    id: Id
    text: Annotated[str, Meta(max_length=2000)] = ""
    phrase: Annotated[str, Meta(max_length=16)] = ""


class Mute(Message, frozen=True, tag="mute"):
    """Hides somebody's lines from the sender, or shows them again."""

    name: Annotated[str, Meta(pattern=r"^[^\x00-\x1f]{1,40}\Z")]
    on: bool
    id: Id | None = None


class Block(Message, frozen=True, tag="block"):
    """Blocks somebody for the sender, everywhere on the site."""

    name: Annotated[str, Meta(pattern=r"^[^\x00-\x1f]{1,40}\Z")]
    id: Id | None = None


class Report(Message, frozen=True, tag="report"):
    """Reports a line to the moderators."""

    id: Id
    line: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    why: Annotated[str, Meta(max_length=16)]


class ChatReceipt(Outgoing, frozen=True, tag="receipt"):
    """Confirms an accepted message."""

    id: str | None
    line: int | None  # the line written or reported
    again: bool  # the id had been accepted before


class ShownLine(Shown, frozen=True):
    """A line as one viewer sees it."""

    id: int
    by: str | None
    you: bool
    role: str
    circle: Circle
    text: str | None
    phrase: str | None
    at: int  # ms since the epoch


class ShownRight(Shown, frozen=True):
    """The permission of a viewer to write, with the reason and end of any restriction."""

    write: str
    why: str
    until: int | None  # ms since the epoch


class ShownReport(Shown, frozen=True):
    """The state of a report made by the viewer."""

    line: int
    state: str


class ChatState(Outgoing, frozen=True, tag="chat"):
    """The chat that one viewer sees in a circle."""

    rev: str
    circle: Circle
    heard: str  # key of the sentence about the readers
    lines: Sequence[ShownLine]
    may: ShownRight
    muted: Sequence[str]  # names
    reports: Sequence[ShownReport]


ChatMessage = Say | Mute | Block | Report
_read = message_decoder(ChatMessage)


def parse(text: str) -> ChatMessage:
    """Parses a frame.

    Raises `Refused`: malformed, of an unknown kind, or with both text and phrase.
    """
    message: ChatMessage = _read(text)
    if isinstance(message, Say) and message.text and message.phrase:
        raise Refused(Reason.MALFORMED, say="Send a text or a quick-chat message, not both.")
    return message
