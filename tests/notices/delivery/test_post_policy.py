"""Delivery policy: the conditions on which a post is sent, waits or is dropped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notices.delivery import policy
from notices.delivery.policy import Drop, DuePush, Facts
from notices.models import Kind
from play.domain.clocks import DAY_MS, HOUR_MS, MINUTE_MS

START = 1_000 * DAY_MS  # midnight


def night(at: int) -> int | None:
    """The quiet hours from 22 to 8 of a user whose days begin at midnight UTC."""
    hour = at % DAY_MS / HOUR_MS
    day = at - at % DAY_MS
    if hour >= 22:
        return day + DAY_MS + 8 * HOUR_MS
    return day + 8 * HOUR_MS if hour < 8 else None


def never(at: int) -> int | None:
    return None


def hour(number: float) -> int:
    return START + int(number * HOUR_MS)


def test_a_push_comes_20_seconds_after_its_notice() -> None:
    assert policy.push_moment(Kind.TURN, START, START + DAY_MS, never) == START + 20_000


def test_a_push_waits_for_the_end_of_the_quiet_hours() -> None:
    moment = policy.push_moment(Kind.TURN, hour(23), hour(23 + 72), night)
    assert moment == hour(32)


def test_a_turn_that_ends_in_the_quiet_hours_is_told_at_once() -> None:
    assert policy.push_moment(Kind.TURN, hour(23), hour(30), night) == hour(23) + 20_000
    assert policy.push_moment(Kind.TURN, hour(23), hour(32.5), night) == hour(23) + 20_000


def test_an_ended_game_wakes_nobody() -> None:
    assert policy.push_moment(Kind.ENDED, hour(23), hour(30), night) == hour(32)


def test_a_last_warning_comes_before_quiet_hours_that_outlive_the_turn() -> None:
    assert policy.early_moment(hour(29), hour(30), night) == hour(22) - policy.EARLY_MS


def test_a_last_warning_waits_where_an_hour_of_the_turn_is_left() -> None:
    assert policy.early_moment(hour(29), hour(33), night) is None
    assert policy.push_moment(Kind.LAST, hour(29), hour(33), night) == hour(32)


def test_a_last_warning_of_a_turn_that_began_at_night_comes_at_its_time() -> None:
    early = policy.early_moment(hour(29), hour(30), night)
    assert early is not None and early < hour(23)  # it is past when the turn begins
    assert policy.push_moment(Kind.LAST, hour(29), hour(30), night) == hour(29) + 20_000


def test_a_warning_whose_turn_got_more_time_waits_for_its_new_moment() -> None:
    due = hour(15)
    assert policy.leaves_at(Kind.HALF, due, hour(40), hour(12), never) == due + 20_000
    assert policy.leaves_at(Kind.LAST, due, hour(40), hour(12), never) == due + 20_000


def test_an_early_warning_leaves_before_the_quiet_hours() -> None:
    at = hour(22) - policy.EARLY_MS
    assert policy.leaves_at(Kind.LAST, hour(29), hour(30), at, night) == at
    assert policy.leaves_at(Kind.LAST, hour(29), hour(30), at - 1, night) == at


@given(
    kind=st.sampled_from(list(Kind)),
    due=st.integers(START, START + 3 * DAY_MS),
    life=st.integers(1, 10 * DAY_MS),
)
def test_nothing_leaves_in_quiet_hours_but_a_turn_that_ends_soon(kind, due, life) -> None:
    moment = policy.push_moment(kind, due, due + life, night)
    assert moment >= due + policy.PUSH_WAIT_MS
    end = night(moment)
    if end is not None:
        assert kind in (Kind.TURN, Kind.LAST)
        assert due + life - end < policy.MIN_LEFT_MS


@given(due=st.integers(START, START + 3 * DAY_MS), life=st.integers(1, 10 * DAY_MS))
def test_an_early_warning_is_outside_of_quiet_hours_and_before_its_time(due, life) -> None:
    early = policy.early_moment(due, due + life, night)
    if early is not None:
        assert night(early) is None
        assert early < due + policy.PUSH_WAIT_MS
        assert night(early + policy.EARLY_MS) == night(due + policy.PUSH_WAIT_MS)


@pytest.mark.parametrize(
    "change, reason",
    [
        ({}, None),
        ({"is_closed": True}, Drop.CLOSED),
        ({"is_read": True}, Drop.READ),
        ({"is_user_active": False}, Drop.USER),
        ({"has_session": False}, Drop.USER),
        ({"has_game": False}, Drop.GAME),
        ({"is_wanted": False}, Drop.UNWANTED),
        ({"is_seen": True}, Drop.SEEN),
        ({"expires": START}, Drop.EXPIRED),
    ],
)
def test_a_push_that_stopped_to_matter_is_dropped(change, reason) -> None:
    facts = Facts(**{"kind": Kind.TURN, "expires": START + 1, **change})
    assert policy.drop_reason(facts, START) == reason


def posts(count: int, is_held: bool = False, first: int = 1) -> list[DuePush]:
    """Posts of as many notices for one device."""
    return [
        DuePush(number, number, 1, Kind.TURN, START + number, is_held)
        for number in range(first, first + count)
    ]


def test_six_pushes_leave_in_an_hour_and_the_rest_is_held() -> None:
    limited = policy.apply_hourly_limit(posts(9), {}, START)
    assert limited.single == [1, 2, 3, 4, 5, 6]
    assert limited.held == [7, 8, 9]
    assert limited.held_until == START + HOUR_MS


def test_held_pushes_leave_as_one_that_counts_when_the_hour_allows_it() -> None:
    recent = {number: START + number for number in range(100, 106)}
    limited = policy.apply_hourly_limit(posts(3, is_held=True), recent, START + 50 * MINUTE_MS)
    assert (limited.single, limited.counted) == ([], [])
    assert limited.held_until == START + 100 + HOUR_MS
    limited = policy.apply_hourly_limit(posts(3, is_held=True), recent, limited.held_until)
    assert [[each.post for each in group] for group in limited.counted] == [[1, 2, 3]]


def test_one_held_push_leaves_as_itself() -> None:
    limited = policy.apply_hourly_limit(posts(1, is_held=True), {}, START)
    assert (limited.single, limited.counted) == ([1], [])


def test_a_notice_on_two_devices_is_one_push() -> None:
    recent = dict.fromkeys(range(1, 7), START)
    second = [DuePush(20, 1, 2, Kind.TURN, START)]
    assert policy.apply_hourly_limit(second, recent, START + 1).single == [20]


def test_a_last_warning_comes_before_others() -> None:
    warning = DuePush(99, 99, 1, Kind.LAST, START + 999)
    limited = policy.apply_hourly_limit([*posts(9), warning], {}, START)
    assert 99 in limited.single


def test_a_push_that_counts_and_failed_is_tried_again_as_one() -> None:
    recent = {1: START - MINUTE_MS} | dict.fromkeys(range(100, 105), START)
    limited = policy.apply_hourly_limit(posts(3, is_held=True), recent, START + 1)
    assert [[each.post for each in group] for group in limited.counted] == [[1, 2, 3]]
    assert limited.single == []


@given(
    arrivals=st.lists(st.integers(0, 4 * HOUR_MS), min_size=1, max_size=60),
    devices=st.integers(1, 3),
)
def test_no_hour_has_more_than_six_pushes_and_nothing_is_lost(arrivals, devices) -> None:
    """Play a user's posts through, with every push accepted at once."""
    waiting = {
        number * 10 + device: DuePush(
            number * 10 + device, number, device, Kind.TURN, START + moment
        )
        for number, moment in enumerate(arrivals)
        for device in range(devices)
    }
    recent: dict[int, int] = {}
    pushes: dict[int, list[int]] = {}  # by device
    while waiting:
        at = min(post.due for post in waiting.values())
        due = [post for post in waiting.values() if post.due <= at]
        limited = policy.apply_hourly_limit(due, recent, at)
        for key in limited.single:
            post = waiting.pop(key)
            recent.setdefault(post.notice, at)
            pushes.setdefault(post.device, []).append(at)
        for group in limited.counted:
            for each in group:
                waiting.pop(each.post)
            recent.setdefault(group[0].notice, at)
            pushes.setdefault(group[0].device, []).append(at)
        for key in limited.held:
            old = waiting[key]
            assert limited.held_until > at
            waiting[key] = DuePush(
                key, old.notice, old.device, old.kind, limited.held_until, is_held=True
            )
    assert set(pushes) == set(range(devices))
    for moments in pushes.values():
        for moment in moments:
            assert sum(moment <= other < moment + HOUR_MS for other in moments) <= 6


@given(
    tries=st.integers(1, 20),
    life=st.integers(0, 40 * DAY_MS),
    asked=st.none() | st.floats(0, 1e9),
    chance=st.floats(0, 1),
)
def test_a_try_again_comes_within_bounds_or_not_at_all(tries, life, asked, chance) -> None:
    moment = policy.retry_at(tries, START, START + life, asked, chance)
    if moment is None:
        assert tries >= policy.MAX_TRIES or life <= 1.2 * 1_800_000
    else:
        assert START + 800 <= moment <= START + 1.2 * 1_800_000
        assert moment < START + life
        assert tries < policy.MAX_TRIES


def test_a_service_may_ask_for_a_longer_wait() -> None:
    assert policy.retry_at(1, START, START + DAY_MS, 60.0, 0.5) == START + MINUTE_MS


@pytest.mark.parametrize(
    "left_ms, ttl_s", [(1, 60), (90_000, 90), (99 * DAY_MS, 28 * 24 * 3600), (-DAY_MS, 60)]
)
def test_a_service_keeps_a_push_for_the_time_left(left_ms, ttl_s) -> None:
    assert policy.ttl_s(START, START + left_ms) == ttl_s


def test_only_the_last_tenth_of_a_turn_is_urgent() -> None:
    end = START + 100_000
    assert not policy.is_urgent(Kind.TURN, START + 90_000, START, START, end)
    assert policy.is_urgent(Kind.TURN, START + 90_001, START, START, end)
    assert policy.is_urgent(Kind.LAST, START + 90_000, START + 90_000, START, end)
    assert not policy.is_urgent(Kind.LAST, START + 50_000, START + 90_000, START, end)
    assert not policy.is_urgent(Kind.ENDED, START + 99_999, START, START, end)


def test_a_turn_and_its_warnings_share_a_tag() -> None:
    tags = {policy.tag_of(kind, "abc") for kind in (Kind.TURN, Kind.HALF, Kind.LAST)}
    assert len(tags) == 1
    assert tags != {policy.tag_of(Kind.OFFER, "abc")} != {policy.tag_of(Kind.OFFER, "abd")}


@given(kind=st.sampled_from(list(Kind)), subject=st.text(max_size=64))
def test_a_tag_may_be_a_topic(kind, subject) -> None:
    tag = policy.tag_of(kind, subject)
    assert 0 < len(tag) <= 32
    assert all(char.isascii() and (char.isalnum() or char in "-_") for char in tag)
