"""Refusals of the site: a reason code for programs and a sentence for people."""

from enum import StrEnum


class Reason(StrEnum):
    """Wire codes of a refusal; `SENTENCES` holds the text for people."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    UNKNOWN_MESSAGE = "unknown_message"
    SLOW_DOWN = "slow_down"
    NOT_SEATED = "not_seated"
    NOT_IN_CONTROL = "not_in_control"
    STALE_STEP = "stale_step"
    ALREADY_SEALED = "already_sealed"
    CONFLICT = "conflict"
    BAD_ACTION = "bad_action"
    ILLEGAL = "illegal"
    OVER = "over"
    NO_SHOW = "no_show"
    TOO_LATE = "too_late"
    NO_OFFER = "no_offer"
    OFFER_STANDS = "offer_stands"
    NO_CLAIM = "no_claim"
    NO_TAKEBACK = "no_takeback"
    TOO_LATE_TO_ABORT = "too_late_to_abort"
    NOT_GONE = "not_gone"
    BUSY = "busy"
    UNSURE = "unsure"
    GONE = "gone"
    SIGNED_OUT = "signed_out"
    NOT_SUBSCRIBED = "not_subscribed"
    TOO_MANY_TOPICS = "too_many_topics"


SENTENCES = {
    Reason.MALFORMED: "That message could not be read.",
    Reason.TOO_LARGE: "That message is too long.",
    Reason.UNKNOWN_MESSAGE: "That kind of message is not known here.",
    Reason.SLOW_DOWN: "Too many messages. Wait a moment.",
    Reason.NOT_SEATED: "You are watching: only the two who are seated can do that.",
    Reason.NOT_IN_CONTROL: "It is not your turn.",
    Reason.STALE_STEP: "The game has moved on since that was made.",
    Reason.ALREADY_SEALED: "You have already sealed this turn.",
    Reason.CONFLICT: "That id was already used for something else.",
    Reason.BAD_ACTION: "That is not an action of this game.",
    Reason.ILLEGAL: "That is not allowed here.",
    Reason.OVER: "The game is over.",
    Reason.NO_SHOW: "The game was aborted: a first move was not made in time.",
    Reason.TOO_LATE: "Your time was up when that arrived.",
    Reason.NO_OFFER: "There is no such offer to answer.",
    Reason.OFFER_STANDS: "That is already offered.",
    Reason.NO_CLAIM: "A draw can be claimed after 50 turns in a row without an arrow.",
    Reason.NO_TAKEBACK: "There is no turn of yours that could be taken back.",
    Reason.TOO_LATE_TO_ABORT: "Both have completed a turn: the game can only be resigned.",
    Reason.NOT_GONE: "The other side is there, or has not been gone for long enough.",
    Reason.BUSY: "The server could not save that. Nothing was changed; try again.",
    Reason.UNSURE: "The database does not answer, so it is not known yet whether that was saved.",
    Reason.GONE: "There is nothing at this address.",
    Reason.SIGNED_OUT: "You have been logged out. Nothing was changed; load the page again.",
    Reason.NOT_SUBSCRIBED: "This page does not follow that. Nothing was changed.",
    Reason.TOO_MANY_TOPICS: "This page follows too much at once.",
}


class Refused(Exception):
    """A command or request was refused; nothing was changed.

    Exception: after `UNSURE` the outcome is unknown until the same command is sent again under the
    same id. `code` and `squares` say why an action is illegal; `index` says which of the actions
    was.
    """

    def __init__(
        self,
        reason: Reason,
        *,
        say: str = "",
        code: str | None = None,
        squares: tuple[str, ...] = (),
        index: int = 0,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.say = say or SENTENCES[reason]
        self.code = code
        self.squares = squares
        self.index = index
