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
            Level(4, 8_000, 1.5),
            Level(5, 16_000, 2.0),
            Level(6, 30_000, 2.0),
            Level(7, 60_000, 2.0, needs_numba=True),
            Level(8, 1_000_000, 3.0, needs_numba=True, uses_clock=True),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Handicap:
    """Weaknesses of a level."""

    depth: int  # single steps, without captures beyond the horizon
    lapses: float = 0.0  # share of steps, see `games.players.lapses`; no capture in reply is seen
    noise: int = 0  # largest error of the evaluation
    wall: int = 0  # its weight of a piece at the wall, its only term but pieces; 0: all terms
    is_exact: bool = False  # knows the table of few pieces


HANDICAPS: Final[Mapping[int, Handicap]] = MappingProxyType(
    {
        1: Handicap(1, lapses=1.3, noise=40, wall=8),
        2: Handicap(1, lapses=0.9, noise=40, wall=-2),
        3: Handicap(1, lapses=0.74, noise=30),
        4: Handicap(1, lapses=0.5, noise=10),
        5: Handicap(2, lapses=0.36, noise=8),
        6: Handicap(4, lapses=0.14, noise=3),
        7: Handicap(5, lapses=0.07, noise=2),
        8: Handicap(50, noise=2, is_exact=True),
    }
)
