"""Proof that the role to move has lost a game of Amazons: the areas are separated and counted.

Once no amazon can ever meet one of the other role, each role fills its own areas. Where every turn
burns a square, the empty squares of its areas bound the turns that a role can still make. A way to
fill the other role's areas, found by trying, bounds that role's turns from below. The role to move
has lost if its bound is no larger: it runs out of turns first.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.amazons import Amazons, State
from games.grid import Grid, squares


def is_lost(rules: Amazons, state: State) -> bool:
    """Return whether the role to move loses, whatever both roles do.

    False proves nothing. It is always False where the arrow is optional: there a turn need not burn
    a square.
    """
    if not rules.split:
        return False
    grid = rules.grid
    own, theirs = (
        (state.white, state.black) if state.to_move == "white" else (state.black, state.white)
    )
    empty = grid.board & ~(own | theirs | state.burnt)
    own_areas, their_areas = list(_areas(grid, own, empty)), list(_areas(grid, theirs, empty))
    if any(grid.around(area) & theirs for area in own_areas):
        return False
    if any(grid.around(area) & own for area in their_areas):
        return False
    most = sum((area & empty).bit_count() for area in own_areas)
    least = 0
    for area in their_areas:
        least += _fill(grid, theirs & area, empty & area, most - least)
    return least >= most


def _areas(grid: Grid, amazons: int, empty: int) -> Iterator[int]:
    """Yield the areas of a role: connected squares that are empty or its own, some of them empty.

    An amazon without an empty square in its area never moves as long as no neighbour does.
    """
    left = amazons
    while left:
        area = _spread(grid, left & -left, amazons | empty)
        left &= ~area
        if area & empty:
            yield area


def _spread(grid: Grid, seeds: int, open_: int) -> int:
    """Return the squares of a set that kings reach from some seeds, with the seeds."""
    while True:
        grown = seeds | grid.around(seeds) & open_
        if grown == seeds:
            return seeds
        seeds = grown


def _fill(grid: Grid, amazons: int, empty: int, enough: int) -> int:
    """Return how many turns one way to fill an area takes, up to `enough`; a lower bound.

    Each turn is the first that leaves every square within reach, else the one that leaves most.
    """
    turns = 0
    while turns < enough:
        best, after = -1, (0, 0)
        for option in _king_turns(grid, amazons, empty):
            left = (_spread(grid, option[0], option[0] | option[1]) & option[1]).bit_count()
            if left > best:
                best, after = left, option
            if left == empty.bit_count() - 1:
                break
        if best < 0:
            break
        turns, (amazons, empty) = turns + 1, after
    return turns


def _king_turns(grid: Grid, amazons: int, empty: int) -> Iterator[tuple[int, int]]:
    """Yield amazons and empty squares after each turn that moves and shoots one square far."""
    for origin in squares(amazons):
        for target in squares(grid.around(1 << origin) & empty):
            moved = amazons ^ (1 << origin | 1 << target)
            free = empty ^ (1 << origin | 1 << target)
            for arrow in squares(grid.around(1 << target) & free):
                yield moved, free ^ 1 << arrow
