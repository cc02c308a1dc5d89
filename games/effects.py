"""Effects of a step, for animation on boards and spoken announcements.

Squares are human names ("e5"). Each value is JSON-ready: an object with these field names.
Roles are "white" and "black".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Slide:
    """A piece moved from one square to another."""

    role: str
    start: str
    end: str
    kind: Literal["slide"] = "slide"


@dataclass(frozen=True, slots=True)
class Place:
    """An arrow was shot and stays."""

    role: str
    start: str  # square of the amazon
    at: str
    kind: Literal["place"] = "place"


@dataclass(frozen=True, slots=True)
class Remove:
    """A captured run left the board. A piece captured in its row and its column is in two."""

    role: str  # owner of the pieces
    squares: tuple[str, ...]  # left to right, or upwards
    jaws: tuple[str, str]  # low (left or lower) end, high end: "wall" or a square
    axis: Literal["row", "column"]
    kind: Literal["remove"] = "remove"


@dataclass(frozen=True, slots=True)
class Count:
    """A field of Blotto was scored."""

    field: int  # from 0
    troops: Mapping[str, int]  # for each role
    points: Mapping[str, int]  # 2 and 0, or 1 each
    kind: Literal["count"] = "count"


Effect = Slide | Place | Remove | Count
