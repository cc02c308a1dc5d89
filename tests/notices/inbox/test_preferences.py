"""Quiet hours, digests and channels: time zones, both changes of the clock, bad input."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from notices.models import Inbox, Kind, Preferences
from notices.preferences import preferences
from notices.preferences.preferences import (
    ALL,
    DEFAULTS,
    channels_of,
    next_digest,
    quiet_until,
    zone_of,
)
from tests.support.page_visitors import at_home, text_of

BERLIN, KATHMANDU = "Europe/Berlin", "Asia/Kathmandu"
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
PAGE = "/settings/notifications/"


def prefs_of(zone: str = "UTC", begin: str = "", end: str = "", hour: int = 18) -> Preferences:
    """Preferences with quiet hours from `begin` to `end`, such as 22:30; none if they are empty."""
    minutes = [60 * int(each[:2]) + int(each[3:]) if each else None for each in (begin, end)]
    return Preferences(
        user_id=1, time_zone=zone, digest_hour=hour, quiet_from=minutes[0], quiet_until=minutes[1]
    )


def utc(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("zone", "hours", "at", "until"),
    [
        ("UTC", ("22:00", "07:00"), "2026-11-23T21:59:59", None),
        ("UTC", ("22:00", "07:00"), "2026-11-23T22:00:00", "2026-11-24T07:00:00"),
        ("UTC", ("22:00", "07:00"), "2026-11-24T06:59:59", "2026-11-24T07:00:00"),
        ("UTC", ("22:00", "07:00"), "2026-11-24T07:00:00", None),
        ("UTC", ("13:00", "14:30"), "2026-11-24T14:00:00", "2026-11-24T14:30:00"),
        ("UTC", ("13:00", "14:30"), "2026-11-24T00:00:00", None),
        ("UTC", ("00:00", "23:59"), "2026-11-24T12:00:00", "2026-11-24T23:59:00"),
        (KATHMANDU, ("22:00", "07:00"), "2026-11-23T16:14:59", None),  # five hours and 45 minutes
        (KATHMANDU, ("22:00", "07:00"), "2026-11-23T16:15:00", "2026-11-24T01:15:00"),
        (BERLIN, ("22:00", "07:00"), "2026-11-23T21:30:00", "2026-11-24T06:00:00"),
        # The night of 29 March 2026 is an hour shorter, that of 25 October an hour longer.
        (BERLIN, ("22:00", "07:00"), "2026-03-28T21:00:00", "2026-03-29T05:00:00"),
        (BERLIN, ("22:00", "07:00"), "2026-10-24T20:00:00", "2026-10-25T06:00:00"),
        # 02:30 is skipped in March: the border moves to 03:30.
        (BERLIN, ("22:00", "02:30"), "2026-03-29T01:29:59", "2026-03-29T01:30:00"),
        (BERLIN, ("02:30", "05:00"), "2026-03-29T01:29:59", None),
        (BERLIN, ("02:30", "05:00"), "2026-03-29T01:30:00", "2026-03-29T03:00:00"),
        # It comes twice in October: quiet hours end with the second, and begin with the first.
        (BERLIN, ("22:00", "02:30"), "2026-10-25T01:29:59", "2026-10-25T01:30:00"),
        (BERLIN, ("02:30", "05:00"), "2026-10-25T00:30:00", "2026-10-25T04:00:00"),
        (BERLIN, ("02:30", "05:00"), "2026-10-25T01:15:00", "2026-10-25T04:00:00"),
        ("Mars/Olympus", ("22:00", "07:00"), "2026-11-23T22:00:00", "2026-11-24T07:00:00"),
        ("UTC", ("", ""), "2026-11-23T22:00:00", None),
        ("UTC", ("22:00", ""), "2026-11-23T22:00:00", None),
        ("UTC", ("22:00", "22:00"), "2026-11-23T22:00:00", None),
    ],
)
def test_quiet_hours_follow_the_users_clock(zone, hours, at, until) -> None:
    assert quiet_until(prefs_of(zone, *hours), utc(at)) == (until and utc(until))


ZONES = st.sampled_from([
    "UTC", BERLIN, KATHMANDU, "America/New_York", "Australia/Lord_Howe", "Pacific/Apia",
    "America/Sao_Paulo", "Africa/Casablanca", "Antarctica/Troll",
])  # fmt: skip
MOMENTS = st.integers(utc("2024-01-01T00:00:00"), utc("2030-01-01T00:00:00"))
MINUTES = st.integers(0, 1439)


@given(ZONES, MINUTES, MINUTES, MOMENTS)
def test_no_moment_stays_quiet_and_the_end_is_not_quiet(zone, begin, end, at) -> None:
    prefs = Preferences(user_id=1, time_zone=zone, quiet_from=begin, quiet_until=end)
    until = quiet_until(prefs, at)
    if until is not None:
        assert at < until <= at + DAY_MS + 3 * HOUR_MS
        assert quiet_until(prefs, until) is None


@given(ZONES, MINUTES, MINUTES, MOMENTS)
def test_the_wall_clock_decides_away_from_changes_of_the_clock(zone, begin, end, at) -> None:
    around = {
        datetime.fromtimestamp((at + hours * HOUR_MS) / 1000, ZoneInfo(zone)).utcoffset()
        for hours in range(-30, 31, 2)
    }
    if len(around) > 1 or begin == end:
        return
    local = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    minute = 60 * local.hour + local.minute
    is_quiet = begin <= minute < end if begin < end else minute >= begin or minute < end
    prefs = Preferences(user_id=1, time_zone=zone, quiet_from=begin, quiet_until=end)
    assert (quiet_until(prefs, at) is not None) == is_quiet


@pytest.mark.parametrize(
    ("zone", "hour", "at", "due"),
    [
        ("UTC", 18, "2026-11-23T17:59:59", "2026-11-23T18:00:00"),
        ("UTC", 18, "2026-11-23T18:00:00", "2026-11-24T18:00:00"),
        (KATHMANDU, 0, "2026-11-23T18:14:00", "2026-11-23T18:15:00"),
        (BERLIN, 18, "2026-03-28T17:00:00", "2026-03-29T16:00:00"),  # 23 hours later
        (BERLIN, 18, "2026-10-24T16:00:00", "2026-10-25T17:00:00"),  # 25 hours later
        (BERLIN, 2, "2026-03-28T12:00:00", "2026-03-29T01:00:00"),  # skipped: an hour behind
        (BERLIN, 2, "2026-10-24T12:00:00", "2026-10-25T00:00:00"),  # twice: the first one
        (BERLIN, 2, "2026-10-25T00:30:00", "2026-10-26T01:00:00"),  # and not again
    ],
)
def test_a_digest_comes_at_the_users_hour(zone, hour, at, due) -> None:
    assert next_digest(prefs_of(zone, hour=hour), utc(at)) == utc(due)


@given(ZONES, st.integers(0, 23), MOMENTS)
def test_a_year_has_a_digest_on_each_day(zone, hour, at) -> None:
    prefs = prefs_of(zone, hour=hour)
    days = []
    for _ in range(20):
        due = next_digest(prefs, at)
        assert at < due <= at + 26 * HOUR_MS
        days.append(datetime.fromtimestamp(due / 1000, zone_of(prefs)).date())
        at = due
    assert all(later - day == timedelta(days=1) for day, later in pairwise(days))


def test_a_user_without_a_row_has_the_defaults(db) -> None:
    prefs = preferences.of(7)
    assert prefs.mail == "off"
    assert channels_of(prefs, Kind.TURN) == ALL
    assert channels_of(prefs, Kind.PLAYS) == {"bell"}
    assert channels_of(prefs, Kind.MODERATION) == {"bell", "mail"}
    assert not Preferences.objects.exists()


def test_a_chosen_kind_replaces_its_default_and_no_channel_is_invented() -> None:
    prefs = Preferences(user_id=1, channels={"turn": ["bell", "pigeon"], "ended": []})
    assert channels_of(prefs, "turn") == {"bell"}
    assert channels_of(prefs, "ended") == set()
    assert channels_of(prefs, "offer") == DEFAULTS[Kind.OFFER]


GOOD = {
    **{kind.value: ["bell"] for kind in Kind},
    "turn": ["bell", "push", "mail"],
    "mail": "at_once",
    "digest_hour": "7",
    "time_zone": KATHMANDU,
    "quiet_from": "22:30",
    "quiet_until": "07:00",
}


def account_at_home() -> tuple[User, Client]:
    return at_home("ada")


def guest_at_home() -> tuple[User, Client]:
    user, browser = at_home("guest")
    User.objects.filter(pk=user.pk).update(is_guest=True)
    return user, browser


def test_what_was_chosen_is_stored_and_shown(db) -> None:
    ada, browser = account_at_home()
    Inbox.objects.create(user=ada)
    assert browser.post(PAGE, GOOD, HTTP_ACCEPT_LANGUAGE="tr").status_code == 302
    prefs = preferences.of(ada.pk)
    assert (prefs.mail, prefs.digest_hour, prefs.time_zone) == ("at_once", 7, KATHMANDU)
    assert (prefs.quiet_from, prefs.quiet_until, prefs.language) == (22 * 60 + 30, 7 * 60, "tr")
    assert channels_of(prefs, "turn") == ALL
    assert channels_of(prefs, "moderation") == {"bell"}
    page = browser.get(PAGE).content.decode()
    for part in ('value="Asia/Kathmandu" selected', 'value="22:30"', 'value="at_once" checked'):
        assert part in page
    assert Inbox.objects.get(user=ada).rev == 1  # open pages count anew


def test_a_table_without_a_tick_is_a_choice_too(db) -> None:
    ada, browser = account_at_home()
    rest = {key: value for key, value in GOOD.items() if key not in set(Kind)}
    assert browser.post(PAGE, {**rest, "quiet_from": "", "quiet_until": ""}).status_code == 302
    prefs = preferences.of(ada.pk)
    assert all(channels_of(prefs, kind) == set() for kind in Kind)
    assert (prefs.quiet_from, prefs.quiet_until) == (None, None)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"time_zone": "Mars/Olympus"}, "Quiver doesn’t know that time zone."),
        ({"time_zone": ""}, "Quiver doesn’t know that time zone."),
        ({"time_zone": "../../etc/passwd"}, "Quiver doesn’t know that time zone."),
        ({"quiet_from": ""}, "Quiet hours need both times."),
        ({"quiet_until": ""}, "Quiet hours need both times."),
        ({"quiet_from": "07:00"}, "Choose two different times."),
        ({"quiet_from": "25:00"}, "Enter a time such as 22:30."),
        ({"quiet_from": "late"}, "Enter a time such as 22:30."),
        ({"digest_hour": "24"}, "Select a valid choice."),
        ({"digest_hour": "-1"}, "Select a valid choice."),
        ({"mail": "hourly"}, "Select a valid choice."),
        ({"turn": ["pigeon"]}, "Choose boxes of the table only."),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(db, wrong, said) -> None:
    ada, browser = account_at_home()
    browser.post(PAGE, GOOD)
    before = Preferences.objects.filter(user=ada).values().get()
    answer = browser.post(PAGE, {**GOOD, "ended": ["push"], **wrong})
    assert answer.status_code == 400
    assert said in text_of(answer)
    assert "Nothing was changed." in text_of(answer)
    assert Preferences.objects.filter(user=ada).values().get() == before


def test_a_guest_has_bell_and_push_and_keeps_the_mails_of_the_account_to_come(db) -> None:
    guest, browser = guest_at_home()
    page = browser.get(PAGE).content.decode()
    assert 'value="push"' in page
    assert 'value="mail"' not in page
    assert 'name="mail"' not in page
    assert browser.post(PAGE, {**GOOD, "turn": ["bell"]}).status_code == 302
    prefs = preferences.of(guest.pk)
    assert channels_of(prefs, "turn") == {"bell", "mail"}
    assert prefs.mail == "off"


def test_a_visitor_is_led_to_signing_in(client, db) -> None:
    answer = client.get(PAGE)
    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        f"/log-in/?next={PAGE}",
    )
    assert client.post(PAGE, GOOD).status_code == 302
    assert not Preferences.objects.exists()


def test_the_page_says_what_is_off(db, settings) -> None:
    ada, browser = account_at_home()
    settings.SENDS_MAIL = False
    assert "This site sends no email." in text_of(browser.get(PAGE))
    settings.SENDS_MAIL = True
    assert "You have no confirmed email address." in text_of(browser.get(PAGE))
    ada.emailaddress_set.create(email="ada@example.org", verified=True, primary=True)
    assert "confirmed email" not in text_of(browser.get(PAGE))
    Preferences.objects.create(user=ada, mail_bounced=1)
    assert "Your email address doesn’t accept our messages" in text_of(browser.get(PAGE))
