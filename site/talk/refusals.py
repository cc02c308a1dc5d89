"""Why talk says no: one word for programs, one sentence for people.

Pages have these sentences in their reader's language under the same words.
"""

from enum import StrEnum

from play import refusals


class Reason(StrEnum):
    """Wire words of a refusal; `SENTENCES` has what a person reads."""

    OFF = "off"
    NOT_WATCHABLE = "not_watchable"
    STRANGER = "stranger"
    SILENCED = "silenced"
    GUEST = "guest"
    NEW = "new"
    PLAYING = "playing"
    CLOSED = "closed"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    TOO_FAST = "too_fast"
    SAME = "same"
    NO_PHRASE = "no_phrase"
    NO_LINE = "no_line"
    NOBODY = "nobody"
    YOURSELF = "yourself"
    TOO_MANY = "too_many"


SENTENCES = {
    Reason.OFF: "Talk is switched off on this site.",
    Reason.NOT_WATCHABLE: "Only the two players can follow this game.",
    Reason.STRANGER: "Take a name first.",
    Reason.SILENCED: "A moderator has taken your right to write here.",
    Reason.GUEST: "Guests talk in the phrases below.",
    Reason.NEW: "New accounts talk in phrases for the first hour.",
    Reason.PLAYING: "A game is being played; talk goes on at its board.",
    Reason.CLOSED: "This lobby is closed.",
    Reason.EMPTY: "There is nothing to read in that.",
    Reason.TOO_LONG: "That is longer than 200 characters.",
    Reason.TOO_FAST: "That was fast. Wait a few seconds.",
    Reason.SAME: "You have said that twice already.",
    Reason.NO_PHRASE: "That phrase is not offered here.",
    Reason.NO_LINE: "That line is not here any more.",
    Reason.NOBODY: "Nobody has that name.",
    Reason.YOURSELF: "That is you.",
    Reason.TOO_MANY: "That is too many for now.",
}


class Refused(refusals.Refused):
    """The answer no. Nothing was changed."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason, say=SENTENCES[reason])  # type: ignore[arg-type]
