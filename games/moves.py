"""The actions that name squares; as squares they hold the ints of `games.grid`."""

from __future__ import annotations

from dataclasses import dataclass

from games.core import Action
from games.grid import COORDINATES, NAMES


@dataclass(frozen=True, slots=True)
class Move(Action):
    """A piece goes from one square to another: an amazon before its shot, or a step in Pincer."""

    origin: int
    target: int

    def __str__(self) -> str:
        return f"move {COORDINATES[self.origin]} {COORDINATES[self.target]}"

    @property
    def way(self) -> str:
        """ "d1-d7"."""
        return f"{NAMES[self.origin]}-{NAMES[self.target]}"


@dataclass(frozen=True, slots=True)
class Fire(Action):
    """The amazon that has just moved shoots."""

    arrow: int

    def __str__(self) -> str:
        return f"fire {COORDINATES[self.arrow]}"


@dataclass(frozen=True, slots=True)
class Play(Action):
    """Move and shot in one; an arrow at the origin means that none is shot."""

    origin: int
    target: int
    arrow: int

    def __str__(self) -> str:
        at = COORDINATES
        return f"play {at[self.origin]} {at[self.target]} {at[self.arrow]}"

    @property
    def way(self) -> str:
        """ "d1-d7", without the arrow."""
        return f"{NAMES[self.origin]}-{NAMES[self.target]}"
