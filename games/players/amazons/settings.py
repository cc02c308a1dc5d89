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

    temper: float = 0.0  # 0: the best action; else one by softmax of its value / temper
    # With optional arrows: always shoot, even if that shuts the side in. Otherwise omit arrows once
    # the sides are separated and it is not ahead, so that it never runs out of turns. Omitting them
    # sooner would make territory worthless: two such players draw nearly every game.
    always_shoots: bool = True


_LEVELS: Final = (
    Level(1, 10, 3.0),
    Level(2, 20, 3.0),
    Level(3, 50, 3.0),
    Level(4, 150, 3.0, resigns=True),
    Level(5, 600, 3.0, needs_numba=True, resigns=True),
    Level(6, 2_200, 4.0, needs_numba=True, resigns=True),
    Level(7, 8_000, 6.0, needs_numba=True, resigns=True),
    Level(8, 25_000, 10.0, needs_numba=True, resigns=True),
)
LEVELS: Final[Mapping[str, tuple[Level, ...]]] = MappingProxyType(
    {
        # The side with less territory could draw by omitting arrows; all but the last level resign.
        "amazons": tuple(replace(level, resigns=level.number < 8) for level in _LEVELS),
        "amazons-10x10": _LEVELS,
        "amazons-8x8": _LEVELS,
    }
)
HABITS: Final[Mapping[int, Habit]] = MappingProxyType(
    {
        1: Habit(temper=0.4),
        2: Habit(temper=0.2),
        3: Habit(temper=0.1),
        4: Habit(temper=0.04),
        **{number: Habit() for number in range(5, 8)},
        8: Habit(always_shoots=False),
    }
)
