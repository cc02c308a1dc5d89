"""How much each level may spend; all are quick, and what tells them apart is in `characters`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.players.core import Level

LEVELS: Final[Mapping[str, tuple[Level, ...]]] = {
    "blotto": tuple(Level(number, nodes=66, seconds=1.0) for number in range(1, 9)),
}
