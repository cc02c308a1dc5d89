"""The refusal of a request: one exception for the site, and the base of each app's reasons.

It stands in the lowest app, so that all may import it. It imports no Django, because `play.domain`
uses it.
"""

from enum import StrEnum
from typing import Self, TypedDict, Unpack


class RefusalReason(StrEnum):
    """A reason of an app: the wire word, with the sentence for people and an HTTP status."""

    sentence: object  # a text, or a lazily translated one
    status: int

    def __new__(cls, word: str, sentence: object, status: int = 409) -> Self:
        """Return the member of a wire word."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.sentence, member.status = sentence, status
        return member


class RefusalDetails(TypedDict, total=False):
    """What programs get besides: members of the answer of a socket or of the JSON of a view."""

    code: str | None  # why an action is illegal
    squares: tuple[str, ...]  # the squares concerned
    index: int  # which of the actions was illegal
    detail: str  # the error in malformed content
    name: str  # a free name in the place of one that is taken


class Refused(Exception):
    """A request was refused; nothing was changed. `say` replaces the sentence of the reason."""

    def __init__(
        self, reason: RefusalReason, say: str = "", **details: Unpack[RefusalDetails]
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.say = say or str(reason.sentence)
        self.details = details
