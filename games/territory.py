"""Territory in Amazons: which squares each role reaches first by queen moves.

The measure is the queen distance of the literature on Amazons: J. Lieberum, "An evaluation function
for the game of amazons", Theoretical Computer Science 349 (2005), section 3, there D1. It is an
estimate of who is ahead, not a rule: no result depends on it.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.amazons import Amazons, State
from games.grid import Grid, squares


@dataclass(frozen=True, slots=True)
class Territory:
    """The empty squares of a board in four disjoint sets; sets are ints as in `games.grid`."""

    white: int  # white's distance is smaller
    black: int  # black's distance is smaller
    contested: int  # both distances are equal
    unreached: int  # neither role ever reaches them


def territory(rules: Amazons, state: State) -> Territory:
    """Return the territory of a position.

    The distance of a role to an empty square is the least number of queen moves, over empty
    squares, that any of its amazons needs to get there; it is infinite where none can. The smaller
    distance owns the square. Equal distances leave it contested, also for the role to move: the
    tempo does not count, so a position and the same one with the other role to move have the same
    territory. Before the shot of a split turn the board counts as it stands.
    """
    grid = rules.grid
    empty = grid.board & ~(state.white | state.black | state.burnt)
    white, black = (_distances(grid, role, empty) for role in (state.white, state.black))
    owned = {"white": 0, "black": 0, "contested": 0}
    seen_white = seen_black = 0
    for index in range(max(len(white), len(black))):
        new_white = white[index] if index < len(white) else 0
        new_black = black[index] if index < len(black) else 0
        owned["contested"] |= new_white & new_black
        owned["white"] |= new_white & ~new_black & ~seen_black
        owned["black"] |= new_black & ~new_white & ~seen_white
        seen_white |= new_white
        seen_black |= new_black
    return Territory(**owned, unreached=empty & ~(seen_white | seen_black))


def are_separated(rules: Amazons, state: State) -> bool:
    """Return whether no empty square is within reach of both roles, in any number of turns.

    Amazons count as walls, so a border that only an amazon holds parts the roles too.
    """
    grid = rules.grid
    empty = grid.board & ~(state.white | state.black | state.burnt)
    return not grid.flood(state.white, empty) & grid.flood(state.black, empty)


def _distances(grid: Grid, amazons: int, empty: int) -> list[int]:
    """Return the sets of empty squares at distance 1, 2, … of a role."""
    blocked = (grid.board | grid.wall) & ~empty
    layers: list[int] = []
    seen, newest = 0, amazons
    while newest:
        reached = 0
        for square in squares(newest):
            reached |= grid.reach(square, blocked)
        newest = reached & ~seen
        seen |= newest
        if newest:
            layers.append(newest)
    return layers
