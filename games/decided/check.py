"""Check of a claim that a game is decided, without a search: plain Python, at most some ms.

The claimant is to move. Let it make the turns of the witness's line, in regions that no amazon and
no arrow of the opponent ever enters (see `regions`): nothing the opponent does makes one of them
illegal. Meanwhile the opponent stays in its own and the shared regions.

- Where every turn burns a square, it has at most as many turns as these have empty squares: a turn
  needs one to move to, and burns one. With one turn more than that, the claimant outlasts it.
- With the free arrow the opponent can go on for ever while it has a single empty square. So nothing
  is decided before it has none, unless the game ends by a count of own squares (`games.counting`):
  then the claimant keeps its arrows and all squares of its own regions, and the opponent can never
  own more than the empty squares of its regions.
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
from games.decided.regions import Sides, sides_of
from games.decided.witness import MAX_LINE_ACTIONS, Witness
from games.grid import names
from games.moves import Fire, Move, Play


class Flaw(StrEnum):
    """Reasons why a claim proves nothing. The values are stable."""

    NO_CLAIMS = "no_claims"  # such games are not decided before their end
    NOT_ON_TURN = "not_on_turn"
    MID_TURN = "mid_turn"  # between a move and its shot
    WRONG_REGIONS = "wrong_regions"  # or a wrong upper bound
    WRONG_LINE = "wrong_line"  # a turn is illegal, or leaves the claimant's regions
    WRONG_COUNT = "wrong_count"  # the lower bound differs from the line or the regions
    NOT_ENOUGH = "not_enough"  # the lower bound is not above the upper one


SENTENCES = {
    Flaw.NO_CLAIMS: "Games like this are not decided before their end.",
    Flaw.NOT_ON_TURN: "Only the role to move may claim.",
    Flaw.MID_TURN: "The move still needs its shot.",
    Flaw.WRONG_REGIONS: "The regions of the witness are not those of the position.",
    Flaw.WRONG_LINE: "A turn of the line is illegal, or is not made in the claimant's own regions.",
    Flaw.WRONG_COUNT: "The lower bound is not that of the line or of the regions.",
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
    """Raise Unproved unless the witness proves that the role, which is to move, wins.

    `is_counted` says whether the game ends by a count of own squares.
    """
    require_turn(rules, state, role)
    if isinstance(rules, Amazons):
        _check_amazons(rules, state, role, witness, is_counted)
    elif witness != blotto_witness(rules, state, role):
        raise Unproved(Flaw.WRONG_COUNT)
    if witness.least <= witness.most:
        raise Unproved(Flaw.NOT_ENOUGH)


def require_turn(rules: Rules[Any], state: Any, role: Role) -> None:
    """Raise Unproved unless the role may claim in this position, at the beginning of its turn."""
    if not has_claims(rules):
        raise Unproved(Flaw.NO_CLAIMS)
    if role not in rules.control(state):
        raise Unproved(Flaw.NOT_ON_TURN)
    if isinstance(rules, Amazons) and state.moved is not None:
        raise Unproved(Flaw.MID_TURN)


def can_be_proved(rules: Rules[Any], state: Any, role: Role) -> bool:
    """Return whether a witness that a role has won may exist; the counts are open to both players.

    `rules` must have claims. Without it there is none: see `find`.
    """
    if isinstance(rules, Amazons):
        sides = sides_of(rules, state, role)
        return sides.own_squares > sides.most
    witness = blotto_witness(rules, state, role)
    return witness.least > witness.most


def region_names(regions: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    """Return the names of the empty squares of each region, as a witness has them."""
    return tuple(names(empty) for _, empty in regions)


def bound_of(rules: Blotto) -> int:
    """Return the most points by which a round of Blotto can change the lead."""
    return max(0, 2 * (rules.fields - 2))


def blotto_witness(rules: Any, state: BlottoState, role: Role) -> Witness:
    """Return the witness that a claim in Blotto has to contain; it may prove nothing."""
    totals = rules.totals(state)
    left = rules.rounds - rules.turns(state)
    return Witness((), (), (), totals[role] - totals[OTHER[role]], bound_of(rules) * left)


def _check_amazons(
    rules: Amazons, state: State, role: Role, witness: Witness, is_counted: bool
) -> None:
    """Raise Unproved unless every statement of the witness is true; do not compare the bounds."""
    sides = sides_of(rules, state, role)
    said = (witness.own, witness.open, witness.most)
    if said != (region_names(sides.own), region_names(sides.open), sides.most):
        raise Unproved(Flaw.WRONG_REGIONS)
    if not rules.split and is_counted:
        if witness.line or witness.least != sides.own_squares:
            raise Unproved(Flaw.WRONG_COUNT)
        return
    if witness.least != _count_turns(rules, state, role, witness.line, sides):
        raise Unproved(Flaw.WRONG_COUNT)
    if not rules.split and sides.most:
        raise Unproved(Flaw.NOT_ENOUGH)


def _count_turns(
    rules: Amazons, state: State, role: Role, line: tuple[str, ...], sides: Sides
) -> int:
    """Return how many turns a line has. Raises Unproved unless the role can make all of them.

    A queen's way leads over empty squares that are connected, so that a turn whose amazon stands in
    an own region ends there, and shoots there.
    """
    if len(line) > MAX_LINE_ACTIONS:
        raise Unproved(Flaw.WRONG_LINE)
    squares = sum(region for region, _ in sides.own)
    state = replace(state, to_move=role, moved=None)
    turns = 0
    for text in line:
        state, made = _play(rules, state, role, text, squares)
        turns += made
    if state.moved is not None:
        raise Unproved(Flaw.WRONG_LINE)
    return turns


def _play(rules: Amazons, state: State, role: Role, text: str, squares: int) -> tuple[State, int]:
    """Return the position after an action, with the same role to move, and 1 if it ends a turn."""
    try:
        action = rules.parse(text)
        rules.check(state, role, action)
    except (BadAction, IllegalAction):
        raise Unproved(Flaw.WRONG_LINE) from None
    if isinstance(action, Move | Play) and not squares >> action.origin & 1:
        raise Unproved(Flaw.WRONG_LINE)
    after = rules.play(state, {role: action})
    if isinstance(action, Fire | Play):
        return replace(after, to_move=role), 1
    return after, 0
