"""Time of a computer player's turn: limits by the game's clock, and shares of its actions."""

from dataclasses import replace

import pytest
from msgspec import structs

from bots.thinking.turn_time import (
    MAX_LATENCY_MS,
    LatencyMeter,
    TurnTimer,
    budget_of,
    earliest,
    is_low_on_time,
    latest_end,
    latest_start,
)
from games.players.core import Level
from games.players.time_management import MIN_LATENCY_MS, RESERVE_MS, UNTIMED, TurnBudget
from play.domain.clocks import Clock

pytestmark = pytest.mark.django_db
WEAK, STRONG = Level(3, 50, 2.0), Level(8, 50, 10.0, uses_clock=True)
BUDGET = TurnBudget(10_000, 14_000)


class Now:
    """Time that a test sets."""

    def __init__(self) -> None:
        self.s = 100.0

    def __call__(self) -> float:
        return self.s


@pytest.mark.parametrize("clock", [Clock("none"), Clock("days", 86_400_000)])
async def test_without_a_clock_to_sit_through_a_turn_takes_three_seconds_at_most(seen, clock):
    live = await seen("amazons-10x10", clock)
    assert budget_of(live, "white", live.times.since + 10**8) == UNTIMED
    assert earliest(live, "white") - live.times.since + UNTIMED.hard_ms <= 3_000


@pytest.mark.parametrize(
    ("clock", "after", "soft_ms"),
    [
        (Clock("fischer", 600_000, 5_000), 0, 12_500),
        (Clock("fischer", 60_000, 0), 0, 1_740),
        (Clock("fischer", 60_000, 0), 30_000, 629),
        (Clock("fischer", 10_000, 0), 0, 0),
        (Clock("fischer", 10_000, 0), 11_000, 0),
        (Clock("limit", 6_000), 0, 1_487),
        (Clock("limit", 6_000), 4_800, 0),
    ],
)
async def test_a_turn_has_its_share_of_what_the_clock_leaves(seen, clock, after, soft_ms):
    live = await seen("amazons-10x10", clock)
    at = live.times.since + after
    assert budget_of(live, "white", at).soft_ms == soft_ms


@pytest.mark.parametrize(
    ("clock", "wait"),
    [
        (Clock("none"), 600),
        (Clock("fischer", 600_000, 5_000), 600),
        (Clock("fischer", 20_000), 586),
        (Clock("fischer", 1_000), 0),
    ],
)
async def test_the_delay_before_a_reply_is_shorter_where_time_is_short(seen, clock, wait):
    live = await seen("pincer", clock)
    assert earliest(live, "white") == live.times.since + wait


@pytest.mark.parametrize("left", range(1_000, 8_000, 500))
async def test_delay_and_thoughts_of_a_turn_leave_the_reserve(seen, left):
    live = await seen("amazons-10x10", Clock("fischer", left, 2_000))
    at = earliest(live, "white")
    spent = at - live.times.since + budget_of(live, "white", at).hard_ms
    assert spent == 0 or spent <= left - RESERVE_MS


def test_the_actions_of_a_turn_share_its_time():
    now = Now()
    timer = TurnTimer(BUDGET, STRONG, now=now)
    one = timer.allowance("amazons-10x10", is_first=True)
    assert (one.time.soft_s, one.time.hard_s) == (7.0, pytest.approx(9.8))
    now.s += 5.0
    assert one.time.elapsed_s() == 5.0 and not one.is_over()
    two = timer.allowance("amazons-10x10", is_first=False)
    assert (two.time.soft_s, two.time.hard_s, two.time.elapsed_s()) == (5.0, 9.0, 0.0)
    now.s += 9.0
    assert two.is_over()


def test_the_second_action_has_some_time_however_long_the_first_took():
    now = Now()
    timer = TurnTimer(BUDGET, STRONG, now=now)
    timer.allowance("pincer", is_first=True)
    now.s += 13.5
    two = timer.allowance("pincer", is_first=False)
    assert 0 < two.time.soft_s <= two.time.hard_s <= 0.5


def test_a_level_that_does_not_use_its_clock_is_bounded_by_its_own_seconds():
    now = Now()
    clock = TurnTimer(BUDGET, WEAK, now=now).allowance("amazons", is_first=True)
    assert clock.time is None
    now.s += 1.9
    assert not clock.is_over()
    now.s += 0.1
    assert clock.is_over()


def test_a_turn_without_time_is_over_at_once():
    clock = TurnTimer(TurnBudget(0, 0), STRONG, now=Now()).allowance("pincer", is_first=True)
    assert clock.is_over() and (clock.time.soft_s, clock.time.hard_s) == (0.0, 0.0)


async def test_another_thought_ends_before_a_turn_has_waited_as_long_as_it_would_think(seen):
    fast, slow = await seen("pincer", Clock("fischer", 30_000)), await seen("pincer", Clock("none"))
    at = earliest(fast, "white")
    assert latest_start(fast, "white") == at + budget_of(fast, "white", at).soft_ms
    assert latest_start(slow, "white") == float("inf")
    hurried = structs.replace(fast, times=structs.replace(fast.times, left={"white": 2_000}))
    assert latest_start(hurried, "white") == is_low_on_time(hurried, "white")
    assert latest_end(hurried, "white") == fast.times.since + 2_000 - RESERVE_MS


def test_the_latency_of_turns_is_the_largest_one_and_fades():
    meter = LatencyMeter()
    meter.note(0)
    assert meter.ms == MIN_LATENCY_MS
    meter.note(2_000)
    meter.note(300)
    assert 1_500 < meter.ms < 2_000
    meter.note(60_000)
    assert meter.ms == MAX_LATENCY_MS
    for _ in range(100):
        meter.note(0)
    assert meter.ms == MIN_LATENCY_MS


def test_a_level_of_an_exhibition_does_not_use_its_clock():
    from bots.thinking.thinker import exhibition_level

    assert not exhibition_level(replace(STRONG)).uses_clock
