"""Clock arithmetic: time spent, increments and flags."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.domain import clocks
from play.domain.change import as_json
from play.domain.clocks import DAY_MS, FLAG_DELAY_MS, Clock, Times
from play.domain.lag import LAG_BUDGET_MS, LAG_REGROWTH_MS, MAX_LAG_MS, ConnectionStats

FISCHER = Clock("fischer", 300_000, 3_000)
LIMIT = Clock("limit", 30_000)
NOON = 1_700_000_000_000
ms = st.integers(0, 10**9)


@pytest.mark.parametrize(
    ("clock", "label"),
    [
        (FISCHER, "5 + 3"),
        (Clock("fischer", 90_000, 0), "1:30 + 0"),
        (Clock("fischer", 61_000, 5_000), "1:01 + 5"),
        (Clock("fischer", 10_000, 0), "10 s + 0"),
        (LIMIT, "30 s a turn"),
        (Clock("limit", 120_000), "2 min a turn"),
        (Clock("days", DAY_MS), "1 day a turn"),
        (Clock("days", 3 * DAY_MS), "3 days a turn"),
        (Clock("none"), "no clock"),
    ],
)
def test_a_clock_has_a_short_name(clock, label):
    assert clock.label() == label


def test_an_increment_is_earned_by_the_turn_not_by_the_step():
    times = clocks.start_clocks(FISCHER, {"white"}, NOON)
    moved = clocks.resume_clocks(FISCHER, times, {"white"}, (), NOON + 10_000)
    fired = clocks.resume_clocks(FISCHER, moved, {"black"}, {"white"}, NOON + 15_000)
    assert (moved.left["white"], fired.left["white"]) == (290_000, 288_000)
    assert fired.left["black"] == 300_000


def test_a_limit_starts_anew_with_each_turn():
    times = clocks.start_clocks(LIMIT, {"white", "black"}, NOON)
    sealed = clocks.stop_clock(times, "white", NOON + 20_000)
    assert clocks.deadline(LIMIT, sealed) == NOON + 30_000
    both = {"white", "black"}
    after = clocks.resume_clocks(LIMIT, sealed, both, both, NOON + 25_000)
    assert after.left == {"white": 30_000, "black": 30_000}


def test_the_clock_of_a_player_who_has_sealed_stands_still():
    times = clocks.start_clocks(FISCHER, {"white", "black"}, NOON)
    sealed = clocks.stop_clock(times, "white", NOON + 20_000)
    assert sealed.left_at("white", NOON + 100_000) == 280_000
    assert sealed.left_at("black", NOON + 100_000) == 200_000


def test_a_flag_falls_a_second_after_the_deadline():
    times = clocks.start_clocks(LIMIT, {"white"}, NOON)
    assert clocks.flagged_roles(LIMIT, times, NOON + 30_000 + FLAG_DELAY_MS - 1) == frozenset()
    assert clocks.flagged_roles(LIMIT, times, NOON + 30_000 + FLAG_DELAY_MS) == {"white"}


def test_only_the_role_that_passed_first_is_flagged():
    times = Times({"white": 10_000, "black": 10_001}, NOON, frozenset({"white", "black"}))
    assert clocks.flagged_roles(FISCHER, times, NOON + 60_000) == {"white"}


def test_without_a_clock_nothing_ever_falls():
    times = clocks.start_clocks(Clock("none"), {"white"}, NOON)
    assert clocks.deadline(Clock("none"), times) is None
    assert clocks.flagged_roles(Clock("none"), times, NOON + 10**12) == frozenset()


def test_down_time_is_credited_but_not_the_time_before_it():
    times = clocks.start_clocks(FISCHER, {"white"}, NOON)
    credited = clocks.credit_downtime(times, down_since=NOON + 5_000, at=NOON + 65_000)
    assert credited.left_at("white", NOON + 65_000) == 295_000


def test_a_game_that_started_after_the_last_pulse_is_credited_from_its_start():
    times = clocks.start_clocks(FISCHER, {"white"}, NOON)
    credited = clocks.credit_downtime(times, down_since=NOON - 900, at=NOON + 60_000)
    assert credited.left_at("white", NOON + 60_000) == 300_000


@given(st.lists(st.tuples(ms, st.booleans()), max_size=30))
def test_spent_and_remaining_time_add_up_to_the_time_given(steps):
    """Fischer: left = initial + increments - spent, for any order of steps and turns."""
    times, at = clocks.start_clocks(FISCHER, {"white"}, NOON), NOON
    role, spent, earned = "white", dict.fromkeys(("white", "black"), 0), {"white": 0, "black": 0}
    for wait, ends in steps:
        at += wait
        spent[role] += wait
        earned[role] += 3_000 * ends
        following = ("black" if role == "white" else "white") if ends else role
        times = clocks.resume_clocks(FISCHER, times, {following}, {role} if ends else (), at)
        role = following
    for each in ("white", "black"):
        assert times.left[each] == 300_000 + earned[each] - spent[each]


def test_now_never_steps_back():
    stamps = [clocks.now() for _ in range(1_000)]
    assert stamps == sorted(stamps)


def test_a_credit_is_bounded_by_the_wait_and_by_the_turn():
    times = clocks.start_clocks(LIMIT, {"white"}, NOON)
    assert clocks.lag_credit(LIMIT, times, "white", 400, NOON + 100) == 100
    assert clocks.lag_credit(LIMIT, times, "white", 9_000, NOON + 5_000) == MAX_LAG_MS
    assert clocks.lag_credit(LIMIT, times, "white", -9, NOON + 5_000) == 0
    assert clocks.lag_credit(LIMIT, times, "white", 400, NOON - 5_000) == 0
    assert clocks.lag_credit(Clock("none"), times, "white", 400, NOON + 5_000) == 0
    first = clocks.stop_clock(times, "white", NOON + 1_000, 400)
    again = clocks.resume_clocks(LIMIT, first, {"white"}, (), NOON + 1_000)
    assert clocks.lag_credit(LIMIT, again, "white", 400, NOON + 5_000) == MAX_LAG_MS - 400
    anew = clocks.resume_clocks(LIMIT, first, {"white"}, {"white"}, NOON + 1_000)
    assert clocks.lag_credit(LIMIT, anew, "white", 400, NOON + 5_000) == 400


def test_a_page_that_always_answers_late_uses_its_budget_up():
    terms = clocks.start_terms(FISCHER, (), is_simultaneous=False)
    times, credits, at = clocks.start_clocks(FISCHER, {"white"}, NOON, terms), [], NOON
    for _ in range(30):
        at += 5_000
        credits.append(clocks.lag_credit(FISCHER, times, "white", MAX_LAG_MS, at))
        times = clocks.stop_clock(times, "white", at, credits[-1])
        times = clocks.resume_clocks(FISCHER, times, {"white"}, {"white"}, at)
    assert credits[:4] == [MAX_LAG_MS] * 4  # a burst is paid in full
    assert sum(credits) == LAG_BUDGET_MS + 29 * LAG_REGROWTH_MS
    assert credits[-1] == LAG_REGROWTH_MS


def test_a_good_mobile_connection_loses_nothing():
    terms = clocks.start_terms(FISCHER, (), is_simultaneous=False)
    times, at = clocks.start_clocks(FISCHER, {"white"}, NOON, terms), NOON
    for turn in range(200):
        lag = MAX_LAG_MS if turn % 50 == 0 else 90
        at += 5_000
        assert clocks.lag_credit(FISCHER, times, "white", lag, at) == lag
        times = clocks.stop_clock(times, "white", at, lag)
        times = clocks.resume_clocks(FISCHER, times, {"white"}, {"white"}, at)


def test_a_takeback_does_not_fill_the_budget_of_lag():
    terms = clocks.start_terms(FISCHER, (), is_simultaneous=False)
    times = clocks.start_clocks(FISCHER, {"white"}, NOON, terms)
    spent = clocks.stop_clock(times, "white", NOON + 5_000, 400)
    back = clocks.rewind_clocks(FISCHER, spent, {"white"}, NOON + 5_000, {})
    assert back.lag_budget == {"white": LAG_BUDGET_MS - 400, "black": LAG_BUDGET_MS}


def test_the_kernel_bounds_what_a_page_that_answers_late_is_credited():
    assert ConnectionStats(round_trips_s=[0.5]).lag == 500
    assert ConnectionStats(round_trips_s=[0.5], tcp_round_trip_ms=40).lag == 40
    assert ConnectionStats(round_trips_s=[0.03], tcp_round_trip_ms=40).lag == 30
    assert ConnectionStats(tcp_round_trip_ms=40).lag == 0


def test_the_shortest_of_the_last_round_trips_counts():
    stats = ConnectionStats()
    for at, trip_s in enumerate((0.3, 0.05, 0.4, *[0.2] * 4)):
        stats.pinged_at = float(at)
        stats.note_pong(at + trip_s, None)
        stats.note_pong(at + 0.5, None)  # nobody has asked for it
    assert stats.lag == 50
    stats.pinged_at = 9.0
    stats.note_pong(9.2, None)
    assert stats.lag == 200


def test_times_written_before_there_were_credits_can_be_read():
    old = '{"left":{"black":1,"white":2},"running":["white"],"since":3}'
    assert msgspec.json.decode(old, type=Times) == Times(
        {"black": 1, "white": 2}, 3, frozenset({"white"})
    )


step = st.tuples(st.integers(0, 10**6), st.booleans(), st.integers(0, 2_000), st.integers(0, 10**5))


@given(st.lists(step, max_size=30))
def test_consumed_remaining_and_credited_time_add_up_to_the_time_given(steps):
    """Fischer: initial + increments + credits = consumed + left, and no turn gets too much."""
    times, at, role = clocks.start_clocks(FISCHER, {"white"}, NOON), NOON, "white"
    consumed = dict.fromkeys(("white", "black"), 0)
    credited, earned = dict(consumed), dict(consumed)
    in_turn = 0
    for wait, ends, lag, down in steps:
        before, at = times.since, at + wait + down
        times = clocks.credit_downtime(
            times, at - down, at
        )  # no server was there at the end of the wait
        assert times.since - before == down
        given = clocks.lag_credit(FISCHER, times, role, lag, at)
        in_turn += given
        assert in_turn <= MAX_LAG_MS
        consumed[role] += wait + down
        credited[role] += given + down
        earned[role] += 3_000 * ends
        following = ("black" if role == "white" else "white") if ends else role
        times = clocks.stop_clock(times, role, at, given)
        times = clocks.resume_clocks(FISCHER, times, {following}, {role} if ends else (), at)
        times = msgspec.json.decode(as_json(times), type=Times)  # as after a restart
        role, in_turn = following, 0 if ends else in_turn
    for each in ("white", "black"):
        assert consumed[each] + times.left[each] - credited[each] - earned[each] == 300_000


# A fair start

BOTH = ("white", "black")
FAIR = clocks.start_terms(FISCHER, BOTH, is_simultaneous=False)
ROUNDS = clocks.start_terms(LIMIT, BOTH, is_simultaneous=True)


def test_a_clock_stands_during_the_first_turn_of_its_role_which_earns_no_increment():
    times = clocks.start_clocks(FISCHER, {"white"}, NOON, FAIR)
    assert times.left_at("white", NOON + 20_000) == 300_000
    assert times.remaining_at("white", NOON + 20_000) == 10_000
    moved = clocks.stop_clock(times, "white", NOON + 20_000)
    half = clocks.resume_clocks(FISCHER, moved, {"white"}, (), NOON + 20_000)
    assert clocks.deadline(FISCHER, half) == NOON + 30_000
    shot = clocks.stop_clock(half, "white", NOON + 25_000)
    after = clocks.resume_clocks(FISCHER, shot, {"black"}, {"white"}, NOON + 25_000)
    assert after.left == {"white": 300_000, "black": 300_000}
    assert after.first_turn == {"black": 30_000}
    assert clocks.deadline(FISCHER, after) == NOON + 55_000


def test_from_the_second_turn_on_the_clock_runs_and_earns():
    times = Times({"white": 300_000, "black": 300_000}, NOON, frozenset({"white"}))
    moved = clocks.stop_clock(times, "white", NOON + 4_000)
    after = clocks.resume_clocks(FISCHER, moved, {"black"}, {"white"}, NOON + 4_000)
    assert after.left["white"] == 299_000


def test_a_takeback_neither_renews_nor_returns_an_allowance():
    times = clocks.start_clocks(FISCHER, {"white"}, NOON, FAIR)
    moved = clocks.stop_clock(times, "white", NOON + 5_000)
    black = clocks.resume_clocks(FISCHER, moved, {"black"}, {"white"}, NOON + 5_000)
    back = clocks.rewind_clocks(FISCHER, black, {"white"}, NOON + 15_000, {})
    assert back.first_turn == {"black": 20_000}
    assert back.remaining_at("white", NOON + 16_000) == 299_000  # on the clock of white
    again = clocks.stop_clock(back, "white", NOON + 20_000)
    black = clocks.resume_clocks(FISCHER, again, {"black"}, {"white"}, NOON + 20_000)
    assert clocks.deadline(FISCHER, black) == NOON + 40_000


def test_a_game_without_a_clock_has_no_allowance_no_begin_and_no_pause():
    assert clocks.start_terms(Clock("none"), BOTH, is_simultaneous=True) == clocks.PLAIN_START


def test_a_clock_of_days_has_an_allowance_as_long_as_any_turn_and_no_begin():
    terms = clocks.start_terms(Clock("days", clocks.DAY_MS), ["white"], is_simultaneous=True)
    assert terms == clocks.StartTerms({"white": clocks.DAY_MS})


def test_computer_players_have_no_allowance_and_are_not_waited_for():
    terms = clocks.start_terms(LIMIT, ["white"], is_simultaneous=True)
    assert terms.first_turn_ms == {"white": clocks.FIRST_TURN_MS}
    assert clocks.start_terms(LIMIT, [], is_simultaneous=True).begin_wait_ms == 0


def test_no_clock_runs_before_the_begin():
    times = clocks.start_clocks(LIMIT, BOTH, NOON, ROUNDS)
    assert clocks.deadline(LIMIT, times) == NOON + clocks.BEGIN_WAIT_MS
    assert clocks.flag_deadline(LIMIT, times) is None
    assert clocks.flagged_roles(LIMIT, times, NOON + 10**9) == frozenset()
    assert not clocks.is_overdue(LIMIT, times, NOON + clocks.BEGIN_WAIT_MS - 1)
    assert clocks.is_overdue(LIMIT, times, NOON + clocks.BEGIN_WAIT_MS)
    begun = clocks.begin_clocks(times, BOTH, NOON + 4_000)
    assert clocks.deadline(LIMIT, begun) == NOON + 34_000


def test_down_time_prolongs_the_wait_for_the_begin():
    times = clocks.start_clocks(LIMIT, BOTH, NOON, ROUNDS)
    credited = clocks.credit_downtime(times, NOON + 2_000, NOON + 62_000)
    assert credited.begin_by == NOON + 60_000 + clocks.BEGIN_WAIT_MS


def test_the_clocks_of_the_next_round_start_after_the_pause():
    times = clocks.begin_clocks(clocks.start_clocks(LIMIT, BOTH, NOON, ROUNDS), BOTH, NOON)
    for role in BOTH:
        times = clocks.stop_clock(times, role, NOON + 9_000)
    after = clocks.resume_clocks(LIMIT, times, BOTH, BOTH, NOON + 9_000)
    start = NOON + 9_000 + clocks.REVEAL_PAUSE_MS
    assert after.since == start
    assert after.left_at("white", start - 1) == after.left_at("white", NOON + 9_000) == 30_000
    assert clocks.lag_credit(LIMIT, after, "white", 400, start - 1) == 0
    sealed = clocks.stop_clock(after, "white", start - 2_000)
    assert sealed.left["white"] == 30_000
    assert clocks.deadline(LIMIT, sealed) == start + 30_000


def test_down_time_within_a_pause_is_not_credited_twice():
    times = Times({"white": 9_000, "black": 9_000}, NOON + 5_000, frozenset(BOTH))
    assert clocks.credit_downtime(times, NOON, NOON + 4_000) == times
    assert clocks.credit_downtime(times, NOON, NOON + 65_000).since == NOON + 65_000
