"""Lapses of concentration: the errors in which the weaker levels of the board games differ.

In a lapse a level looks at no reply, and in Amazons only at a few actions in one part of the board.
It plays the best of what it sees, as people do; no level plays at random. Lapses are rarer where
there is little to choose from.
"""

from __future__ import annotations

from random import Random
from typing import Final

HALF_RATE_ACTIONS: Final = 5  # legal actions with which lapses are half as frequent as with many


def has_lapse(share: float, actions: int, rng: Random) -> bool:
    """Return whether a level has a lapse in a position with this many legal actions.

    `share` is that of lapses among very many actions; if it is 0, `rng` is left untouched.
    """
    if share <= 0.0:
        return False
    return rng.random() < share * actions / (actions + HALF_RATE_ACTIONS)
