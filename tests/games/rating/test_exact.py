"""`exp` and `log` from exactly rounded operations, against 60 digits of `decimal`."""

import math
from decimal import Context, Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.rating.exact import exp, log

DIGITS = Context(prec=60)
TWO_ULPS = 2
EXP_BITS = ["0x1.5bf0a8b14576ap+1", "0x1.0bd4a5aca7728p-8", "0x1.1aec7b35a00d4p+0"]
LOG_BITS = ["0x1.62e42fefa39efp-1", "-0x1.681dd7a559a2ap+2", "0x1.c79436f818745p+2"]


def ulps(value: float, exact: Decimal) -> float:
    """Return the distance of a float from an exact value in units in the last place."""
    return float(abs(Decimal(value) - exact) / Decimal(math.ulp(value)))


@given(st.floats(-30.0, 30.0))
@example(0.0)
@example(math.log(2.0) / 2)
def test_exp_lies_within_two_units_in_the_last_place(x: float) -> None:
    assert ulps(exp(x), DIGITS.exp(Decimal(x))) <= TWO_ULPS


@given(st.floats(1e-12, 1e12))
@example(1.0)
@example(math.nextafter(1.0, 2.0))
@example(math.nextafter(1.0, 0.0))
def test_log_lies_within_two_units_in_the_last_place(x: float) -> None:
    if x == 1.0:
        assert log(x) == 0.0
    else:
        assert ulps(log(x), DIGITS.ln(Decimal(x))) <= TWO_ULPS


def test_known_bits_that_every_machine_must_give() -> None:
    # A machine that fails this would give other ratings than ours.
    assert [exp(x).hex() for x in (1.0, -5.5, 0.1)] == EXP_BITS
    assert [log(x).hex() for x in (2.0, 0.0036, 1234.5)] == LOG_BITS


@pytest.mark.parametrize("x", [0.0, -1.0, math.inf, math.nan])
def test_log_refuses_numbers_without_a_logarithm(x: float) -> None:
    with pytest.raises(ValueError, match="no logarithm"):
        log(x)


@pytest.mark.parametrize("x", [701.0, -701.0, math.inf, math.nan])
def test_exp_refuses_powers_out_of_range(x: float) -> None:
    with pytest.raises(OverflowError):
        exp(x)
