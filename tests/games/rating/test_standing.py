"""Standings as integers: limits, ageing and the order of boards."""

from hypothesis import given
from hypothesis import strategies as st

from games.rating.standing import (
    DAY_MS,
    MAX_CHANGE,
    MAX_DEVIATION,
    MAX_RATING,
    MAX_VOLATILITY,
    MIN_DEVIATION,
    MIN_RATING,
    START,
    Numbers,
    Standing,
    rate_side,
)

numbers = st.builds(
    Numbers,
    st.integers(MIN_RATING, MAX_RATING),
    st.integers(MIN_DEVIATION, MAX_DEVIATION),
    st.integers(1_000_000, MAX_VOLATILITY),
)
scores = st.sampled_from([0.0, 0.5, 1.0])
edges = st.integers(-60_000, 60_000)


@given(numbers, numbers, scores, st.sampled_from([0.3, 0.5]), edges)
def test_a_game_keeps_every_number_inside_its_limits(
    own: Numbers, other: Numbers, score: float, tau: float, edge: int
) -> None:
    new = rate_side(own, other, score, tau, edge)
    assert all(type(number) is int for number in new)
    assert MIN_RATING <= new.rating <= MAX_RATING
    assert abs(new.rating - own.rating) <= MAX_CHANGE
    assert MIN_DEVIATION <= new.deviation <= MAX_DEVIATION
    assert 0 < new.volatility <= MAX_VOLATILITY


def test_equal_players_gain_and_lose_alike() -> None:
    won, lost = (rate_side(START, START, score, 0.5, 0) for score in (1.0, 0.0))
    assert won.rating - START.rating == START.rating - lost.rating
    assert won.deviation == lost.deviation


def test_the_side_with_the_advantage_gains_less_by_a_win() -> None:
    first, second, neither = (
        rate_side(START, START, 1.0, 0.5, edge) for edge in (40_000, -40_000, 0)
    )
    assert first.rating < neither.rating < second.rating


def test_a_deviation_grows_with_time_and_the_rating_stays() -> None:
    standing = Standing(Numbers(1_612_345, 60_000, 60_000_000), at=0, games=9)
    a_year_later = standing.numbers_at(365 * DAY_MS)
    assert a_year_later.rating == 1_612_345
    assert 109_000 < a_year_later.deviation < 111_000
    assert standing.numbers_at(10_000 * 365 * DAY_MS).deviation == MAX_DEVIATION
    assert standing.lower_bound(0) == 1_612_345 - 2 * 60_000
    assert standing.lower_bound(365 * DAY_MS) < standing.lower_bound(0)


def test_a_time_before_the_last_game_counts_as_the_time_of_that_game() -> None:
    standing = Standing(Numbers(1_500_000, 80_000, 60_000_000), at=DAY_MS, games=1)
    assert standing.numbers_at(0) == standing.numbers
    assert standing.plus_game(standing.numbers, 5).at == DAY_MS


def test_a_placed_standing_without_a_game_does_not_age() -> None:
    placed = Standing(Numbers(1_800_000, 250_000, 60_000_000), at=1)
    assert placed.numbers_at(365 * DAY_MS) == placed.numbers
    assert not placed.is_established(365 * DAY_MS)
