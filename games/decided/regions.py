"""Regions of a position of Amazons as one role sees them: its own, and the opponent's.

A region is a set of squares without an arrow, connected by king's moves. Arrows alone are walls:
an amazon can move away, so it holds nothing closed. Arrows never disappear and nothing crosses
them, so an amazon stays in its region for ever, and no arrow is shot into another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.amazons import Amazons, State
from games.core import Role
from games.counting import regions_of
from games.grid import Grid


@dataclass(frozen=True, slots=True)
class Sides:
    """The regions of a role; sets are ints as in `games.grid`. Those without amazons are left out.

    Each is (all of its squares, the empty ones). Only regions with an empty square are listed.
    """

    own: tuple[tuple[int, int], ...]  # only amazons of the role stand there
    open: tuple[tuple[int, int], ...]  # amazons of the opponent stand there, perhaps of both

    @property
    def most(self) -> int:
        """The empty squares of `open`: the opponent burns one in each turn, and no others."""
        return sum(empty.bit_count() for _, empty in self.open)

    @property
    def own_squares(self) -> int:
        """The empty squares of `own`."""
        return sum(empty.bit_count() for _, empty in self.own)


def sides_of(rules: Amazons, state: State, role: Role) -> Sides:
    """Return the regions of a role. Before the shot of a split turn the board counts as it is."""
    own, theirs = state.white, state.black
    if role == "black":
        own, theirs = theirs, own
    return _sides(rules.grid, own, theirs, state.burnt)


@lru_cache(maxsize=256)
def _sides(grid: Grid, own: int, theirs: int, burnt: int) -> Sides:
    """Cached: a claim is searched, then checked."""
    mine: list[tuple[int, int]] = []
    open_: list[tuple[int, int]] = []
    for region in regions_of(grid, grid.board & ~burnt):
        empty = region & ~(own | theirs)
        if not empty or not region & (own | theirs):
            continue
        (open_ if region & theirs else mine).append((region, empty))
    return Sides(tuple(mine), tuple(open_))
