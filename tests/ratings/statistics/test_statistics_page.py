"""The page of statistics: counted games, hidden games, and cost."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.account_service import delete_user, rename_user, suspend
from accounts.models import User
from accounts.people.relations import block
from games.rating.pools import Pool, Speed
from play.domain.clocks import SECOND_MS, Clock
from play.models import Step
from ratings.statistics import statistics
from ratings.statistics.statistics import Results, read_statistics
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import browser_of, has_word, someone, text_of
from tests.support.rated_games import DAYS, FISCHER, apply_all, rated_game

pytestmark = pytest.mark.django_db
PAGE = "/u/ada/statistics/pincer/live/"
LIVE = Pool("pincer", Speed.LIVE)


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


@pytest.fixture
def people(db) -> list[User]:
    return [someone(name) for name in ("ada", "bob", "cy")]


def played(white, black, winner="white", **about) -> TimedGame:
    return rated_game(white, black, winner, **about)


def rows_of(html: str) -> list[list[str]]:
    """The rows of all tables, as texts."""
    rows = re.findall(r"<tr>(<th scope=\"row\".*?)</tr>", html, re.DOTALL)
    return [re.findall(r"[^<>]+(?=</(?:a|span|td)>)", row) for row in rows]


def test_opponents_and_first_turns_are_counted_with_results(people) -> None:
    ada, bob, cy = people
    played(ada, bob, "white")
    played(ada, bob, "black")
    played(bob, ada, "")
    played(cy, ada, "black")
    page = Client().get(PAGE)
    found = rows_of(page.content.decode())
    turn = read_statistics(ada, LIVE).own_first[0][0]  # each game has the same first turn
    assert found == [
        ["bob", "1", "1", "1"],
        ["cy", "1", "0", "0"],
        [turn, "1", "0", "1"],  # as first player
        [turn, "1", "1", "0"],  # those of opponents
    ]
    assert "From 4 public games." in text_of(page)
    assert re.fullmatch(r"[a-g][1-7]-[a-g][1-7] [a-g][1-7]-[a-g][1-7]", turn)


def test_an_opponent_who_is_blocked_is_counted_and_not_named(people) -> None:
    ada, bob, cy = people
    played(ada, bob, "white")
    played(ada, cy, "white")
    block(cy, bob.username)
    page = browser_of(cy).get(PAGE)
    assert rows_of(page.content.decode())[0][0] == "cy"
    assert not has_word(page.content.decode(), "bob")
    assert "From 2 public games." in text_of(page)


def test_times_are_those_of_the_person(people) -> None:
    ada, bob, _ = people
    game = TimedGame(ada, bob, "pincer", FISCHER, True, is_fair=False)
    times = iter((1, 2, 12, 15, 32))  # s after the opening; white's second turn takes 10 s
    for number, at in enumerate(times):
        game.turn(("white", "black")[number % 2], at * SECOND_MS, seed=number)
    game.resign("black", 40 * SECOND_MS)
    found = read_statistics(ada, LIVE).time
    steps = Step.objects.filter(game=game.game.pk).count()
    assert (found.turns, found.games) == (2, 1)
    assert found.turn_ms == 13_500  # of 10 s and 17 s
    assert found.clock_percent == round(100 * 27 / (300 + 2 * 3))
    assert steps > 5
    assert "Time per move 14 s" in text_of(Client().get(PAGE))
    assert "Share of the clock 9 %" in text_of(Client().get(PAGE))


def test_splits_of_blotto_are_ones_own_in_any_order(people) -> None:
    ada, bob, _ = people
    for white, black in ((ada, bob), (bob, ada)):
        game = TimedGame(white, black, "blotto", Clock("limit", 60_000), True, is_fair=False)
        game.turn("white", 100, seed=3)
        game.turn("black", 200, seed=6)
        game.resign("black", 300)
    page = Client().get("/u/ada/statistics/blotto/live/")
    splits = [row for row in rows_of(page.content.decode()) if row[0] != "bob"]
    assert sorted(row[1:] for row in splits) == [["0", "0", "1"], ["1", "0", "0"]]
    for split, *_ in splits:
        troops = [int(part) for part in split.split()]
        assert (sum(troops), sorted(troops, reverse=True)) == (10, troops)
    assert "First moves of opponents" not in text_of(page)


def test_unlisted_running_and_void_games_are_not_counted_even_for_the_person(people) -> None:
    ada, bob, _ = people
    played(ada, bob)
    played(ada, bob, public=False)
    TimedGame(ada, bob, "pincer", FISCHER, True, is_fair=False)
    assert "From 1 public game." in text_of(browser_of(ada).get(PAGE))


def test_speeds_and_games_are_apart_and_the_most_played_comes_first(people) -> None:
    ada, bob, _ = people
    played(ada, bob)
    played(ada, bob, clock=DAYS)
    played(ada, bob, clock=DAYS)
    days = "/u/ada/statistics/pincer/days/"
    assert Client().get("/u/ada/statistics/").headers["Location"] == days
    assert "From 2 public games." in text_of(Client().get(days))
    page = Client().get(PAGE).content.decode()
    assert f'href="{PAGE}" aria-current="page"' in page
    assert f'href="{days}">' in page


def test_nobody_without_public_games_has_such_a_page(people) -> None:
    ada, bob, _ = people
    played(ada, bob, public=False)
    for path in ("/u/ada/statistics/", PAGE, "/u/cy/statistics/", "/u/x/statistics/"):
        assert Client().get(path).status_code == 404, path
    assert "/statistics/" not in Client().get("/u/ada/").content.decode()
    played(ada, bob)
    assert Client().get(PAGE).status_code == 200
    assert 'href="/u/ada/statistics/"' in Client().get("/u/ada/").content.decode()
    for path in ("amazons/live", "pincer/days", "chess/live"):
        assert Client().get(f"/u/ada/statistics/{path}/").status_code == 404, path
    suspend(ada.pk)
    assert Client().get(PAGE).status_code == 404
    assert "/statistics/" not in Client().get("/u/ada/").content.decode()


def test_the_page_of_a_rating_leads_there(people) -> None:
    ada, bob, _ = people
    played(ada, bob)
    apply_all()
    assert f'href="{PAGE}"' in Client().get("/u/ada/ratings/pincer/live/").content.decode()


def test_names_are_never_those_of_before(people) -> None:
    ada, bob, cy = people
    played(ada, bob)
    played(ada, cy)
    assert {row[0] for row in rows_of(Client().get(PAGE).content.decode())[:2]} == {"bob", "cy"}
    rename_user(bob, "robert")
    gone = delete_user(cy.pk)
    page = Client().get(PAGE).content.decode()
    assert {row[0] for row in rows_of(page)[:2]} == {"robert", gone}
    assert f"/u/{gone}/" not in page


def test_a_step_that_was_taken_back_is_no_first_turn(people) -> None:
    ada, bob, _ = people
    game = played(ada, bob)
    step = Step.objects.filter(game=game.game.pk).order_by("number").first()
    Step.objects.create(
        game=game.game, number=step.number, joint='{"white":"nonsense"}', at=0, spent="{}", undone=1
    )
    assert read_statistics(ada, LIVE).own_first[0][1] == Results(1, 0, 0)


def test_what_cannot_be_read_is_left_out(people) -> None:
    ada, bob, _ = people
    game = played(ada, bob)
    Step.objects.filter(game=game.game.pk).update(joint='{"white":"nonsense"}')
    found = read_statistics(ada, LIVE)
    assert (found.games, found.own_first) == (1, ())
    page = text_of(Client().get(PAGE))
    assert "bob" in page
    assert "First moves" not in page


def test_the_work_is_bounded_and_then_kept(people, monkeypatch) -> None:
    ada, bob, _ = people
    monkeypatch.setattr(statistics, "MAX_GAMES", 2)
    for _ in range(3):
        played(ada, bob)
    with CaptureQueriesContext(connection) as first:
        found = read_statistics(ada, LIVE)
    with CaptureQueriesContext(connection) as again:
        assert read_statistics(ada, LIVE) == found
    assert (found.games, len(first), len(again)) == (2, 3, 0)


def test_pools_are_counted_by_the_database(people) -> None:
    ada, bob, _ = people
    for _ in range(3):
        played(ada, bob)
    played(ada, bob, clock=DAYS)
    with CaptureQueriesContext(connection) as asked:
        found = statistics.pools_played(ada)
    assert list(found.items()) == [(LIVE, 3), (Pool("pincer", Speed.DAYS), 1)]
    (query,) = asked
    assert "GROUP BY" in query["sql"]  # a row for each pool, not for each game
