"""Glicko-2 against Glickman's worked example, and laws of one game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rating.glicko2 import Result, Strength, aged_deviation, expected_score, update

strengths = st.builds(Strength, st.floats(100, 4000), st.floats(45, 350), st.floats(0.01, 0.1))


def test_glickmans_worked_example() -> None:
    # "Example of the Glicko-2 system", 2013: a rating period with three games, tau 0.5.
    results = [Result(1400, 30, 1.0), Result(1550, 100, 0.0), Result(1700, 300, 0.0)]
    new = update(Strength(1500, 200, 0.06), results, tau=0.5, periods=1.0)
    assert new.rating == pytest.approx(1464.06, abs=0.01)
    assert new.deviation == pytest.approx(151.52, abs=0.01)
    assert new.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_deviation_of_60_grows_to_110_in_a_year() -> None:
    assert aged_deviation(60, 0.06, 365 * 0.21436) == pytest.approx(110, abs=1)


@given(strengths, strengths, st.sampled_from([0.3, 0.5]))
def test_a_game_makes_a_rating_surer_up_to_the_volatility(
    own: Strength, other: Strength, tau: float
) -> None:
    new = update(own, [Result(other.rating, other.deviation, 0.5)], tau)
    assert new.deviation < own.deviation


@given(strengths, strengths, st.sampled_from([0.3, 0.5]))
def test_a_win_is_worth_more_than_a_draw_and_a_draw_more_than_a_loss(
    own: Strength, other: Strength, tau: float
) -> None:
    lost, drawn, won = (
        update(own, [Result(other.rating, other.deviation, score)], tau).rating
        for score in (0.0, 0.5, 1.0)
    )
    assert lost < own.rating < won
    assert lost < drawn < won


@given(st.floats(-3900, 3900), st.floats(45, 500))
def test_the_expected_scores_of_both_sides_make_one(difference: float, deviation: float) -> None:
    both = expected_score(difference, deviation) + expected_score(-difference, deviation)
    assert both == pytest.approx(1.0)
