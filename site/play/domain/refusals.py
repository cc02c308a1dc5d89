"""Refusals of the site: a reason code for programs and a sentence for people.

Also the explanation why a square cannot be chosen, from the rules and from what is published: in
games with sealed actions there is none.
"""

from collections.abc import Sequence
from enum import StrEnum

from games.core import BadAction, Role
from games.explain import explain
from play.domain.game_state import GameState
from play.domain.snapshot import Explained


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
    NOT_COUNTED = "not_counted"
    NOT_PARTED = "not_parted"
    NOT_CLAIMABLE = "not_claimable"
    MID_TURN = "mid_turn"
    NO_CLAIMS_LEFT = "no_claims_left"
    NO_TAKEBACK = "no_takeback"
    TOO_LATE_TO_ABORT = "too_late_to_abort"
    NOT_GONE = "not_gone"
    BUSY = "busy"
    UNSURE = "unsure"
    GONE = "gone"
    SIGNED_OUT = "signed_out"
    NOT_SUBSCRIBED = "not_subscribed"
    TOO_MANY_TOPICS = "too_many_topics"
    NO_REPLIES = "no_replies"
    OWN_TURN = "own_turn"
    TOO_MANY_LINES = "too_many_lines"
    LINE_TOO_LONG = "line_too_long"
    LINE_UNFINISHED = "line_unfinished"


SENTENCES = {
    Reason.MALFORMED: "That message couldn’t be read.",
    Reason.TOO_LARGE: "That message is too long.",
    Reason.UNKNOWN_MESSAGE: "Unknown kind of message.",
    Reason.SLOW_DOWN: "Too many messages. Wait a moment.",
    Reason.NOT_SEATED: "You’re watching. Only the two players can do that.",
    Reason.NOT_IN_CONTROL: "It’s not your turn.",
    Reason.STALE_STEP: "The game has moved on.",
    Reason.ALREADY_SEALED: "You’ve already locked in.",
    Reason.CONFLICT: "That id was already used for something else.",
    Reason.BAD_ACTION: "That isn’t a move in this game.",
    Reason.ILLEGAL: "That isn’t allowed here.",
    Reason.OVER: "The game is over.",
    Reason.NO_SHOW: "The game was aborted: a first move was not made in time.",
    Reason.TOO_LATE: "Your time ran out before that arrived.",
    Reason.NO_OFFER: "There’s no offer to answer.",
    Reason.OFFER_STANDS: "There’s already an offer.",
    Reason.NO_CLAIM: "You can claim a draw after 50 moves in a row without an arrow.",
    Reason.NOT_COUNTED: "Squares aren’t counted in this game.",
    Reason.NOT_PARTED: "You can’t count yet: both sides can still reach some of the squares.",
    Reason.NOT_CLAIMABLE: "You can’t claim the win in this game.",
    Reason.MID_TURN: "Finish your move first.",
    Reason.NO_CLAIMS_LEFT: "You’ve used your three claims in this game.",
    Reason.NO_TAKEBACK: "There’s no move to take back.",
    Reason.TOO_LATE_TO_ABORT: "Both players have moved: you can’t abort the game now.",
    Reason.NOT_GONE: "Your opponent hasn’t left, or not for long enough.",
    Reason.BUSY: "The server couldn’t save that. Nothing was changed. Try again.",
    Reason.UNSURE: "The server may not have saved that. Check the board before you try again.",
    Reason.GONE: "There’s nothing at this address.",
    Reason.SIGNED_OUT: "You’ve been logged out. Nothing was changed. Reload the page.",
    Reason.NOT_SUBSCRIBED: "This page isn’t following that. Nothing was changed.",
    Reason.TOO_MANY_TOPICS: "This page is following too many things at once.",
    Reason.NO_REPLIES: "Conditional moves are for slow games in which you take turns.",
    Reason.OWN_TURN: "It’s your turn. Conditional moves are for while you wait.",
    Reason.TOO_MANY_LINES: "You can save at most 5 lines.",
    Reason.LINE_TOO_LONG: "A line has at most 3 moves of yours.",
    Reason.LINE_UNFINISHED: "A line has to end with a whole move of yours.",
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


def explanation(
    game: GameState, role: Role, id: str, step: int, squares: Sequence[str]
) -> Explained:
    """Return why the turn of `role` cannot go on to the last of these squares.

    For a role that waits, the turn is its premove. Raise `Refused` for a step that is not the
    present one, after the end, and where no squares are chosen in the open.
    """
    if game.rules.is_simultaneous:
        raise Refused(Reason.BAD_ACTION)
    if game.ending is not None:
        raise Refused(Reason.OVER)
    if step != game.step:
        raise Refused(Reason.STALE_STEP)
    state = game.state if role in game.control else game.rules.with_turn_of(game.state, role)
    if state is None:
        raise Refused(Reason.NOT_IN_CONTROL)
    try:
        fault = explain(game.rules, state, role, squares)
    except BadAction as error:
        raise Refused(Reason.BAD_ACTION, say=str(error)) from None
    if fault is None:
        return Explained(id=id, code=None, squares=(), say="")
    return Explained(id=id, code=fault.code, squares=fault.squares, say=str(fault))
