"""Budgets of the levels of Blotto; all are quick, their differences are in `characters`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.players.core import Level

LEVELS: Final[Mapping[str, tuple[Level, ...]]] = {
    "blotto": tuple(Level(number, nodes=66, seconds=1.0) for number in range(1, 9)),
}
