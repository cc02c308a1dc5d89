"""Budgets and weaknesses of the levels of Pincer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from games.players.core import Level

LEVELS: Final[Mapping[str, tuple[Level, ...]]] = MappingProxyType(
    {
        "pincer": (
            Level(1, 500, 1.0),
            Level(2, 1_000, 1.0),
            Level(3, 4_000, 1.5),
            Level(4, 8_000, 1.5, resigns=True),
            Level(5, 16_000, 2.0, resigns=True),
            Level(6, 30_000, 2.0, resigns=True),
            Level(7, 60_000, 2.0, needs_numba=True, resigns=True),
            Level(8, 1_000_000, 3.0, needs_numba=True, resigns=True),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Handicap:
    """Weaknesses of a level."""

    depth: int  # single steps, without captures beyond the horizon
    spread: int = 0  # a step worse by this is played 1/e as often; 0: best only
    noise: int = 0  # largest error of the evaluation
    is_material: bool = False  # evaluates material only


HANDICAPS: Final[Mapping[int, Handicap]] = MappingProxyType(
    {
        1: Handicap(1, spread=60, noise=8, is_material=True),
        2: Handicap(1, spread=20, noise=8),
        3: Handicap(2, spread=10, noise=4),
        4: Handicap(3, noise=6),
        5: Handicap(4, noise=3),
        6: Handicap(5, noise=2),
        7: Handicap(7, noise=2),
        8: Handicap(50, noise=2),
    }
)
