"""Expected result of a value of the search."""

from __future__ import annotations

from typing import Final

from games.players.compiled import jit
from games.players.exact_math import tanh
from games.players.pincer.tree import PROVEN_VALUE

VALUE_SCALE: Final = 250  # evaluation at which the expected result is about 0.76


@jit
def expected_result(value: int) -> float:
    """Return the expected result of a value, -1 to 1."""
    if value > PROVEN_VALUE:
        return 1.0
    if value < -PROVEN_VALUE:
        return -1.0
    return float(tanh(value / VALUE_SCALE))
