"""Ratings on a profile: of an account's pools, at the time of the look."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.rating.pools import Speed
from games.rating.standing import ESTABLISHED_DEVIATION
from play.domain.clocks import DAY_MS, now
from ratings.models import Standing
from ratings.profile_ratings import rating_rows
from ratings.shown_ratings import MIN_GAMES
from tests.support.page_visitors import text_of
from tests.support.rated_games import DAYS, apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(db):
    """Ada, who has won a live game of Pincer and lost a slow one of Blotto, and bob."""
    ada, bob = create_accounts("ada", "bob")
    rated_game(ada, bob, "white")
    rated_game(ada, bob, "black", "blotto", DAYS)
    assert apply_all() == 2
    return ada, bob


def test_each_pool_has_its_rating_and_its_margin(rated) -> None:
    ada, _ = rated
    standing = Standing.objects.current().get(person__user=ada, rules="pincer")
    rows = rating_rows(ada, standing.at)
    assert [(row.game, row.speed, row.games) for row in rows] == [
        ("Blotto", "Days", 1),
        ("Pincer", "Live", 1),
    ]
    assert rows[1].rating == round(standing.rating / 1000) > 1500 > rows[0].rating
    assert rows[1].margin == round(standing.deviation / 500)
    assert all(row.is_provisional for row in rows)


def test_the_margin_grows_while_nothing_is_played(rated) -> None:
    ada, _ = rated
    at = Standing.objects.current().get(person__user=ada, rules="pincer").at
    margins = [rating_rows(ada, at + days * DAY_MS)[1].margin for days in (0, 100, 1_000)]
    assert margins == sorted(set(margins))


def test_a_rating_is_provisional_until_five_games_and_while_little_is_known(rated) -> None:
    ada, bob = rated
    for days in range(1, MIN_GAMES):
        rated_game(ada, bob, "white", at=now() + days * DAY_MS)
    apply_all()
    at = Standing.objects.current().latest("at").at
    assert [row.is_provisional for row in rating_rows(ada, at)] == [True, True]
    Standing.objects.current().update(deviation=ESTABLISHED_DEVIATION)
    assert [row.is_provisional for row in rating_rows(ada, at)] == [True, False]


def test_the_page_shows_them_and_leads_to_the_file(rated) -> None:
    page = Client().get("/u/ada/")
    said = text_of(page)
    assert re.search(r"Pincer Live 1[5-9]\d\d ± \d+ provisional 1 ", said)
    assert re.search(r"Blotto Days 1[0-4]\d\d ± \d+ provisional 1 ", said)
    assert Speed.LIVE.value not in re.findall(r"Pincer (\w+) ", said)
    assert 'href="/ratings.jsonl"' in page.content.decode()


def test_a_suspended_user_and_one_without_rated_games_have_none(rated) -> None:
    ada, bob = rated
    ada.is_active = False
    ada.save()
    assert rating_rows(ada, 0) == []
    (cy,) = create_accounts("cyn")
    assert rating_rows(cy, 0) == []
    assert 'id="ratings-head"' not in Client().get("/u/cyn/").content.decode()
    assert rating_rows(bob, 0)
    assert 'id="ratings-head"' in Client().get("/u/bob/").content.decode()


def test_they_take_one_query(rated) -> None:
    ada, _ = rated
    with CaptureQueriesContext(connection) as queries:
        rating_rows(ada, 0)
    assert len(queries) == 1
