"""Actions that name squares, as ints of `games.grid`.

Named tuples are created in half the time of frozen dataclasses, and listing the legal actions
creates thousands.
"""

from __future__ import annotations

from typing import NamedTuple

from games.core import Action
from games.grid import COORDINATES, NAMES


class Move(NamedTuple("Move", [("origin", int), ("target", int)]), Action):
    """Move of a piece: of an amazon before its shot, or a single move in Pincer."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"move {COORDINATES[self.origin]} {COORDINATES[self.target]}"

    @property
    def way(self) -> str:
        """ "d1-d7"."""
        return f"{NAMES[self.origin]}-{NAMES[self.target]}"


class Fire(NamedTuple("Fire", [("arrow", int)]), Action):
    """Shot of the amazon that has just moved."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"fire {COORDINATES[self.arrow]}"


class Play(NamedTuple("Play", [("origin", int), ("target", int), ("arrow", int)]), Action):
    """Move and shot in one action; an arrow at the origin means no shot."""

    __slots__ = ()

    def __str__(self) -> str:
        at = COORDINATES
        return f"play {at[self.origin]} {at[self.target]} {at[self.arrow]}"

    @property
    def way(self) -> str:
        """ "d1-d7", without the arrow."""
        return f"{NAMES[self.origin]}-{NAMES[self.target]}"
