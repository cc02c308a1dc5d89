"""Exponential and hyperbolic tangent that give the same bits on every machine.

IEEE 754 defines the results of + − × ÷ to the last bit; those of the C library's `exp` and `tanh`
differ between systems. The search of Amazons runs compiled by numba here and as WebAssembly in
browsers, and both have to play alike, so it uses these two. `games.rating.exact` stays apart: what
it computes is in the log of ratings for ever, raises, and need not be fast.

Both functions write their argument as n ln 2 + r with |r| ≤ ln 2 / 2 and take e^r from
R(r) = r coth(r / 2), whose series converges fast: e^r = (R + r) / (R - r). See Abramowitz and
Stegun, Handbook of Mathematical Functions, 4.5.67.
"""

from __future__ import annotations

from math import ldexp
from typing import Any, Final

from games.players.compiled import IS_COMPILED, jit

# ln 2 in two parts; the first ends with zero bits, so that its multiples are exact.
LN2_HIGH: Final = 0.693147180369123816490
LN2_LOW: Final = 1.90821492927058770002e-10
LOG2_E: Final = 1.44269504088896340736
MAX_EXPONENT: Final = 700.0  # arguments of `exp` are bounded by it, on both sides
MAX_TANH: Final = 20.0  # from here on the nearest float is 1

# Coefficients of r², r⁴, … in r coth(r / 2): 2 B(2n) / (2n)!, with the Bernoulli numbers B.
R2: Final = 1.0 / 6.0
R4: Final = -1.0 / 360.0
R6: Final = 1.0 / 15120.0
R8: Final = -1.0 / 604800.0
R10: Final = 1.0 / 23950080.0
R12: Final = -691.0 / 653837184000.0
R14: Final = 1.0 / 37362124800.0

if IS_COMPILED:
    from numba import extending, types

    EXPONENT_BIAS: Final = 1023
    MANTISSA_BITS: Final = 52

    def _type_float_of(typing: Any, word: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, words: Any) -> Any:
            return builder.bitcast(words[0], context.get_value_type(types.float64))

        return types.float64(types.int64), make

    _float_of: Any = extending.intrinsic(_type_float_of)

    @jit
    def power_of_two(exponent: int) -> float:
        """Return 2 to the power `exponent`, from -1022 to 1023."""
        return float(_float_of((exponent + EXPONENT_BIAS) << MANTISSA_BITS))

else:

    def power_of_two(exponent: int) -> float:
        """Return 2 to the power `exponent`, from -1022 to 1023."""
        return ldexp(1.0, exponent)


@jit
def nearest_twos(x: float) -> int:
    """Return the whole number nearest to x / ln 2."""
    return int(x * LOG2_E + (0.5 if x >= 0.0 else -0.5))


@jit
def coth_series(r: float) -> float:
    """Return r coth(r / 2) for |r| ≤ ln 2 / 2."""
    square = r * r
    tail = R8 + square * (R10 + square * (R12 + square * R14))
    return 2.0 + square * (R2 + square * (R4 + square * (R6 + square * tail)))


@jit
def exp(x: float) -> float:
    """Return e to the power x, with x bounded by MAX_EXPONENT on both sides."""
    x = min(MAX_EXPONENT, max(-MAX_EXPONENT, x))
    twos = nearest_twos(x)
    r = (x - twos * LN2_HIGH) - twos * LN2_LOW
    return power_of_two(twos) * (1.0 + 2.0 * r / (coth_series(r) - r))


@jit
def tanh(x: float) -> float:
    """Return the hyperbolic tangent of x."""
    size = abs(x)
    if size >= MAX_TANH:
        return 1.0 if x > 0.0 else -1.0
    twos = nearest_twos(2.0 * size)
    r = (2.0 * size - twos * LN2_HIGH) - twos * LN2_LOW
    series = coth_series(r)
    if twos == 0:
        value = r / series
    else:
        above, below = power_of_two(twos) * (series + r), series - r
        value = (above - below) / (above + below)
    return value if x >= 0.0 else -value
