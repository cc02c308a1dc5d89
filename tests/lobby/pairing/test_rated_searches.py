"""Searches for rated games: for accounts, among themselves, near in rating, never a computer."""

import pytest
from django.test import Client

from accounts.models import Block, User
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.pairing import search_service
from lobby.pairing.models import RefusedPair, Search
from lobby.pairing.pairing_round import run_round
from lobby.pairing.play_now import open_quick_game
from lobby.pairing.rating_fit import MAX_RATED_GAP
from lobby.pairing.search_presence import note_seen
from play.domain.clocks import now
from play.models import Game, Seat
from play.time_controls import fischer_clock
from ratings.models import Standing
from tests.lobby.pairing.test_search_again import miss
from tests.lobby.pairing.test_search_service import PINCER, SLOWER, of, paired, say, state
from tests.lobby.refusals import refusal
from tests.support.page_visitors import browser_of, someone, text_of
from tests.support.rated_games import apply_all, rated_game

pytestmark = pytest.mark.django_db
URL = "/play/online/"
FORM = {"game": "pincer", "pace": "0", "rated": "yes"}
RATED_LOBBY = Options("pincer", fischer_clock(3, 2), "white", True, rated=True)


@pytest.fixture
def guest(db) -> User:
    return User.objects.create(username="passer-by", is_guest=True)


def search(user: User, *choices, is_rated: bool = True) -> None:
    search_service.start(user, choices or [PINCER], is_rated)
    note_seen([user.pk], now())


def meet(one: User, two: User) -> Game:
    """Pair two who search, and let both pages answer."""
    paired(one, two)
    say(one)
    say(two)
    return Game.objects.latest("pk")


def rate(user: User, points: int) -> None:
    Standing.objects.filter(person__user=user).update(rating=points * 1_000, deviation=60_000)


def test_two_who_search_for_a_rated_game_play_one(ada, bob) -> None:
    search(ada)
    search(bob)
    game = meet(ada, bob)
    assert (game.is_rated, game.is_public, game.rules) == (True, True, "pincer")
    assert Lobby.objects.get(code=game.lobby).options.rated
    assert all(Seat.objects.filter(game=game).values_list("has_account", flat=True))


def test_rated_and_casual_searches_do_not_meet(ada, bob) -> None:
    search(ada)
    search(bob, is_rated=False)
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "looking")
    search(someone("cy"), is_rated=False)
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "asked")


def test_who_accepts_casual_games_too_plays_what_the_other_wants(ada, bob) -> None:
    search(ada)
    search(bob, is_rated=False)
    search_service.accept_casual(ada.pk)
    assert not meet(ada, bob).is_rated
    cy, dee = someone("cy"), someone("dee")
    search(cy)
    search(dee)
    search_service.accept_casual(cy.pk)
    assert meet(cy, dee).is_rated


def test_accepting_casual_games_keeps_the_place_and_changes_no_other_search(ada, bob) -> None:
    search_service.accept_casual(ada.pk)
    assert not Search.objects.exists()
    search(ada)
    created = of(ada).created
    search_service.accept_casual(ada.pk)
    search_service.accept_casual(ada.pk)
    assert (of(ada).rated, of(ada).created) == (Search.Rated.EITHER, created)
    search(bob, is_rated=False)
    search_service.accept_casual(bob.pk)
    assert of(bob).rated == Search.Rated.NO


def test_a_search_that_was_left_and_taken_up_again_is_still_rated(ada) -> None:
    search(ada)
    search_service.end(of(ada), Search.Why.LEFT)
    search_service.return_to(ada.pk, False)
    assert (state(ada), of(ada).rated) == ("looking", Search.Rated.YES)
    search_service.start(ada, [SLOWER])
    assert of(ada).rated == Search.Rated.NO


def test_players_too_far_apart_meet_in_casual_games_alone(ada, bob) -> None:
    rated_game(ada, bob)
    apply_all()
    rate(ada, 1_500)
    rate(bob, 1_501 + MAX_RATED_GAP)
    for is_rated, after in ((True, "looking"), (False, "asked")):
        search(ada, is_rated=is_rated)
        search(bob, is_rated=is_rated)
        run_round("me")
        assert (state(ada), state(bob)) == (after, after)
    search_service.stop(ada.pk)
    RefusedPair.objects.all().delete()
    rate(bob, 1_500 + MAX_RATED_GAP)
    search(ada)
    search(bob)
    run_round("me")
    assert state(ada) == "asked"


def test_the_nearest_are_paired_and_the_one_who_is_left_comes_first_later(ada, bob) -> None:
    cy, dee = someone("cy"), someone("dee")
    people = {ada: 1_500, bob: 1_900, cy: 1_520, dee: 1_890}
    for one, two in ((ada, bob), (cy, dee)):
        rated_game(one, two)
    apply_all()
    for user, points in people.items():
        rate(user, points)
        search(user)
    run_round("me")
    assert (of(ada).partner, of(bob).partner) == (cy, dee)


def test_blocked_people_do_not_meet_in_rated_games(ada, bob) -> None:
    Block.objects.create(blocker=bob, blocked=ada, at=now())
    search(ada)
    search(bob)
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "looking")


def test_a_guest_searches_for_casual_games_alone(ada, guest) -> None:
    assert refusal(search_service.start, guest, [PINCER], True) is LobbyReason.NO_ACCOUNT
    clock = fischer_clock(3, 2)
    assert refusal(open_quick_game, ada, guest, "pincer", clock, True) is LobbyReason.NO_ACCOUNT
    assert not Search.objects.exists() and not Game.objects.exists()


def test_a_stranger_is_refused_before_a_guest_is_made(client) -> None:
    answer = client.post(URL, FORM)
    assert answer.status_code == 409
    assert "This game is rated. Sign in or sign up to play it." in text_of(answer)
    assert not User.objects.exists()
    client.cookies["quiver-search"] = "game=pincer&pace=0&rated=yes"
    assert client.post("/play-now/", {"game": "pincer"}).status_code == 302
    assert Search.objects.get().rated == Search.Rated.NO


@pytest.mark.parametrize("value", ["maybe", "YES", "either", "1", "\x00"])
def test_another_value_starts_nothing(ada, value) -> None:
    answer = browser_of(ada).post(URL, FORM | {"rated": value})
    assert answer.status_code == 400
    assert not Search.objects.exists()


def test_accounts_choose_and_the_choice_is_remembered(ada, guest) -> None:
    browser = browser_of(ada)
    assert 'value="no" checked' in browser.get(URL).content.decode()
    assert browser.post(URL, FORM).status_code == 302
    assert of(ada).rated == Search.Rated.YES
    assert 'id="looking-terms">Rated<' in browser.get(URL).content.decode()
    browser.post("/play/online/stop/")
    assert 'value="yes" checked' in browser.get(URL).content.decode()
    for other in (Client(), browser_of(guest)):
        page = other.get(URL)
        assert 'name="rated"' not in page.content.decode()
        assert "Casual. To play rated games, sign in ." in text_of(page)


def test_the_page_of_a_rated_search_offers_casual_games_too(ada) -> None:
    browser = browser_of(ada)
    browser.post(URL, FORM)
    shown = 'action="/play/online/casual/" id="casual-too">'
    assert shown in browser.get(URL).content.decode()
    assert browser.get("/play/online/casual/").url == "/play/online/"
    assert browser.post("/play/online/casual/").headers["Location"] == URL
    assert of(ada).rated == Search.Rated.EITHER
    page = browser.get(URL).content.decode()
    assert shown not in page and "Rated or casual" in page
    assert Client().post("/play/online/casual/").headers["Location"] == URL


def test_the_computer_game_beside_a_rated_search_is_casual(ada) -> None:
    browser = browser_of(ada)
    browser.post(URL, FORM)
    browser.post("/play/online/computer/")
    assert not Game.objects.get().is_rated
    assert state(ada) == "looking"


def test_a_pair_that_cannot_start_looks_on(ada, bob) -> None:
    search(ada)
    search(bob)
    paired(ada, bob)
    User.objects.filter(pk=bob.pk).update(is_guest=True)  # as any later refusal
    say(ada)
    say(bob)
    assert (state(ada), state(bob)) == ("looking", "looking")
    assert not Game.objects.exists()
    run_round("me")
    assert state(ada) == "looking"


def test_who_missed_a_rated_opponent_searches_for_another_one(ada, bob) -> None:
    search(ada)
    search(bob)
    game = miss(meet(ada, bob), bob)
    browser_of(ada).post(f"/l/{game.lobby}/search/")
    assert of(ada).rated == Search.Rated.YES
