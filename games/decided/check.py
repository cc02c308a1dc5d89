"""Check of a witness, without a search and without trust in whoever made it: at most some ms.

Squares without an arrow that are connected by king's moves form a region. Arrows alone are walls:
an amazon can move away, so it holds nothing closed. Arrows never disappear and nothing crosses
them, so an amazon stays in its region for ever, and no arrow is shot into another one. A set of
squares is closed if it holds every region that it touches. In Amazons a witness has two closed
sets: `own` has no amazon of the opponent, `open` has all of them.

Let the role make the turns of its line, in `own`: nothing the opponent does makes one of them
illegal. Meanwhile the opponent stays in `open`.

- Where every turn burns a square, the opponent has at most as many turns as `open` has empty
  squares: a turn needs one to move to, and burns one. Also the shot that is left of a turn burns
  one. With one turn more than that the role outlasts it, with as many if the opponent is to move.
- With the free arrow the opponent can go on for ever while it has a single empty square. So nothing
  is decided before it has none, unless the game ends by a count of own squares (`games.counting`):
  then the role keeps its arrows and all empty squares of `own`, whose regions all have an amazon of
  it, and the opponent can never own more than the empty squares of `open`.
- In Blotto both have equally many troops, so nobody wins all fields of a round: at best the
  opponent wins all but one, with two points for each, and loses that one.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any

from games.amazons import Amazons, State
from games.blotto import Blotto
from games.blotto import State as BlottoState
from games.core import OTHER, BadAction, IllegalAction, Role, Rules
from games.decided.witness import MAX_LINE_ACTIONS, Witness
from games.grid import names
from games.moves import Fire, Move, Play


class Flaw(StrEnum):
    """Reasons why a witness proves nothing. The values are stable."""

    NO_CLAIMS = "no_claims"  # such games are not decided before their end
    OVER = "over"
    MID_TURN = "mid_turn"  # the role has moved and not shot
    WRONG_SQUARES = "wrong_squares"  # `own` or `open` is no closed set, or has the wrong amazons
    WRONG_LINE = "wrong_line"  # a turn is illegal, or leaves `own`
    WRONG_COUNT = "wrong_count"  # a bound differs from the line or the squares
    NOT_ENOUGH = "not_enough"  # the lower bound is not above the upper one


SENTENCES = {
    Flaw.NO_CLAIMS: "Games like this are not decided before their end.",
    Flaw.OVER: "The game is over.",
    Flaw.MID_TURN: "The move still needs its shot.",
    Flaw.WRONG_SQUARES: "The own or the open squares of the witness are not those of a role.",
    Flaw.WRONG_LINE: "A turn of the line is illegal, or is not made in the role's own squares.",
    Flaw.WRONG_COUNT: "A bound is not that of the line or of the squares.",
    Flaw.NOT_ENOUGH: "The lower bound is not above the upper bound.",
}


class Unproved(ValueError):
    """A claim that does not hold; `str` says why in English."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(SENTENCES[flaw])
        self.flaw = flaw


def has_claims(rules: Rules[Any]) -> bool:
    """Return whether games of these rules can be decided before their end."""
    return isinstance(rules, Amazons | Blotto)


def check(rules: Rules[Any], state: Any, role: Role, witness: Witness, *, is_counted: bool) -> None:
    """Raise Unproved unless the witness proves that the role wins, whichever role is to move.

    `is_counted` says whether the game ends by a count of own squares.
    """
    require_start(rules, state, role)
    if isinstance(rules, Amazons):
        _check_amazons(rules, state, role, witness, is_counted)
    elif witness != blotto_witness(rules, state, role):
        raise Unproved(Flaw.WRONG_COUNT)
    if witness.least < least_to_win(rules, state, role, witness.most):
        raise Unproved(Flaw.NOT_ENOUGH)


def require_start(rules: Rules[Any], state: Any, role: Role) -> None:
    """Raise Unproved unless a role may have a proof in this position: not within its own turn."""
    if not has_claims(rules):
        raise Unproved(Flaw.NO_CLAIMS)
    if not rules.control(state):
        raise Unproved(Flaw.OVER)
    if is_mid_turn(rules, state) and state.to_move == role:
        raise Unproved(Flaw.MID_TURN)


def is_mid_turn(rules: Rules[Any], state: Any) -> bool:
    """Return whether the role to move has made a move that still needs its shot."""
    return isinstance(rules, Amazons) and state.moved is not None


def least_to_win(rules: Rules[Any], state: Any, role: Role, most: int) -> int:
    """Return the lower bound with which a role wins against an upper bound of the opponent."""
    goes_second = isinstance(rules, Amazons) and rules.split and state.to_move != role
    return most if goes_second else most + 1


def bound_of(rules: Blotto) -> int:
    """Return the most points by which a round of Blotto can change the lead."""
    return max(0, 2 * (rules.fields - 2))


def blotto_witness(rules: Any, state: BlottoState, role: Role) -> Witness:
    """Return the witness that a claim in Blotto has to contain; it may prove nothing."""
    totals = rules.totals(state)
    left = rules.rounds - rules.turns(state)
    return Witness("", "", (), totals[role] - totals[OTHER[role]], bound_of(rules) * left)


def _check_amazons(
    rules: Amazons, state: State, role: Role, witness: Witness, is_counted: bool
) -> None:
    """Raise Unproved unless every statement of the witness is true; do not compare the bounds."""
    amazons = {"white": state.white, "black": state.black}
    mine, theirs = amazons[role], amazons[OTHER[role]]
    own = _read_closed(rules, state, witness.own)
    open_ = _read_closed(rules, state, witness.open)
    if own & theirs or theirs & ~open_ or rules.grid.flood(own & mine, own) != own:
        raise Unproved(Flaw.WRONG_SQUARES)
    if witness.most != (open_ & ~(mine | theirs)).bit_count():
        raise Unproved(Flaw.WRONG_COUNT)
    if not rules.split and is_counted:
        if witness.line or witness.least != (own & ~mine).bit_count():
            raise Unproved(Flaw.WRONG_COUNT)
        return
    if witness.least != _count_turns(rules, state, role, witness.line, own):
        raise Unproved(Flaw.WRONG_COUNT)
    if not rules.split and witness.most:
        raise Unproved(Flaw.NOT_ENOUGH)


def _read_closed(rules: Amazons, state: State, text: str) -> int:
    """Return the set of squares in a text. Raises Unproved unless it is closed."""
    grid, unburnt = rules.grid, rules.grid.board & ~state.burnt
    try:
        closed = grid.set_of(text)
    except KeyError:
        raise Unproved(Flaw.WRONG_SQUARES) from None
    if names(closed) != text or closed & ~unburnt or grid.around(closed) & unburnt & ~closed:
        raise Unproved(Flaw.WRONG_SQUARES)
    return closed


def _count_turns(rules: Amazons, state: State, role: Role, line: tuple[str, ...], own: int) -> int:
    """Return how many turns a line has. Raises Unproved unless the role can make all of them.

    A queen's way leads over empty squares that are connected, so that a turn whose amazon stands in
    a closed set ends there, and shoots there.
    """
    if len(line) > MAX_LINE_ACTIONS:
        raise Unproved(Flaw.WRONG_LINE)
    state = replace(state, to_move=role, moved=None)
    turns = 0
    for text in line:
        state, made = _play(rules, state, role, text, own)
        turns += made
    if state.moved is not None:
        raise Unproved(Flaw.WRONG_LINE)
    return turns


def _play(rules: Amazons, state: State, role: Role, text: str, own: int) -> tuple[State, int]:
    """Return the position after an action, with the same role to move, and 1 if it ends a turn."""
    try:
        action = rules.parse(text)
        rules.check(state, role, action)
    except (BadAction, IllegalAction):
        raise Unproved(Flaw.WRONG_LINE) from None
    if isinstance(action, Move | Play) and not own >> action.origin & 1:
        raise Unproved(Flaw.WRONG_LINE)
    after = rules.play(state, {role: action})
    if isinstance(action, Fire | Play):
        return replace(after, to_move=role), 1
    return after, 0
