"""Messages about conditional replies, which only the pages of their owner send and get."""

from typing import Annotated

from msgspec import Meta

from play.domain.wire_types import ActionText, Count, Id, Message

MAX_WIRE_LINES = 16  # more than is allowed, so that a page is told why
MAX_WIRE_TURNS = 16
MAX_TURN_ACTIONS = 4

WireTurn = Annotated[tuple[ActionText, ...], Meta(min_length=1, max_length=MAX_TURN_ACTIONS)]
WireLine = Annotated[tuple[WireTurn, ...], Meta(max_length=MAX_WIRE_TURNS)]


class SaveReplies(Message, frozen=True, tag="save_replies"):
    """Replaces the sender's conditional replies as a whole; no lines: deletes them.

    A line begins with a turn of the opponent, and ends with one of the sender. Answered with
    `saved`, and on every page of the sender with `replies`; or with a refusal whose `index` is the
    number of the line.
    """

    id: Id
    step: Count
    takebacks: Count
    lines: Annotated[tuple[WireLine, ...], Meta(max_length=MAX_WIRE_LINES)]

    def __repr__(self) -> str:
        return f"SaveReplies({self.id!r}, step={self.step})"


class TryTurns(Message, frozen=True, tag="try_turns"):
    """Asks for the position after some turns from the current one; answered with `tried`.

    More than a few in a second are dropped without an answer. Changes nothing.
    """

    id: Id
    step: Count
    takebacks: Count
    turns: WireLine

    def __repr__(self) -> str:
        return f"TryTurns({self.id!r}, step={self.step})"


ReplyMessage = SaveReplies | TryTurns
