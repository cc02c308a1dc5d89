"""The actions that name squares; as squares they hold the ints of `games.grid`.

They are named tuples, which are made in half the time of frozen dataclasses: listing what is legal
makes thousands.
"""

from __future__ import annotations

from typing import NamedTuple

from games.core import Action
from games.grid import COORDINATES, NAMES


class Move(NamedTuple("Move", [("origin", int), ("target", int)]), Action):
    """A piece goes from one square to another: an amazon before its shot, or a step in Pincer."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"move {COORDINATES[self.origin]} {COORDINATES[self.target]}"

    @property
    def way(self) -> str:
        """ "d1-d7"."""
        return f"{NAMES[self.origin]}-{NAMES[self.target]}"


class Fire(NamedTuple("Fire", [("arrow", int)]), Action):
    """The amazon that has just moved shoots."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"fire {COORDINATES[self.arrow]}"


class Play(NamedTuple("Play", [("origin", int), ("target", int), ("arrow", int)]), Action):
    """Move and shot in one; an arrow at the origin means that none is shot."""

    __slots__ = ()

    def __str__(self) -> str:
        at = COORDINATES
        return f"play {at[self.origin]} {at[self.target]} {at[self.arrow]}"

    @property
    def way(self) -> str:
        """ "d1-d7", without the arrow."""
        return f"{NAMES[self.origin]}-{NAMES[self.target]}"
