"""Exponential and hyperbolic tangent of the players: exact to the bit, close to the true value."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from games.players import exact_math
from games.players.compiled import IS_COMPILED
from games.players.exact_math import MAX_EXPONENT, MAX_TANH, exp, tanh

FLOATS = st.floats(-MAX_EXPONENT, MAX_EXPONENT) | st.floats(-2.0, 2.0)
EXP_ULPS, TANH_ULPS = 2, 5


def in_python(function: Any, x: float) -> float:
    """The function as plain Python computes it, step by step."""
    return float(function.py_func(x)) if IS_COMPILED else float(function(x))


@given(FLOATS)
def test_compiled_code_gives_the_bits_of_plain_python(x) -> None:
    assert exp(x).hex() == in_python(exp, x).hex()
    assert tanh(x).hex() == in_python(tanh, x).hex()


@given(FLOATS)
def test_the_values_lie_within_some_units_in_the_last_place(x) -> None:
    assert abs(exp(x) - math.exp(x)) <= EXP_ULPS * math.ulp(math.exp(x))
    assert abs(tanh(x) - math.tanh(x)) <= TANH_ULPS * math.ulp(math.tanh(x))


@given(FLOATS)
def test_the_tangent_is_odd_and_bounded(x) -> None:
    assert tanh(-x) == -tanh(x)
    assert abs(tanh(x)) <= 1.0


def test_arguments_beyond_the_range_are_bounded() -> None:
    assert exp(1e9) == exp(MAX_EXPONENT)
    assert exp(-1e9) == exp(-MAX_EXPONENT) > 0.0
    assert (tanh(MAX_TANH), tanh(-1e9)) == (1.0, -1.0)
    assert (exp(0.0), tanh(0.0), tanh(1e-300)) == (1.0, 0.0, 1e-300)
    assert exact_math.power_of_two(-1022) == 2.0**-1022
