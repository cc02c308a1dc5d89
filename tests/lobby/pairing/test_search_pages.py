"""The page of the search: its form, its remembered choice, and answers to bad input."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.limits import rate_limits
from accounts.models import User
from lobby.models import Lobby
from lobby.pairing import search_service
from lobby.pairing.models import Search
from lobby.pairing.pairing_round import run_round
from lobby.pairing.play_now import open_quick_game
from lobby.pairing.search_presence import note_seen
from play.domain.clocks import now
from play.models import Game
from play.time_controls import PRESETS, fischer_clock
from tests.lobby.test_lobby import at_once
from tests.support.page_visitors import at_home, someone, text_of

pytestmark = pytest.mark.django_db
URL = "/play/online/"


def chosen(page: str) -> list[str]:
    """The values that are checked in a page."""
    inputs = page.split("<input ")[1:]
    return [each.split('value="')[1].split('"')[0] for each in inputs if " checked>" in each]


def test_a_stranger_becomes_a_guest_with_the_search(client) -> None:
    page = client.get(URL).content.decode()
    assert chosen(page) == [*PRESETS, "0", "1"]
    assert not User.objects.exists()
    answer = client.post(URL, {"game": ["pincer", "blotto"], "pace": ["1", "0"]})
    assert answer.headers["Location"] == URL
    search = Search.objects.get()
    assert search.user.is_guest
    assert search.choices == [
        ["blotto", "limit:30"],
        ["pincer", "fischer:180:2"],
        ["blotto", "limit:60"],
        ["pincer", "fischer:300:3"],
    ]
    text = text_of(client.get(URL))
    assert "Colonel Blotto · 30 s, 1 min" in text and "Pincer · 3 + 2, 5 + 3" in text


def test_the_choice_is_remembered_and_an_address_asks_for_one_game(client) -> None:
    client.post(URL, {"game": ["pincer", "blotto"], "pace": ["2"]})
    client.post("/play/online/stop/")
    assert Search.objects.get().state == "ended"
    assert chosen(client.get(URL).content.decode()) == ["blotto", "pincer", "2"]
    assert chosen(client.get(f"{URL}?game=amazons").content.decode()) == ["amazons", "2"]
    assert chosen(client.get(f"{URL}?game=chess").content.decode()) == ["blotto", "pincer", "2"]
    client.cookies["quiver-search"] = "game=chess&pace=9"
    assert chosen(client.get(URL).content.decode()) == [*PRESETS, "0", "1"]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"game": "pincer"},
        {"pace": "0"},
        {"game": "chess", "pace": "0"},
        {"game": ["pincer", "chess"], "pace": "0"},
        {"game": "pincer", "pace": "3"},
        {"game": "pincer", "pace": "-1"},
        {"game": "pincer", "pace": "x"},
    ],
)
def test_a_form_that_the_page_does_not_offer_changes_nothing(client, form) -> None:
    answer = client.post(URL, form)
    assert answer.status_code == 400
    assert "Nothing was started" in text_of(answer)
    assert not User.objects.exists() and not Search.objects.exists()


def test_play_now_searches_one_game_or_all(client) -> None:
    assert client.get("/play-now/").url == "/play/online/"
    assert client.post("/play-now/", {"game": "chess"}).status_code == 400
    assert Client(enforce_csrf_checks=True).post("/play-now/").status_code == 403
    assert User.objects.count() == 0
    assert client.post("/play-now/", {"game": "pincer"}).headers["Location"] == URL
    assert {key for key, _ in Search.objects.get().choices} == {"pincer"}
    client.post("/play-now/")
    assert {key for key, _ in Search.objects.get().choices} == set(PRESETS)
    assert not Lobby.objects.exists()


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        ("fischer:300:3", ["fischer:300:3"]),
        ("fischer:7:0", ["fischer:180:2", "fischer:300:3"]),  # custom: the usual clocks
        ("none", ["fischer:180:2", "fischer:300:3"]),
        ("<nonsense>", ["fischer:180:2", "fischer:300:3"]),
    ],
)
def test_a_new_opponent_is_searched_with_game_and_clock_of_the_last_game(client, clock, expected):
    form = {"game": "pincer", "clock": clock, "rated": "no"}
    assert client.post("/play-now/", form).headers["Location"] == URL  # a stranger becomes a guest
    search = Search.objects.get()
    assert [tuple(choice) for choice in search.choices] == [("pincer", each) for each in expected]
    assert search.rated == Search.Rated.NO


def test_who_plays_already_is_led_back_to_the_game() -> None:
    ada, browser = at_home("ada")
    game = open_quick_game(ada, someone("bob"), "pincer", fischer_clock(3, 2))
    assert "You have a game running." in text_of(browser.get(URL))
    form = {"game": "blotto", "pace": "0"}
    assert browser.post(URL, form).headers["Location"] == game.get_absolute_url()
    assert not Search.objects.exists()


def test_the_computer_is_played_beside_the_search_and_the_page_follows_it() -> None:
    ada, browser = at_home("ada")
    computer = "/play/online/computer/"
    assert browser.post(computer).headers["Location"] == URL
    assert not Game.objects.exists()
    browser.post(URL, {"game": "pincer", "pace": "0"})
    url = browser.post(computer).headers["Location"]
    game = Game.objects.get()
    assert (url, game.clock_kind, game.is_public) == (game.get_absolute_url(), "none", False)
    assert Search.objects.get().state == "looking"
    assert 'data-searches="yes"' in browser.get(url).content.decode()
    search_service.stop(ada.pk)
    assert "data-searches" not in browser.get(url).content.decode()


def test_a_hundred_searches_from_one_network_are_allowed_but_not_any_number() -> None:
    form = {"game": "pincer", "pace": "0"}
    _, browser = at_home("ada")
    statuses = [
        browser.post(URL, form, REMOTE_ADDR="203.0.113.7").status_code
        for _ in range(rate_limits.SEARCHES.by_user + 1)
    ]
    assert statuses == [302] * rate_limits.SEARCHES.by_user + [429]
    assert rate_limits.SEARCHES.by_address >= 100


def test_the_page_says_how_many_search(client) -> None:
    for name in ("ada", "bob"):
        user = someone(name)
        search_service.start(user, [("pincer", "fischer:180:2")])
        note_seen([user.pk], now())
    assert "2 people searching" in text_of(client.get(URL))


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_the_same_moment_start_one_search() -> None:
    for number in range(4):
        user = User.objects.create(username=f"user-{number}")
        start = [lambda u=user: search_service.start(u, [("pincer", "fischer:180:2")])] * 3
        at_once(*start)
        assert Search.objects.filter(user=user, state="looking").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_answers_at_the_same_moment_open_one_game(searches) -> None:
    for number in range(4):
        pair = [User.objects.create(username=f"{name}-{number}") for name in ("ada", "bob")]
        for user in pair:
            searches(user)
        run_round("me")
        asked = {search.user_id: search.deadline for search in Search.objects.active()}
        at_once(
            *[
                lambda u=user, at=asked[user.pk]: search_service.answer(u.pk, at, True, "tab")
                for user in pair * 2
            ]
        )
        assert Game.objects.filter(seats__user=pair[0]).count() == 1


def test_a_game_can_be_left_open_from_the_search() -> None:
    _, browser = at_home("ada")
    browser.post(URL, {"game": ["pincer", "blotto"], "pace": "0"})
    page = browser.get(URL).content.decode()
    assert f'action="{reverse("open-games")}"' in page
    assert '<input type="hidden" name="game" value="blotto">' in page
    answer = browser.post(reverse("open-games"), {"game": "blotto"})
    assert answer.headers["Location"] == reverse("open-games")
