"""Statistics of a match, compared with published figures."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from scipy.optimize import minimize

from games.lab.likelihood import (
    SCORES,
    bound,
    elo_of,
    interval,
    log_likelihood,
    log_ratio,
    mean_of,
    score_of,
)


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0), (0.75, 190.85), (0.91, 401.9), (0.36, -99.95), (10 / 11, 400)]
)
def test_a_score_has_the_difference_of_elos_table(score, elo):
    assert elo_of(score) == pytest.approx(elo, abs=0.05)
    assert score_of(elo) == pytest.approx(score, abs=1e-4)


def test_a_score_of_nothing_or_all_has_no_finite_difference():
    assert (elo_of(0.0), elo_of(1.0)) == (-inf, inf)


def test_pairs_that_are_only_won_or_lost_give_walds_ratio_for_two_outcomes():
    won, lost, s0, s1 = 40, 25, 0.5, 0.6
    wald = won * log(s1 / s0) + lost * log((1 - s1) / (1 - s0))
    ratio = log_ratio((lost, 0, 0, 0, won), elo_of(s0), elo_of(s1))
    assert ratio == pytest.approx(wald, abs=0.01)


def test_the_likeliest_distribution_is_the_one_that_a_general_optimiser_finds():
    counts, mean = np.array([3, 9, 20, 14, 6]), 0.45

    def loss(p):
        return -float(np.sum(counts * np.log(p)))

    found = minimize(
        loss,
        np.full(5, 0.2),
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ np.array(SCORES) - mean},
        ],
    )
    assert found.success
    assert log_likelihood(tuple(counts), mean) == pytest.approx(-found.fun, abs=1e-4)


def test_nothing_is_likelier_than_the_mean_that_was_seen():
    counts = (3, 9, 20, 14, 6)
    seen = mean_of(counts)
    best = log_likelihood(counts, seen)
    assert best == pytest.approx(sum(n * log(n / 52) for n in counts))
    assert all(log_likelihood(counts, seen + off) < best for off in (-0.2, -0.01, 0.01, 0.2))


def test_the_interval_of_many_pairs_is_that_of_the_normal_distribution():
    counts = (300, 900, 2000, 1400, 600)
    mean = mean_of(counts)
    second = sum(n * s * s for n, s in zip(counts, SCORES, strict=True)) / sum(counts)
    half = 1.959964 * ((second - mean * mean) / sum(counts)) ** 0.5
    assert interval(counts) == pytest.approx((mean - half, mean + half), abs=2e-4)


def test_the_interval_of_a_clean_sweep_reaches_the_top_and_narrows_with_the_games():
    low, high = interval((0, 0, 0, 0, 20))
    assert high == 1.0 and low == pytest.approx(0.05 ** (1 / 20), abs=0.06)
    assert interval((0, 0, 0, 0, 200))[0] > low


def test_the_interval_steps_over_with_the_sides():
    low, high = interval((2, 5, 9, 4, 1))
    assert interval((1, 4, 9, 5, 2)) == pytest.approx((1 - high, 1 - low), abs=1e-6)


def test_no_games_say_nothing():
    assert mean_of((0,) * 5) == 0.5 and interval((0,) * 5) == (0.0, 1.0)
    assert log_ratio((0,) * 5, 0, 30) == pytest.approx(0.0, abs=1e-3)


def test_the_sequential_test_stops_where_wald_says():
    assert bound(0.05) == pytest.approx(2.9444, abs=1e-4)
