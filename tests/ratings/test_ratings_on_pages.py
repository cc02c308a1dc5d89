"""Ratings beside names: on the page of a game, in the lists, and in a lobby before one joins."""

import json
import re

import msgspec
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.people.computer_users import computer
from lobby.lobbies import lobby_service
from lobby.lobbies.lobby_topics import load_lobby
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_options import Options
from lobby.pairing.play_now import open_quick_game
from play.time_controls import days_clock, fischer_clock
from ratings.models import Standing
from tests.support.page_visitors import browser_of, ended, game_of, someone, text_of
from tests.support.rated_games import apply_all, rated_game
from watch.public_lists import initial_frame, stored_lists

pytestmark = pytest.mark.django_db
LIVE = Options("pincer", fischer_clock(5, 3), "white", True)
SLOW = Options("pincer", days_clock(1), "white", True)
BLOCK = re.compile(r'<script id="seat-ratings" type="application/json">(.*?)</script>')


@pytest.fixture
def rated(ada, bob) -> tuple[User, User]:
    """Ada and bob, with a rated live game of Pincer and ratings that are known."""
    rated_game(ada, bob, "white")
    apply_all()
    for user, points in ((ada, 1_712), (bob, 1_490)):
        rows = Standing.objects.filter(person__user=user)
        rows.update(rating=points * 1_000, deviation=45_000, games=9)
    return ada, bob


def shown(path: str, browser: Client | None = None) -> dict[str, dict[str, str]]:
    """The ratings in the page of a game."""
    page = (browser or Client()).get(path).content.decode()
    found = BLOCK.search(page)
    return json.loads(found[1]) if found else {}


def lists() -> dict:
    return msgspec.to_builtins(initial_frame())


def test_a_game_shows_both_ratings_to_its_players_and_to_spectators(rated) -> None:
    game = open_quick_game(*rated, "pincer", fischer_clock(3, 2))
    white = game.seats.get(role="white").user.username
    for browser in (Client(), browser_of(rated[0])):
        found = shown(game.get_absolute_url(), browser)
        by_name = {"ada": found["white"], "bob": found["black"]}
        if white == "bob":
            by_name = {"ada": found["black"], "bob": found["white"]}
        assert [by_name[name]["short"] for name in ("ada", "bob")] == ["1712", "1490"]
        assert re.fullmatch(r"Rating: 1712 ± 9\d", by_name["ada"]["title"])


def test_a_finished_game_shows_them_as_they_are_now(rated) -> None:
    ada, bob = rated
    game = open_quick_game(ada, bob, "pincer", fischer_clock(3, 2))
    ended(game, "white", "resigned", goals='{"white":100,"black":0}')
    path = game.get_absolute_url()
    before = sorted(each["short"] for each in shown(path).values())
    Standing.objects.filter(person__user=bob).update(rating=1_480_000)
    assert sorted(each["short"] for each in shown(path).values()) == ["1480", "1712"] != before
    bob.is_active = False
    bob.save()
    assert [each["short"] for each in shown(path).values()] == ["1712"]


def test_the_rating_is_that_of_the_pool_of_the_game(rated) -> None:
    assert shown(game_of(*rated).get_absolute_url()) == {}  # no clock: the pool of slow games
    game = open_quick_game(*rated, "blotto", fischer_clock(3, 2))
    assert shown(game.get_absolute_url()) == {}


def test_computers_and_guests_have_none_and_cost_no_query(rated) -> None:
    guest = User.objects.create(username="passer-by", is_guest=True)
    game = game_of(guest, computer(1))
    with CaptureQueriesContext(connection) as queries:
        assert shown(game.get_absolute_url()) == {}
    assert not [each for each in queries if "ratings_standing" in each["sql"]]


def test_open_games_show_the_rating_of_their_host_in_their_pool(rated) -> None:
    ada, bob = rated
    lobby_service.create(ada, LIVE)
    lobby_service.create(bob, SLOW)
    rows = {row["host"]: row for row in lists()["lobbies"]}
    assert (rows["ada"]["rating"], rows["ada"]["points"]) == ("1712", 1_712)
    assert (rows["bob"]["rating"], rows["bob"]["points"]) == ("", None)
    assert (rows["ada"]["pool"], rows["bob"]["pool"]) == ("pincer/live", "pincer/days")
    assert "ada 1712 Pincer" in text_of(Client().get("/"))


def test_running_games_show_ratings_where_computers_are_named(rated) -> None:
    ada, bob = rated
    game = open_quick_game(ada, bob, "pincer", fischer_clock(3, 2))
    game_of(someone("cyn"), computer(2))
    found = {row["slug"]: row for row in lists()["games"]}
    row = found.pop(game.slug)
    assert {row["white"]: row["white_is"], row["black"]: row["black_is"]} == {
        "ada": "1712",
        "bob": "1490",
    }
    (other,) = found.values()
    assert (other["white_is"], other["black_is"]) == ("", "computer")
    assert "1712" in text_of(Client().get("/watch/"))


def test_a_provisional_rating_is_marked(rated) -> None:
    ada, _ = rated
    Standing.objects.filter(person__user=ada).update(games=1)
    lobby_service.create(ada, LIVE)
    assert lists()["lobbies"][0]["rating"] == "1712?"


def test_the_lists_read_all_ratings_in_one_query(rated) -> None:
    for number in range(8):
        lobby_service.create(someone(f"host-{number}"), LIVE)
    open_quick_game(*rated, "pincer", fischer_clock(3, 2))
    with CaptureQueriesContext(connection) as queries:
        stored_lists()
    assert len([each for each in queries if "ratings_standing" in each["sql"]]) == 1


def test_who_is_invited_sees_the_rating_of_the_host(rated) -> None:
    ada, bob = rated
    lobby = lobby_service.create(ada, LIVE)
    invited = lobby_frame(load_lobby(lobby.code), bob.pk)
    assert re.fullmatch(r"Your opponent’s rating: 1712 ± 9\d", invited["invitation"]["rating"])
    assert [seat["rating"] for seat in invited["seats"]] == ["1712", ""]
    assert re.search(r"rating: 1712 ± 9\d", text_of(browser_of(bob).get(f"/l/{lobby.code}/")))
    other = lobby_service.create(ada, SLOW)
    assert lobby_frame(load_lobby(other.code), bob.pk)["invitation"]["rating"] == ""


def test_a_reader_is_told_the_own_ratings_and_a_guest_none(rated) -> None:
    guest = User.objects.create(username="passer-by", is_guest=True)
    path = "/ratings/own.json"
    assert browser_of(rated[0]).get(path).json() == {"pincer/live": 1_712}
    for browser in (Client(), browser_of(guest), browser_of(someone("cyn"))):
        assert browser.get(path).json() == {}
    assert Client().post(path).status_code == 405
    assert "no-store" in Client().get(path).headers["Cache-Control"]


def test_accounts_alone_may_filter_the_open_games(rated) -> None:
    guest = User.objects.create(username="passer-by", is_guest=True)
    for browser, is_offered in (
        (Client(), False),
        (browser_of(guest), False),
        (browser_of(rated[0]), True),
    ):
        assert ('id="near"' in browser.get("/").content.decode()) is is_offered
