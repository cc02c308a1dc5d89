"""28 virtual days of 24 people's games by days: nobody is flagged unwarned, and none told twice.

Processes die at random statements, push services fail and hang, the mail server goes away. Seeded:
a failure can be repeated.
"""

import logging
from collections import Counter, defaultdict
from datetime import datetime
from itertools import pairwise
from random import Random

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from games.catalogue import RULES
from notices.delivery import policy
from notices.derive.game_view import same_turn
from notices.mail import sender
from notices.models import TURN_KINDS, Kind, Notice, Preferences
from notices.preferences.preferences import zone_of
from play.domain import clocks
from play.domain.clocks import DAY_MS, HOUR_MS, Clock
from play.domain.holidays import MAX_DAYS_A_YEAR, MAX_DAYS_IN_A_ROW, year_of
from play.models import Game, Holiday
from play.storage.verification import faults_of, rows_of
from tests.support import notice_month
from tests.support.notice_month import MINUTE_MS, STAGES, FlakyMail, Month, Person, VirtualClock

pytestmark = pytest.mark.django_db
PEOPLE, GAMES, DAYS = 24, 60, 28
START = 1_780_272_000_000  # 1 June 2026, UTC
CLOCKS = (
    Clock("days", DAY_MS),
    Clock("days", 2 * DAY_MS),
    Clock("days", 3 * DAY_MS),
    Clock("bank", 4 * DAY_MS, DAY_MS),
    Clock("bank", 12 * HOUR_MS, 6 * HOUR_MS),
    Clock("none"),
)
ZONES = ("UTC", "Europe/Istanbul", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")
SURELY_MAILED_MS = 8 * HOUR_MS  # of such a turn, a tenth leaves time for a mail and its repeats


def person(number: int, rng: Random, device_of) -> Person:
    """Somebody with devices, or mail, or both; some with quiet hours, some away for days."""
    name = f"person{number}"
    user = User.objects.create(username=name, email=f"{name}@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    devices, mode = ((1, "digest"), (2, "off"), (0, "digest"), (0, "at_once"))[number % 4]
    for device in range(devices):
        device_of(user, f"device{device}")
    quiet = {"quiet_from": 22 * 60, "quiet_until": 7 * 60} if number % 3 == 0 else {}
    Preferences.objects.create(
        user=user, mail=mode, time_zone=ZONES[number % 5], digest_hour=number, **quiet
    )
    pause_ms = rng.choice((16, 24, 40)) * HOUR_MS
    away = START + rng.randint(0, 10) * DAY_MS
    away_days = rng.choice((0, 3, 13)) if number % 2 else 0
    return Person(user, pause_ms, (away, away + away_days * DAY_MS), number % 5 == 0)


@pytest.fixture
def month(device_of, monkeypatch, settings) -> Month:
    """The month, ready to run."""
    rng, clock = Random(16), VirtualClock(START)
    monkeypatch.setattr(clocks, "CLOCK", clock)
    monkeypatch.setattr(sender, "MIN_INTERVAL_S", 0)
    FlakyMail.rng = Random(17)
    settings.EMAIL_BACKEND = "tests.support.notice_month.FlakyMail"
    people = [person(number, rng, device_of) for number in range(PEOPLE)]
    month = Month(people, clock, rng)
    month.serve()
    month.early = notice_month.quiet_borders(people, START, DAYS)
    keys = list(RULES)
    for number in range(GAMES):
        pair = rng.sample(people, 2)
        key = "pincer" if number % 3 else keys[number // 3 % len(keys)]
        moment = START + rng.randint(0, 12 * DAY_MS) if number > GAMES // 2 else START
        terms = (*pair, key, CLOCKS[number % len(CLOCKS)])
        month.at(moment, lambda terms=terms: month.open(*terms))
    return month


@pytest.mark.nightly
@pytest.mark.embedded("a month takes two minutes; its parts are asked on both")
@pytest.mark.timeout(400)  # some 50 s alone; the machine may be busy
def test_in_a_month_of_crashes_nobody_is_flagged_unwarned(month) -> None:
    logging.getLogger("quiver.notices").setLevel(logging.CRITICAL)
    month.run(START + DAYS * DAY_MS)
    nobody_was_flagged_unwarned(month)
    nobody_was_told_twice(month)
    nothing_was_told_too_late(month)
    no_hour_had_more_than_six_pushes(month)
    no_day_had_two_digests(month)
    nobody_had_too_many_holidays()
    told_enough(month)
    for game in Game.objects.all():
        assert not faults_of(rows_of(game.slug))


def told_enough(month: Month) -> None:
    """The month has what the other checks are about."""
    assert set(month.crashes) == set(STAGES)
    assert len(month.falls) >= 10
    assert Holiday.objects.count() >= 20
    ways = Counter(told.way for told in month.told)
    assert min(ways[way] for way in ("bell", "push", "mail")) >= 20
    kinds = Counter(Notice.objects.values_list("kind", flat=True))
    expected = (*TURN_KINDS, Kind.ENDED, Kind.OFFER)
    assert min(kinds[kind] for kind in expected) >= 20


def nobody_was_flagged_unwarned(month: Month) -> None:
    """Before a flag, its user was told of the turn; of a long one, by the last warning."""
    for fall in month.falls:
        rows = Notice.objects.filter(user=fall.user, subject=fall.slug, kind__in=TURN_KINDS)
        own = {row.pk: row for row in rows if same_turn(row.serial, fall.serial)}
        assert {row.expires for row in own.values() if row.kind == Kind.TURN} <= {fall.deadline}
        last = [row for row in own.values() if row.kind == Kind.LAST]
        has_seen = any(
            user == fall.user and slug == fall.slug and fall.moment <= at < fall.deadline
            for at, user, slug in month.looks
        )
        told = {
            key
            for each in month.told
            if each.user == fall.user and each.at < fall.deadline
            for key in each.notices
        }
        assert has_seen or told & own.keys(), f"{fall} came without a word"
        if fall.deadline - fall.moment >= SURELY_MAILED_MS:
            assert last, f"{fall} has no last warning"
            final = max(last, key=lambda row: row.serial)
            assert final.expires == fall.deadline
            assert final.pk in told, f"{fall} came without the last warning {final.pk}"


def nobody_was_told_twice(month: Month) -> None:
    """A device shows a notice twice only if the end of the first try could not be stored."""
    shown = Counter(
        (told.place, key) for told in month.told if told.way == "push" for key in told.notices
    )
    for place, count in shown.items():
        assert count <= 1 + month.unsure[place], place
    mails = Counter(told.key for told in month.told if told.way == "mail")
    assert sum(count - 1 for count in mails.values()) <= month.crashes["mail"]
    in_mails: dict[int, set[str]] = defaultdict(set)
    for told in month.told:
        for notice in told.notices if told.way == "mail" else ():
            in_mails[notice].add(told.key)
    assert all(len(keys) == 1 for keys in in_mails.values())


def nothing_was_told_too_late(month: Month) -> None:
    """No notice was shown about a turn that had been made already."""
    stale = [told for told in month.told if told.is_stale]
    assert not stale


def no_hour_had_more_than_six_pushes(month: Month) -> None:
    for tried in month.tried.values():
        moments = sorted(tried.values())
        for first, seventh in zip(moments, moments[policy.MAX_PER_HOUR :], strict=False):
            assert seventh - first >= policy.HOUR_MS


def no_day_had_two_digests(month: Month) -> None:
    """Last warnings that a digest would bring too late come by mails of their own."""
    days: dict[tuple, set[str]] = defaultdict(set)
    for told in month.told:
        if told.way != "mail":
            continue
        prefs = Preferences.objects.get(user=told.user)
        kinds = set(Notice.objects.filter(pk__in=told.notices).values_list("kind", flat=True))
        if prefs.mail == Preferences.MailMode.DIGEST and kinds - {Kind.LAST}:
            day = datetime.fromtimestamp(told.at / 1000, zone_of(prefs)).date()
            days[told.user, day].add(told.key)
    assert len(days) > DAYS
    assert all(len(keys) == 1 for keys in days.values())


def nobody_had_too_many_holidays() -> None:
    starts: dict[int, list[int]] = defaultdict(list)
    for user, start in Holiday.objects.order_by("start").values_list("user", "start"):
        starts[user].append(start)
    for own in starts.values():
        assert max(Counter(map(year_of, own)).values()) <= MAX_DAYS_A_YEAR
        row = longest = 1
        for one, other in pairwise(own):
            row = row + 1 if other - one < 2 * DAY_MS else 1
            longest = max(longest, row)
        assert longest <= MAX_DAYS_IN_A_ROW
        assert all(other - one >= DAY_MS - MINUTE_MS for one, other in pairwise(own))
