"""Why a lobby says no: one word for programs, one sentence for people."""

from enum import StrEnum


class Reason(StrEnum):
    """Words of a refusal; `SENTENCES` has what a person reads."""

    TAKEN = "taken"
    FULL = "full"
    NOT_SEATED = "not_seated"
    NOT_HOST = "not_host"
    STARTED = "started"
    CLOSED = "closed"
    CHANGED = "changed"
    TOO_MANY = "too_many"
    MALFORMED = "malformed"
    BUSY = "busy"


SENTENCES = {
    Reason.TAKEN: "Somebody else has just taken that seat.",
    Reason.FULL: "Both seats are taken. You can stay and watch.",
    Reason.NOT_SEATED: "You have no seat here.",
    Reason.NOT_HOST: "Only the host can do that.",
    Reason.STARTED: "The game has started; its seats and options are fixed now.",
    Reason.CLOSED: "The host has closed this lobby.",
    Reason.CHANGED: "The host has changed this lobby since you looked.",
    Reason.TOO_MANY: "You have many lobbies open already. Close one of them first.",
    Reason.MALFORMED: "That choice is not one that this page offers.",
    Reason.BUSY: "Too many people changed this lobby at once. Nothing was changed; try again.",
}


class Refused(Exception):
    """The answer no. Nothing was changed."""

    def __init__(self, reason: Reason, say: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.say = say or SENTENCES[reason]
