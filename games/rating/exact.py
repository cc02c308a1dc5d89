"""Exponential and logarithm that give the same bits on every machine.

IEEE 754 defines the result of + − × ÷ and of the square root to the last bit, but not that of
`exp` and `log`: those of the C library differ between systems and releases. These two use only
the defined operations, in a fixed order. Both lie within 2 units in the last place of the true
value in the range that ratings use (tests/games/rating/test_exact.py).
"""

from __future__ import annotations

from math import floor, frexp, ldexp, sqrt
from typing import Final

# ln 2 in two parts; the first ends with zero bits, so that its multiples are exact.
LN2_HIGH: Final = 0.693147180369123816490
LN2_LOW: Final = 1.90821492927058770002e-10
LOG2_E: Final = 1.44269504088896340736
SQRT_HALF: Final = 0.707106781186547524401
MAX_EXPONENT: Final = 700.0  # e to this power is still a float
EXP_TERMS: Final = 18  # of the Taylor series; the rest is below 2^-60 for arguments up to ln(2)/2
LOG_TERMS: Final = 13  # of the series of atanh; the rest is below 2^-60

RECIPROCALS: Final = tuple(1.0 / number for number in range(1, EXP_TERMS + 1))
ODD_RECIPROCALS: Final = tuple(1.0 / (2 * number + 1) for number in range(LOG_TERMS))

__all__ = ["exp", "log", "sqrt"]  # the square root of the C library is exact already


def exp(x: float) -> float:
    """Return e to the power x. Raises OverflowError unless |x| ≤ 700."""
    if not -MAX_EXPONENT <= x <= MAX_EXPONENT:
        raise OverflowError(f"e to the power {x} is out of range.")
    twos = floor(x * LOG2_E + 0.5)
    rest = (x - twos * LN2_HIGH) - twos * LN2_LOW
    total = 1.0
    for reciprocal in reversed(RECIPROCALS):
        total = 1.0 + rest * reciprocal * total
    return ldexp(total, twos)


def log(x: float) -> float:
    """Return the natural logarithm of a positive finite number. Raises ValueError."""
    if not 0.0 < x < float("inf"):
        raise ValueError(f"{x} has no logarithm.")
    mantissa, twos = frexp(x)
    if mantissa < SQRT_HALF:
        mantissa, twos = mantissa * 2.0, twos - 1
    ratio = (mantissa - 1.0) / (mantissa + 1.0)
    square = ratio * ratio
    total = 0.0
    for reciprocal in reversed(ODD_RECIPROCALS):
        total = total * square + reciprocal
    return twos * LN2_HIGH + (twos * LN2_LOW + 2.0 * ratio * total)
