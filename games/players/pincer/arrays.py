"""Arrays of 64-bit ints for compiled code; lists of ints without numba."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.players.compiled import IS_COMPILED

if IS_COMPILED:
    import numpy

Ints = Any  # an int64 array or a list[int]; numba infers which


def zeros(count: int, bits: int = 64) -> Ints:
    """Return a writable array of zeros, of 64 bits with a sign or of 8 without one."""
    if not IS_COMPILED:
        return [0] * count
    return numpy.zeros(count, numpy.uint8 if bits == 8 else numpy.int64)


def constants(values: Sequence[int]) -> Ints:
    """Return an array of these numbers, to be read only."""
    return numpy.array(values, numpy.int64) if IS_COMPILED else list(values)
