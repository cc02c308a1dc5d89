"""Arrays of 64-bit ints for compiled code; lists of ints without numba."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.players.compiled import IS_COMPILED

if IS_COMPILED:
    import numpy

Ints = Any  # an int64 array or a list[int]; numba infers which


def zeros(count: int) -> Ints:
    """Return a writable array of zeros."""
    return numpy.zeros(count, numpy.int64) if IS_COMPILED else [0] * count


def constants(values: Sequence[int]) -> Ints:
    """Return an array of these numbers, to be read only."""
    return numpy.array(values, numpy.int64) if IS_COMPILED else list(values)
