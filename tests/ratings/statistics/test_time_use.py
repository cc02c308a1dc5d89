"""Times of turns and the share of the clock, from the steps of games."""

import pytest

from play.domain.clocks import DAY_MS, Clock
from ratings.statistics.time_use import TimeUse, clock_share, summarize, turn_times

FISCHER = Clock("fischer", 60_000, 1_000)
WHITE, BLACK, BOTH = frozenset(["white"]), frozenset(["black"]), frozenset(["white", "black"])


def test_steps_of_one_turn_are_added_and_the_first_turn_is_left_out() -> None:
    steps = [
        (WHITE, {"white": 9}), (WHITE, {"white": 1}),
        (BLACK, {"black": 50}), (BLACK, {"black": 50}),
        (WHITE, {"white": 30}), (WHITE, {"white": 4}),
        (BLACK, {"black": 7}),
        (WHITE, {"white": 5}),
    ]  # fmt: skip
    assert turn_times("white", steps) == [34, 5]
    assert turn_times("black", steps) == [7]
    assert turn_times("white", []) == []


def test_where_both_decide_each_step_is_a_turn() -> None:
    steps = [
        (BOTH, {"white": 1, "black": 2}),
        (BOTH, {"white": 3, "black": 4}),
        (BOTH, {"white": 5}),
    ]
    assert turn_times("white", steps) == [3, 5]
    assert turn_times("black", steps) == [4, 0]


@pytest.mark.parametrize(
    ("clock", "times", "share"),
    [
        (FISCHER, [10_000, 21_000], 0.5),  # of 62 s
        (Clock("limit", 30_000), [3_000, 9_000], 0.2),
        (Clock("days", 2 * DAY_MS), [DAY_MS], 0.5),
        (FISCHER, [90_000], 1.0),  # lag was credited
        (FISCHER, [], None),
        (Clock("none"), [5_000], None),
    ],
)
def test_the_share_is_that_of_the_time_given(clock, times, share) -> None:
    assert clock_share(clock, times) == share


def test_games_are_summed_up_by_medians() -> None:
    games = [(FISCHER, [1_000]), (FISCHER, [61_000, 3_000]), (Clock("none"), [7]), (FISCHER, [])]
    assert summarize(games) == TimeUse(turn_ms=3_000, clock_percent=51, turns=3, games=2)
    assert summarize([(Clock("none"), [7])]) is None
