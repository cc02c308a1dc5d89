"""Digests by the user's clock, over changes of summer time, hours and zones."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from notices.mail.schedule import (
    MAIL_DELAY_MS,
    SHORT_TURN_MS,
    digest_time,
    mail_delay_ms,
    plan_mail,
)
from notices.models import Kind, Notice, Post, Preferences
from tests.support.mail_people import DAY, HOUR

YEAR_2026 = 1_767_225_600_000
ZONES = ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Apia"]


def prefs(zone: str = "UTC", hour: int = 18, last: int | None = None, **more) -> Preferences:
    return Preferences(
        user_id=1, mail="digest", time_zone=zone, digest_hour=hour, last_digest=last, **more
    )


def post(told: int, kind: Kind = Kind.TURN, expires: int | None = None) -> Post:
    notice = Notice(user_id=1, kind=kind, subject="abc", created=told, due=told)
    return Post(notice=notice, channel="mail", due=told, expires=expires or told + 9 * DAY)


def at(zone: str, *parts: int) -> int:
    return round(datetime(*parts, tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize(("month", "day"), [(3, 29), (10, 25)])
def test_a_digest_keeps_its_hour_when_the_clock_changes(month, day) -> None:
    for before in range(3):
        told = at("Europe/Berlin", 2026, month, day - before, 12, 0)
        when = digest_time(prefs("Europe/Berlin"), post(told).notice)
        local = datetime.fromtimestamp(when / 1000, ZoneInfo("Europe/Berlin"))
        assert (local.day, local.hour, local.minute) == (day - before, 18, 0)


@given(
    zone=st.sampled_from(ZONES),
    hour=st.integers(0, 23),
    told=st.integers(YEAR_2026, YEAR_2026 + 365 * DAY),
    tells=st.lists(st.integers(0, 2 * DAY), min_size=1, max_size=8),
)
def test_a_user_gets_one_digest_a_day_and_waits_no_longer_than_two(zone, hour, told, tells) -> None:
    owner = prefs(zone, hour)
    days = []
    for gap in tells:
        told += gap
        when = digest_time(owner, post(told).notice)
        assert told + MAIL_DELAY_MS < when <= told + MAIL_DELAY_MS + 2 * DAY + HOUR
        day = datetime.fromtimestamp(when / 1000, ZoneInfo(zone)).date()
        if not days or when > owner.last_digest:
            assert day not in days
            days.append(day)
            owner.last_digest = when


@given(
    told=st.integers(YEAR_2026, YEAR_2026 + 365 * DAY),
    left=st.integers(1, 3 * DAY),
    hour=st.integers(0, 23),
    zone=st.sampled_from(ZONES),
)
@example(told=YEAR_2026, left=3 * HOUR - 1, hour=1, zone="UTC")  # a digest leaves two hours of it
def test_a_short_turn_is_mailed_at_once_in_digest_mode_while_time_is_left(
    told, left, hour, zone
) -> None:
    turn = post(told, Kind.TURN, told + 1 + left % (SHORT_TURN_MS - 1))
    turn.notice.expires = turn.expires
    now = told + mail_delay_ms(turn.notice)
    assert turn.expires - now >= (turn.expires - told) * 3 // 4
    assert plan_mail(prefs(zone, hour), [turn], now).send == [turn]


@given(
    told=st.integers(YEAR_2026, YEAR_2026 + 365 * DAY),
    left=st.integers(1, 3 * DAY),
    hour=st.integers(0, 23),
    zone=st.sampled_from(ZONES),
)
def test_a_warning_in_digest_mode_is_mailed_before_the_turn_ends(told, left, hour, zone) -> None:
    now = told + MAIL_DELAY_MS
    warning = post(told, Kind.LAST, now + left)
    plan = plan_mail(prefs(zone, hour), [warning], now)
    assert not plan.withdraw
    if not plan.send:
        assert max(plan.defer) < warning.expires


@given(
    now=st.integers(YEAR_2026, YEAR_2026 + 365 * DAY),
    begin=st.integers(0, 1439),
    end=st.integers(0, 1439),
    left=st.integers(1, 2 * DAY),
    mode=st.sampled_from(["digest", "at_once"]),
    zone=st.sampled_from(ZONES),
)
def test_quiet_hours_never_keep_a_last_warning_back_for_good(
    now, begin, end, left, mode, zone
) -> None:
    owner = prefs(zone, quiet_from=begin, quiet_until=end)
    owner.mail = mode
    plan = plan_mail(owner, [post(now - MAIL_DELAY_MS, Kind.LAST, now + left)], now)
    assert plan.send or max(plan.defer) < now + left


def test_every_post_is_sent_withdrawn_or_put_off_to_a_later_time() -> None:
    now = YEAR_2026 + 18 * HOUR
    posts = [
        post(now - hours * HOUR, kind) for hours in range(1, 30) for kind in (Kind.TURN, Kind.PLAYS)
    ]
    plan = plan_mail(prefs(), posts, now)
    later = [each for group in plan.defer.values() for each in group]
    assert sorted(map(id, [*plan.send, *plan.withdraw, *later])) == sorted(map(id, posts))
    assert all(when > now for when in plan.defer)
    assert {each.notice.kind for each in plan.withdraw} == {Kind.PLAYS}


def test_a_last_digest_in_the_future_stops_no_digest_for_long() -> None:
    now = YEAR_2026
    ahead = prefs(last=now + 400 * DAY)
    assert digest_time(ahead, post(now).notice) < now + DAY
    assert datetime.fromtimestamp(digest_time(ahead, post(now).notice) / 1000, UTC).hour == 18
