"""Arrays of 64-bit ints for compiled code; lists of ints where nothing is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.players.compiled import IS_COMPILED

if IS_COMPILED:
    import numpy

Ints = Any  # an int64 array or a list[int]: numba knows which, mypy need not


def zeros(count: int) -> Ints:
    """As many zeros, to be written to."""
    return numpy.zeros(count, numpy.int64) if IS_COMPILED else [0] * count


def constants(values: Sequence[int]) -> Ints:
    """These numbers, to be read."""
    return numpy.array(values, numpy.int64) if IS_COMPILED else list(values)
