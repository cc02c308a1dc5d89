"""Choice of the few actions that a level of Amazons looks at in a lapse."""

from __future__ import annotations

from math import log
from random import Random
from typing import Any, Final

import numpy as np

from games.players.amazons.flood import ROW_STRIDE_BITS
from games.players.amazons.position import Position

NEAR_CELLS: Final = 2.0  # king moves over which attention falls to 1/e


def pick_glanced(position: Position, actions: Any, glances: float, rng: Random) -> Any:
    """Return the indices of the actions that are looked at, in order.

    They are around an own amazon, after a move the one that moved. `glances` is the mean number.
    """
    focus = position.move & 127
    if position.move < 0:
        focus = rng.choice([cell for cell in range(128) if position.own >> cell & 1])
    reach = np.array([_distance(int(act), position.move < 0, focus) for act in actions])
    # Weighted sampling without replacement (P. Efraimidis and P. Spirakis, 2006).
    lots = np.array([log(1.0 - rng.random()) for _ in range(len(actions))])
    lots *= np.exp(reach / NEAR_CELLS)
    count = max(1, int(glances) + (rng.random() < glances % 1.0))
    return np.sort(np.argsort(-lots, kind="stable")[:count])


def _distance(act: int, is_move: bool, focus: int) -> int:
    """Return the king moves from the nearest cell of an action to a cell."""
    y, x = divmod(focus, ROW_STRIDE_BITS)
    cells = (act >> 7, act & 127) if is_move else (act,)
    ways = (divmod(cell, ROW_STRIDE_BITS) for cell in cells)
    return min(max(abs(row - y), abs(column - x)) for row, column in ways)
