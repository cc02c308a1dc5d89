"""How much each level of Pincer may spend, and what it is bad at."""

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
    """What keeps a level from playing its best."""

    depth: int  # single steps seen ahead, captures beyond not counted
    spread: int = 0  # a step that is worse by so much is played a third as often; 0: only the best
    noise: int = 0  # by how much it misjudges a position, at most
    is_material: bool = False  # sees pieces, and nothing of where they stand


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
