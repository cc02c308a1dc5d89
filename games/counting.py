"""Count of own squares in Amazons: which squares only one role can ever reach.

A region is a set of squares without an arrow that are connected by king's moves. Amazons count as
open squares, because they can move away. Arrows never disappear and nothing crosses them, so an
amazon stays in its region for ever, and regions only become smaller. An empty square of a region
in which amazons of one role stand is therefore that role's own: the other role can never reach it.

The sides are parted when no empty square lies in a region with amazons of both roles. From then on
no turn of a role changes what is the other's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeGuard

from games.amazons import Amazons, State
from games.core import Role, Rules
from games.grid import Grid, names

MAX_QUIET_TURNS: Final = 10  # in a row without an arrow; then a counted game ends
MAX_TURNS: Final = 400  # after which a counted game ends


@dataclass(frozen=True, slots=True)
class Region:
    """The empty squares of a region, and the role that owns them."""

    squares: int  # a set as in `games.grid`, not empty
    role: Role | None  # None: amazons of both roles stand in it, or none


@dataclass(frozen=True, slots=True)
class TerritoryCount:
    """The regions of a position, and how many empty squares are each role's own."""

    regions: tuple[Region, ...]
    white: int
    black: int
    is_parted: bool

    @property
    def winner(self) -> Role | None:
        """The role with more own squares; None if both have the same number."""
        return None if self.white == self.black else "white" if self.white > self.black else "black"


def may_be_counted(rules: Rules[Any]) -> TypeGuard[Amazons]:
    """Return whether games of these rules can end by a count: only where an arrow is optional.

    Elsewhere the rules themselves end a game: every turn leaves a square fewer.
    """
    return isinstance(rules, Amazons) and not rules.split


def count_territory(rules: Amazons, state: State) -> TerritoryCount:
    """Return the regions of a position with at least one empty square, and the count."""
    return _count(rules.grid, state.white, state.black, state.burnt)


def as_json(count: TerritoryCount) -> dict[str, Any]:
    """Return a count in the JSON format of the ledger and the pages: two numbers, and regions.

    Each region is its role (null: nobody's) and the names of its empty squares.
    """
    return {
        "white": count.white,
        "black": count.black,
        "regions": [
            {"role": region.role, "squares": names(region.squares)} for region in count.regions
        ],
    }


def limit_reason(quiet: int, turns: int) -> str | None:
    """Return the reason for which a counted game ends by itself; None while it goes on.

    `quiet` turns in a row were without an arrow, both roles counted; `turns` are completed.
    """
    if quiet >= MAX_QUIET_TURNS:
        return "counted_quiet"
    return "counted_long" if turns >= MAX_TURNS else None


@lru_cache(maxsize=1024)
def _count(grid: Grid, white: int, black: int, burnt: int) -> TerritoryCount:
    """Cached: a position is counted when it is decided, and shown to several audiences."""
    amazons = white | black
    regions: list[Region] = []
    own: Mapping[Role | None, list[int]] = {"white": [], "black": [], None: []}
    is_parted = True
    for region in regions_of(grid, grid.board & ~burnt):
        squares = region & ~amazons
        if not squares:
            continue
        role = _owner(bool(region & white), bool(region & black))
        is_parted &= not (region & white and region & black)
        regions.append(Region(squares, role))
        own[role].append(squares.bit_count())
    return TerritoryCount(tuple(regions), sum(own["white"]), sum(own["black"]), is_parted)


def _owner(has_white: bool, has_black: bool) -> Role | None:
    if has_white == has_black:
        return None
    return "white" if has_white else "black"


def regions_of(grid: Grid, unburnt: int) -> Iterator[int]:
    """Yield the sets of squares that are connected by king's moves, by their lowest square."""
    while unburnt:
        region = unburnt & -unburnt
        while (wider := grid.around(region) & unburnt) != region:
            region = wider
        yield region
        unburnt &= ~region
