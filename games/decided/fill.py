"""Fill regions of Amazons in which one role is alone with as many turns as a bounded search finds.

Plain Python, some 30 ms at most. What it finds can be played; it may miss a longer way.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from games.grid import Grid, squares

MAX_FLOODS: Final = 2_000  # in one search: some 30 ms
EXACT_SQUARES: Final = 7  # empty squares of the largest region that is searched to the end
FEW_NEIGHBOURS: Final = 2  # an arrow with so few empty neighbours is good enough
Turn = tuple[int, int, int]  # squares: origin, target, arrow


def turns_alone(grid: Grid, amazons: int, empty: int) -> Iterator[Turn]:
    """Yield all turns of a role that is alone among these squares."""
    all_ = grid.board | grid.wall
    for origin in squares(amazons):
        for target in squares(grid.reach(origin, all_ ^ empty)):
            left = empty ^ (1 << origin | 1 << target)
            for arrow in squares(grid.reach(target, all_ ^ left)):
                yield origin, target, arrow


def after_turn(amazons: int, empty: int, turn: Turn) -> tuple[int, int]:
    """Return the amazons and the empty squares after a turn."""
    origin, target, arrow = (1 << square for square in turn)
    return amazons ^ (origin | target), (empty | origin) & ~(target | arrow)


@lru_cache(maxsize=64)
def fill_regions(grid: Grid, regions: tuple[tuple[int, int], ...]) -> tuple[Turn, ...]:
    """Return turns in some regions, each given by its amazons and its empty squares.

    Cached: the proven facts of a position ask for them twice.
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
            amazons, empty = after_turn(amazons, empty, turn)

    def _reachable(self, amazons: int, empty: int) -> int:
        """Return the empty squares that kings reach from the amazons over empty squares."""
        self._floods -= 1
        return self._grid.flood(amazons, empty)

    def _greedy_turn(self, amazons: int, empty: int) -> Turn | None:
        """Return the turn that leaves most squares within reach, then the fewest neighbours.

        The first that leaves all of them and has an arrow with few empty neighbours is taken.
        """
        around = self._grid.around
        best, most = None, (-1, 0)
        perfect = empty.bit_count() - 1
        for turn in self._king_turns(amazons, empty):
            left, open_ = after_turn(amazons, empty, turn)
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

    def _longest(self, amazons: int, empty: int) -> tuple[Turn, ...]:
        """Return the longest sequence of turns, or the longest that was found in time."""
        empty &= self._reachable(amazons, empty)
        key = amazons, empty
        if key in self._longest_by_area:
            return self._longest_by_area[key]
        best: tuple[Turn, ...] = ()
        for turn in turns_alone(self._grid, amazons, empty):
            rest = self._longest(*after_turn(amazons, empty, turn))
            if len(rest) >= len(best):
                best = (turn, *rest)
            if len(best) == empty.bit_count() or self._floods <= 0:
                break
        self._longest_by_area[key] = best
        return best
