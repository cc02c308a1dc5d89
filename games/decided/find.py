"""Search for a witness that a role wins: its own squares, and a way to fill them.

It may miss a witness that exists; what it finds holds, because `check` accepts nothing else. The
work is bounded, so that a web process can do it in a thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.amazons import Amazons, State
from games.core import Role, Rules
from games.counting import regions_of
from games.decided.check import Unproved, blotto_witness, check, least_to_win, require_start
from games.decided.fill import Turn, fill_regions
from games.decided.witness import Witness
from games.grid import names
from games.moves import Fire, Move, Play


@dataclass(frozen=True, slots=True)
class Sides:
    """The board of Amazons as one role sees it; sets of squares are ints as in `games.grid`."""

    own: int  # squares that only amazons of the role can ever reach, with these amazons
    open: int  # squares that amazons of the opponent can ever reach, with theirs
    empty: int

    @property
    def own_squares(self) -> int:
        """The number of empty squares in `own`."""
        return (self.own & self.empty).bit_count()

    @property
    def most(self) -> int:
        """The number of empty squares in `open`: the opponent burns one in each turn."""
        return (self.open & self.empty).bit_count()


def sides_of(rules: Amazons, state: State, role: Role) -> Sides:
    """Return the sides of a role. Before the shot of a split turn the board counts as it is."""
    mine, theirs = state.white, state.black
    if role == "black":
        mine, theirs = theirs, mine
    grid, unburnt = rules.grid, rules.grid.board & ~state.burnt
    open_ = grid.flood(theirs, unburnt)
    return Sides(grid.flood(mine, unburnt) & ~open_, open_, unburnt & ~(mine | theirs))


def find(rules: Rules[Any], state: Any, role: Role, *, is_counted: bool) -> Witness | None:
    """Return a witness that the role wins, whichever role is to move; None if none is found.

    `is_counted` says whether the game ends by a count of own squares.
    """
    try:
        require_start(rules, state, role)
        if not can_be_proved(rules, state, role):
            return None
        if isinstance(rules, Amazons):
            witness = _find_amazons(rules, state, role, is_counted)
        else:
            witness = blotto_witness(rules, state, role)
        check(rules, state, role, witness, is_counted=is_counted)
    except Unproved:
        return None
    return witness


def can_be_proved(rules: Rules[Any], state: Any, role: Role) -> bool:
    """Return whether a witness that a role wins may exist; the counts are open to both players.

    `rules` must have claims. Without it there is none: see `find`.
    """
    if isinstance(rules, Amazons):
        sides = sides_of(rules, state, role)
        least, most = sides.own_squares, sides.most
    else:
        witness = blotto_witness(rules, state, role)
        least, most = witness.least, witness.most
    return least >= least_to_win(rules, state, role, most)


def _find_amazons(rules: Amazons, state: State, role: Role, is_counted: bool) -> Witness:
    """Return the best witness that was found; it may prove nothing."""
    sides = sides_of(rules, state, role)
    line: tuple[str, ...] = ()
    least = sides.own_squares
    if rules.split or not is_counted:
        enough = least_to_win(rules, state, role, sides.most)
        turns = sure_turns(rules, state, role)[:enough]
        line, least = tuple(_actions(rules, turns)), len(turns)
    return Witness(names(sides.own), names(sides.open), line, least, sides.most)


def _actions(rules: Amazons, turns: tuple[Turn, ...]) -> Iterator[str]:
    """Yield the canonical actions of some turns."""
    for origin, target, arrow in turns:
        if rules.split:
            yield str(Move(origin, target))
            yield str(Fire(arrow))
        else:
            yield str(Play(origin, target, arrow))


def sure_turns(rules: Amazons, state: State, role: Role) -> tuple[Turn, ...]:
    """Return turns that a role can make in its own squares, each of them burning a square.

    Every first part of them is possible too.
    """
    sides = sides_of(rules, state, role)
    regions = [
        (region & ~sides.empty, region & sides.empty)
        for region in regions_of(rules.grid, sides.own)
        if region & sides.empty
    ]
    return fill_regions(rules.grid, tuple(regions))
