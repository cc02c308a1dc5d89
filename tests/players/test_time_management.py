"""Time of a turn: safe, monotone, and enough to the end of a game."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.players.time_management import (
    COURSES,
    MAX_HARD_MS,
    MAX_SOFT_MS,
    MIN_LATENCY_MS,
    RESERVE_MS,
    RootVisits,
    RunningClock,
    TurnsLeft,
    is_enough,
    reply_delay_ms,
    turn_budget,
    turns_left,
)

CLOCKS = st.builds(
    RunningClock,
    left_ms=st.integers(-5_000, 10_800_000),
    increment_ms=st.integers(0, 180_000),
    is_limit=st.booleans(),
)
LEFT = st.builds(
    lambda few, more: TurnsLeft(few, few + more), st.integers(1, 60), st.integers(0, 60)
)
LATENCIES = st.integers(0, 5_000)
MORE = st.integers(0, 1_000_000)


def spent_at_most(clock: RunningClock, left: TurnsLeft, latency_ms: int) -> int:
    delay = reply_delay_ms(clock, left, latency_ms)
    later = replace(clock, left_ms=clock.left_ms - delay)
    return delay + turn_budget(later, left, latency_ms).hard_ms


@given(CLOCKS, LEFT, LATENCIES)
def test_the_reserve_and_the_latency_of_this_turn_stay_on_the_clock(clock, left, latency_ms):
    spent = spent_at_most(clock, left, latency_ms)
    assert spent == 0 or clock.left_ms - spent >= RESERVE_MS + latency_ms


@given(CLOCKS, LEFT, LATENCIES)
def test_nobody_waits_longer_than_the_cap_and_the_soft_time_is_the_shorter(clock, left, latency_ms):
    budget = turn_budget(clock, left, latency_ms)
    assert 0 <= budget.soft_ms <= budget.hard_ms <= MAX_HARD_MS
    assert budget.soft_ms <= MAX_SOFT_MS


@given(CLOCKS, LEFT, LATENCIES, MORE)
def test_more_time_on_the_clock_never_shortens_a_turn(clock, left, latency_ms, more):
    less = turn_budget(clock, left, latency_ms)
    richer = turn_budget(replace(clock, left_ms=clock.left_ms + more), left, latency_ms)
    assert richer.soft_ms >= less.soft_ms and richer.hard_ms >= less.hard_ms


@given(CLOCKS, LEFT, LATENCIES, st.integers(0, 60), st.integers(0, 5_000))
def test_more_turns_to_come_or_more_latency_never_lengthen_a_turn(clock, left, latency_ms, n, ms):
    budget = turn_budget(clock, left, latency_ms)
    longer = turn_budget(clock, TurnsLeft(left.thoughtful + n, left.all + n), latency_ms)
    slower = turn_budget(clock, left, latency_ms + ms)
    for other in (longer, slower):
        assert other.soft_ms <= budget.soft_ms and other.hard_ms <= budget.hard_ms


@pytest.mark.parametrize("key", COURSES)
@given(turns=st.integers(0, 400))
def test_the_turns_to_come_shrink_by_one_at_most_with_each_own_turn(key, turns):
    now, later = turns_left(key, turns), turns_left(key, turns + 2)
    assert 1 <= now.thoughtful <= now.all
    assert now.all - 1 <= later.all <= now.all
    assert later.thoughtful <= now.thoughtful


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8", "pincer"])
@given(
    initial_ms=st.integers(30_000, 900_000),
    increment_ms=st.sampled_from([0, 1_000, 5_000]),
    latency_ms=st.integers(0, 450),
    seed=st.integers(0, 99),
)
def test_no_game_is_lost_on_time_however_the_latency_up_to_a_bound_falls(
    key, initial_ms, increment_ms, latency_ms, seed
):
    rng, left_ms = Random(seed), initial_ms
    for turns in range(0, COURSES[key].longest + 1, 2):
        clock, left = RunningClock(left_ms, increment_ms), turns_left(key, turns)
        spent = spent_at_most(clock, left, latency_ms)
        left_ms -= spent + rng.choice([0, latency_ms, latency_ms])
        assert left_ms >= 0
        left_ms += increment_ms


@given(st.integers(5_000, 3_600_000), st.integers(0, 1_000))
def test_a_limit_for_each_turn_is_never_used_up(limit_ms, latency_ms):
    clock, left = RunningClock(limit_ms, is_limit=True), TurnsLeft(10, 20)
    assert spent_at_most(clock, left, latency_ms) + latency_ms <= limit_ms - RESERVE_MS


def test_what_ten_minutes_allow_is_used_and_thirty_seconds_are_spread():
    start = turns_left("amazons-10x10", 0)
    assert turn_budget(RunningClock(600_000, 5_000), start, MIN_LATENCY_MS).soft_ms == MAX_SOFT_MS
    fast = turn_budget(RunningClock(30_000), start, MIN_LATENCY_MS)
    assert 0 < 45 * fast.soft_ms < 30_000


CLEAR = RootVisits(first=900, second=50, is_best_valued=True, settled_s=9.0, rate=100.0)
EVEN = replace(CLEAR, first=500, second=450)


def test_a_choice_that_cannot_be_overtaken_ends_the_search_early():
    assert is_enough(CLEAR, 6.0, 10.0, 14.0)  # 400 visits to come
    assert not is_enough(replace(CLEAR, first=400), 6.0, 10.0, 14.0)
    assert not is_enough(CLEAR, 4.0, 10.0, 14.0)  # the rest is of use in the next turns


@pytest.mark.parametrize(
    "is_open",
    [EVEN, replace(CLEAR, is_best_valued=False, rate=1e6), replace(CLEAR, settled_s=1.0, rate=1e6)],
)
def test_an_open_choice_is_thought_about_up_to_the_hard_time(is_open):
    assert not is_enough(is_open, 10.0, 10.0, 14.0)
    assert is_enough(is_open, 14.0, 10.0, 14.0)


def test_an_ordinary_choice_ends_at_the_soft_time():
    ordinary = replace(CLEAR, first=800, second=300, rate=1e6)
    assert not is_enough(ordinary, 9.9, 10.0, 14.0)
    assert is_enough(ordinary, 10.0, 10.0, 14.0)
