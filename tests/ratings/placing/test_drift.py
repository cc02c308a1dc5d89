"""The monthly report how far people's ratings have moved from those of the levels."""

import pytest
from django.core.management import call_command

from accounts.people.computer_users import computer
from games.core import OTHER
from games.rating.pools import Speed
from play.domain import commands
from play.domain.clocks import DAY_MS, now
from ratings.models import DriftReport, Generation, Person, Standing, make_first_generation
from ratings.rules import drift
from ratings.rules.drift import measure_drift, performance, report_drift
from ratings.rules.scale import append_anchors
from tests.ratings.placement_games import ids
from tests.support.notice_games import TimedGame
from tests.support.rated_games import FISCHER, create_accounts

pytestmark = pytest.mark.django_db
EVEN = [1500, 1500, 1625, 1625]


def test_a_performance_is_where_the_score_is_expected() -> None:
    assert performance(EVEN, 2.0) == pytest.approx(1562.5, abs=0.1)
    assert performance([1500], 1.0) == pytest.approx(1500 + 190.8, abs=0.1)  # 3/4 of two games
    assert performance(EVEN, 4.0) < 2200
    assert performance(EVEN, 0.0) > 900
    assert performance(EVEN, 3.0) > performance(EVEN, 2.5)


def people(count: int, rating: int, *, deviation: int = 80_000) -> None:
    """Accounts with a rating who win and lose against level 3, and draw level."""
    append_anchors(now())
    make_first_generation()
    generation = Generation.objects.get(is_current=True)
    for user in create_accounts(*(f"p{n}" for n in range(count))):
        Standing.objects.create(
            generation=generation,
            person=Person.objects.create(user=user),
            rules="pincer",
            speed=Speed.LIVE.value,
            rating=rating * 1000,
            deviation=deviation,
            volatility=60_000_000,
            at=now(),
            games=20,
        )
        for n in range(4):
            role = ("white", "black")[n % 2]
            users = {role: user, OTHER[role]: computer(3)}
            game = TimedGame(users["white"], users["black"], "pincer", FISCHER, True, is_fair=False)
            game.turn("white", 1)
            game.turn("black", 2)
            game.do(commands.Resign(next(ids)), role if n < 2 else OTHER[role], 3)


def of_pincer(at: int) -> drift.Drift:
    return next(each for each in measure_drift(at) if each.rules == "pincer")


def test_the_drift_is_the_median_rating_minus_what_they_score(monkeypatch) -> None:
    monkeypatch.setattr(drift, "MIN_PEOPLE", 3)
    people(3, 1580)
    found = of_pincer(now() + 1000)
    assert (found.people, found.games, found.points) == (3, 12, 80)
    assert "+80 points" in str(found)


def test_too_little_data_is_said(monkeypatch) -> None:
    people(2, 1580)
    found = of_pincer(now() + 1000)
    assert (found.people, found.points) == (2, None)
    assert "too little data: 2 of 10 people" in str(found)
    monkeypatch.setattr(drift, "MIN_PEOPLE", 2)
    assert of_pincer(now() + 1000).points == 80
    assert of_pincer(now() + drift.WINDOW_MS + DAY_MS).points is None  # these games are old


def test_provisional_ratings_are_left_out(monkeypatch) -> None:
    monkeypatch.setattr(drift, "MIN_PEOPLE", 1)
    people(2, 1580, deviation=150_000)
    assert of_pincer(now() + 1000).people == 0


def test_a_month_has_one_report_in_the_log(caplog) -> None:
    append_anchors(now())
    with caplog.at_level("INFO", "quiver.ratings"):
        assert report_drift(202611, now())
        assert not report_drift(202611, now())
        assert not report_drift(202610, now())  # a clock that was set back
        assert report_drift(202612, now())
    assert DriftReport.objects.count() == 8
    events = [each for each in caplog.records if getattr(each, "event", "") == "rating_drift"]
    assert len(events) == 8


def test_the_command_prints_it(capsys) -> None:
    call_command("ratings", "--drift")
    assert "pincer: too little data" in capsys.readouterr().out
