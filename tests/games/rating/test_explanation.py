"""The explanation of a change leads to the change that the fold made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rating.explanation import explain
from games.rating.standing import (
    MAX_CHANGE,
    MAX_DEVIATION,
    MAX_RATING,
    MIN_DEVIATION,
    MIN_RATING,
    START,
    UNIT,
    Numbers,
    rate_side,
)

sides = st.builds(
    Numbers,
    st.integers(MIN_RATING + MAX_CHANGE, MAX_RATING - MAX_CHANGE),
    st.integers(MIN_DEVIATION, MAX_DEVIATION),
    st.just(START.volatility),
)
ROUNDING = 0.0006  # half of a thousandth, and the last bits of a float


@given(sides, sides, st.sampled_from([0.0, 0.5, 1.0]), st.integers(-60_000, 60_000))
def test_the_arithmetic_leads_to_the_stored_change(own, opponent, score, edge):
    found = explain(own, opponent, score, edge)
    change = (rate_side(own, opponent, score, 0.5, edge).rating - own.rating) / UNIT
    bounded = max(-MAX_CHANGE / UNIT, min(found.change, MAX_CHANGE / UNIT))
    assert change == pytest.approx(bounded, abs=ROUNDING)


@given(sides, sides)
def test_a_result_as_expected_changes_nothing(own, opponent):
    found = explain(own, opponent, 0.5)
    if own.rating == opponent.rating:
        assert found.change == 0
    assert 0 < found.expected < 1
    assert found.points_a_score > 0


def test_equal_ratings_expect_half_a_point():
    assert explain(START, START, 1.0).expected == 0.5
