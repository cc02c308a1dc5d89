"""Budgets and weaknesses of the levels of Amazons. Imports nothing expensive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from games.players.core import Level


@dataclass(frozen=True, slots=True)
class Habit:
    """Weaknesses of a level."""

    lapses: float = 0.0  # share of turns, see `games.players.lapses`
    glances: float = 1.6  # mean number of actions that it looks at in a lapse, at least 1
    knowledge: float = 1.0  # of the evaluation; 0: mobility only, 1: every term
    has_book: bool = False  # opens with turns of `opening_book`, for variety


_LEVELS: Final = (
    Level(1, 10, 3.0),
    Level(2, 30, 3.0),
    Level(3, 60, 3.0),
    Level(4, 150, 3.0),
    Level(5, 500, 3.0, needs_numba=True),
    Level(6, 1_800, 4.0, needs_numba=True),
    Level(7, 7_000, 6.0, needs_numba=True),
    Level(8, 25_000, 10.0, needs_numba=True, uses_clock=True, ponders=True),
)
# Moving and shooting are one action here, so the upper levels have the nodes of two.
_FREE_LEVELS: Final = (
    *_LEVELS[:3],
    replace(_LEVELS[3], nodes=280),
    replace(_LEVELS[4], nodes=1_000),
    replace(_LEVELS[5], nodes=3_700),
    replace(_LEVELS[6], nodes=13_500),
    replace(_LEVELS[7], nodes=50_000),
)
LEVELS: Final[Mapping[str, tuple[Level, ...]]] = MappingProxyType(
    {"amazons": _FREE_LEVELS, "amazons-10x10": _LEVELS, "amazons-8x8": _LEVELS}
)
# Fitted to matches between neighbours and with the model novice: see games/lab/README.md.
_LARGE: Final[Mapping[int, Habit]] = MappingProxyType(
    {
        1: Habit(lapses=1.0, glances=1.4, knowledge=0.0),
        2: Habit(lapses=1.0, glances=1.9, knowledge=0.2),
        3: Habit(lapses=0.75, knowledge=0.7),
        4: Habit(lapses=0.45),
        5: Habit(lapses=0.2),
        6: Habit(lapses=0.11),
        7: Habit(lapses=0.02),
        8: Habit(has_book=True),
    }
)
_FREE: Final[Mapping[int, Habit]] = MappingProxyType(
    {
        1: Habit(lapses=1.0, glances=1.9, knowledge=0.0),
        2: Habit(lapses=0.6, glances=1.6, knowledge=0.6),
        3: Habit(lapses=0.15),
        4: Habit(),
        5: Habit(),
        6: Habit(),
        7: Habit(),
        8: Habit(has_book=True),
    }
)
_SMALL: Final[Mapping[int, Habit]] = MappingProxyType(
    {
        1: Habit(lapses=1.0, glances=1.5, knowledge=0.0),
        2: Habit(lapses=0.86, glances=1.6, knowledge=0.5),
        3: Habit(lapses=0.58),
        4: Habit(lapses=0.33),
        5: Habit(lapses=0.17),
        6: Habit(lapses=0.07),
        7: Habit(lapses=0.02),
        8: Habit(has_book=True),
    }
)
HABITS: Final[Mapping[str, Mapping[int, Habit]]] = MappingProxyType(
    {"amazons": _FREE, "amazons-10x10": _LARGE, "amazons-8x8": _SMALL}
)
