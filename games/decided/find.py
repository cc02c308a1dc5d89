"""Search for a witness that the role to move has won: regions, and a way to fill its own.

Plain Python with a bound on the work, so that a web process can do it in a thread. It may miss a
witness that exists; what it finds holds, because `check` accepts nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from games.amazons import Amazons, State
from games.core import Role, Rules
from games.decided.check import (
    Flaw,
    Unproved,
    blotto_witness,
    can_be_proved,
    check,
    region_names,
    require_turn,
)
from games.decided.regions import sides_of
from games.decided.witness import Witness
from games.grid import Grid, squares
from games.moves import Fire, Move, Play

MAX_FLOODS: Final = 2_000  # in one search: some 30 ms
EXACT_SQUARES: Final = 7  # empty squares of the largest region that is searched to the end
FEW_NEIGHBOURS: Final = 2  # an arrow with so few empty neighbours is good enough
Turn = tuple[int, int, int]  # squares: origin, target, arrow


def find(rules: Rules[Any], state: Any, role: Role, *, is_counted: bool) -> Witness | None:
    """Return a witness that the role wins, at the beginning of its turn; None if none is found.

    `is_counted` says whether the game ends by a count of own squares.
    """
    try:
        require_turn(rules, state, role)
        if isinstance(rules, Amazons):
            witness = _find_amazons(rules, state, role, is_counted)
        else:
            witness = blotto_witness(rules, state, role)
        check(rules, state, role, witness, is_counted=is_counted)
    except Unproved:
        return None
    return witness


def _find_amazons(rules: Amazons, state: State, role: Role, is_counted: bool) -> Witness:
    """Return the best witness that was found. Raises Unproved if none can exist."""
    if not can_be_proved(rules, state, role):
        raise Unproved(Flaw.NOT_ENOUGH)
    sides = sides_of(rules, state, role)
    line: tuple[str, ...] = ()
    if rules.split or not is_counted:
        turns = sure_turns(rules, state, role)[: sides.most + 1]
        line = tuple(_actions(rules, turns))
        least = len(turns)
    else:
        least = sides.own_squares
    own, open_ = region_names(sides.own), region_names(sides.open)
    return Witness(own, open_, line, least, sides.most)


def _actions(rules: Amazons, turns: tuple[Turn, ...]) -> Iterator[str]:
    """Yield the canonical actions of some turns."""
    for origin, target, arrow in turns:
        if rules.split:
            yield str(Move(origin, target))
            yield str(Fire(arrow))
        else:
            yield str(Play(origin, target, arrow))


def sure_turns(rules: Amazons, state: State, role: Role) -> tuple[Turn, ...]:
    """Return turns that a role can make in its own regions, each of them burning a square.

    Every first part of them is possible too.
    """
    amazons = state.white if role == "white" else state.black
    own = sides_of(rules, state, role).own
    return fill_regions(rules.grid, tuple((amazons & region, empty) for region, empty in own))


@lru_cache(maxsize=64)
def fill_regions(grid: Grid, regions: tuple[tuple[int, int], ...]) -> tuple[Turn, ...]:
    """Return turns in some regions, each given by its amazons and its empty squares.

    Cached: the standing of a position asks for them twice.
    """
    filler = _Filler(grid)
    turns: list[Turn] = []
    for amazons, empty in sorted(regions, key=lambda region: -region[1].bit_count()):
        turns += filler.fill(amazons, empty)
    return tuple(turns)


class _Filler:
    """Fills regions with turns; `floods` bounds the work."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._floods = MAX_FLOODS
        self._longest_by_area: dict[tuple[int, int], tuple[Turn, ...]] = {}

    def fill(self, amazons: int, empty: int) -> list[Turn]:
        """Return turns, by greedy king's moves in a large area and exhaustively in a small one."""
        turns: list[Turn] = []
        while True:
            empty &= self._reachable(amazons, empty)
            if empty.bit_count() <= EXACT_SQUARES:
                return [*turns, *self._longest(amazons, empty)]
            turn = self._greedy_turn(amazons, empty)
            if turn is None:
                return turns
            turns.append(turn)
            amazons, empty = _after(amazons, empty, turn)

    def _reachable(self, amazons: int, empty: int) -> int:
        """Return the empty squares that kings reach from the amazons over empty squares."""
        self._floods -= 1
        around = self._grid.around
        found, newest = 0, amazons
        while newest:
            newest = around(newest) & empty & ~found
            found |= newest
        return found

    def _greedy_turn(self, amazons: int, empty: int) -> Turn | None:
        """Return the turn that leaves most squares within reach, then the fewest neighbours.

        The first that leaves all of them and has an arrow with few empty neighbours is taken.
        """
        around = self._grid.around
        best, most = None, (-1, 0)
        perfect = empty.bit_count() - 1
        for turn in self._king_turns(amazons, empty):
            left, open_ = _after(amazons, empty, turn)
            neighbours = (around(1 << turn[2]) & open_).bit_count()
            if most[0] == perfect and neighbours >= -most[1]:
                continue  # it can be no better
            rank = (self._reachable(left, open_).bit_count(), -neighbours)
            if rank > most:
                best, most = turn, rank
            if (rank[0] == perfect and neighbours <= FEW_NEIGHBOURS) or self._floods <= 0:
                break
        return best

    def _king_turns(self, amazons: int, empty: int) -> Iterator[Turn]:
        """Yield the turns that move and shoot one square far."""
        around = self._grid.around
        for origin in squares(amazons):
            for target in squares(around(1 << origin) & empty):
                left = empty ^ (1 << origin | 1 << target)
                for arrow in squares(around(1 << target) & left):
                    yield origin, target, arrow

    def _queen_turns(self, amazons: int, empty: int) -> Iterator[Turn]:
        """Yield all turns of a role that is alone among these squares."""
        grid = self._grid
        all_ = grid.board | grid.wall
        for origin in squares(amazons):
            for target in squares(grid.reach(origin, all_ ^ empty)):
                left = empty ^ (1 << origin | 1 << target)
                for arrow in squares(grid.reach(target, all_ ^ left)):
                    yield origin, target, arrow

    def _longest(self, amazons: int, empty: int) -> tuple[Turn, ...]:
        """Return the longest sequence of turns, or the longest that was found in time."""
        empty &= self._reachable(amazons, empty)
        key = amazons, empty
        if key in self._longest_by_area:
            return self._longest_by_area[key]
        best: tuple[Turn, ...] = ()
        for turn in self._queen_turns(amazons, empty):
            rest = self._longest(*_after(amazons, empty, turn))
            if len(rest) >= len(best):
                best = (turn, *rest)
            if len(best) == empty.bit_count() or self._floods <= 0:
                break
        self._longest_by_area[key] = best
        return best


def _after(amazons: int, empty: int, turn: Turn) -> tuple[int, int]:
    """Return the amazons and the empty squares after a turn."""
    origin, target, arrow = (1 << square for square in turn)
    return amazons ^ (origin | target), (empty | origin) & ~(target | arrow)
