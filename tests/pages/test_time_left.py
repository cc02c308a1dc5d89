"""The games that wait for somebody, by the time left."""

import pytest

from play.domain.clocks import DAY_MS, HOUR_MS, MINUTE_MS, now
from play.models import Game
from tests.support.page_visitors import game_of, someone
from watch.own_games import games_under_way, own_games_frame


@pytest.mark.django_db
def test_games_that_wait_come_by_the_time_left_and_those_without_a_clock_last():
    ada, bob, cy = someone("ada"), someone("bob"), someone("cy")
    games = {
        name: game_of(ada, cy if name == "hours" else bob) for name in ("days", "hours", "none")
    }
    others = game_of(bob, ada)
    for name, left in {"days": 3 * DAY_MS, "hours": 5 * HOUR_MS}.items():
        deadline = now() + left + MINUTE_MS
        Game.objects.filter(pk=games[name].pk).update(clock_kind="days", deadline=deadline)
    Game.objects.filter(pk=others.pk).update(clock_kind="days", deadline=now() + 1)
    rows = own_games_frame(games_under_way(ada))["rows"]
    assert [(row["id"], row["left"], row["title"]) for row in rows] == [
        (games["hours"].slug, "5 hours left", "Against cy"),
        (games["days"].slug, "3 days left", "Against bob"),
        (games["none"].slug, "", "Against bob"),
        (others.slug, "", "Against bob"),
    ]


@pytest.mark.django_db
def test_the_time_of_a_running_clock_is_not_told_in_a_list():
    ada, bob = someone("ada"), someone("bob")
    game = game_of(ada, bob)
    Game.objects.filter(pk=game.pk).update(clock_kind="fischer", deadline=now() + MINUTE_MS)
    (row,) = own_games_frame(games_under_way(ada))["rows"]
    assert row["left"] == ""
