"""After a missed first turn: back into the search, and a pause for those who miss many."""

import pytest
from django.test import Client

from accounts.models import User
from lobby import lobby_service, rematch
from lobby.lobby_options import PRESETS, Options, fischer_clock
from lobby.lobby_refusals import Reason, Refused
from lobby.lobby_view import lobby_frame
from lobby.models import Lobby
from lobby.play_now import (
    MAX_NO_SHOWS,
    NO_SHOW_PAUSE_MS,
    NO_SHOW_WINDOW_MS,
    SEARCH_AGAIN_MS,
    play_now,
    search_again,
)
from play.domain.clocks import now
from play.models import ABSENT, Game, Seat
from tests.support.page_visitors import ended, someone, text_of

pytestmark = pytest.mark.django_db
QUICK = Options("pincer", PRESETS["pincer"][1], "lot", True)


def miss(game: Game, *absent) -> Game:
    """Ends a game as the clocks do when users have made no first move."""
    ended(game, "", "no_show", goals='{"white":0,"black":0}')
    Seat.objects.filter(game=game).update(result="void")
    Seat.objects.filter(game=game, user__in=absent).update(result=ABSENT)
    rematch.reopen(game.lobby)
    return game


def browser_of(user) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def refusal(deed, *args) -> Reason:
    with pytest.raises(Refused) as refused:
        deed(*args)
    return refused.value.reason


def shown(code: str, user) -> bool:
    """Whether a user's page of the game is told to search again."""
    lobby = Lobby.objects.with_games().get(code=code)
    return lobby_frame(lobby, user.pk)["again"]["search"]


def quick_game(host, guest) -> Game:
    """A game that "Play now" has made of a lobby with a clock of its own."""
    lobby_service.create(host, QUICK)
    game = play_now(guest, "pincer")
    assert isinstance(game, Game)
    return game


def test_who_was_there_looks_for_the_same_game_and_clock(ada, bob) -> None:
    game = miss(quick_game(ada, bob), bob)
    assert (shown(game.lobby, ada), shown(game.lobby, bob)) == (True, False)
    place = search_again(game.lobby, ada)
    assert isinstance(place, Lobby)
    assert (place.code != game.lobby, place.options) == (True, QUICK)
    assert place.places[0].user == ada and place.places[0].is_ready
    assert Lobby.objects.get(code=game.lobby).place_of(ada.pk) is None
    assert search_again(game.lobby, ada) == place  # the same request, sent again
    assert play_now(someone("cy"), "pincer").lobby == place.code


def test_who_waits_with_the_same_clock_is_the_next_opponent(ada, bob) -> None:
    game = miss(quick_game(ada, bob), bob)
    lobby_service.create(someone("cy"), Options("pincer", fischer_clock(3, 2), "lot", True))
    same = lobby_service.create(someone("dee"), QUICK)
    assert search_again(game.lobby, ada).lobby == same.code


def test_who_was_absent_does_not_search(ada, bob) -> None:
    game = miss(quick_game(ada, bob), bob)
    assert refusal(search_again, game.lobby, bob) == Reason.NO_SEARCH
    assert refusal(search_again, game.lobby, someone("cy")) == Reason.NO_SEARCH
    both = miss(
        quick_game(someone("dee"), someone("eli")), *Seat.objects.values_list("user", flat=True)
    )
    for seat in both.seats.all():
        assert not shown(both.lobby, seat.user)


def test_a_lobby_by_link_or_from_the_list_stays_what_it_is(ada, bob) -> None:
    for public in (True, False):
        lobby = lobby_service.create(ada, Options("pincer", QUICK.clock, "lot", public))
        game = miss(lobby_service.sit(lobby.code, bob).game, bob)
        assert not shown(game.lobby, ada)
        assert refusal(search_again, game.lobby, ada) == Reason.NO_SEARCH


@pytest.mark.parametrize("reason", ["aborted", "resigned"])
def test_no_other_end_leads_back_into_the_search(ada, bob, reason) -> None:
    game = quick_game(ada, bob)
    ended(game, "white" if reason == "resigned" else "", reason, goals='{"white":0,"black":0}')
    rematch.reopen(game.lobby)
    assert not shown(game.lobby, ada)


def test_a_page_that_comes_back_late_does_not_search(ada, bob) -> None:
    game = miss(quick_game(ada, bob), bob)
    Game.objects.update(ended=now() - SEARCH_AGAIN_MS - 1)
    assert not shown(game.lobby, ada)
    assert refusal(search_again, game.lobby, ada) == Reason.NO_SEARCH


def test_its_address_answers_scripts_and_forms(ada, bob) -> None:
    game = miss(quick_game(ada, bob), bob)
    page = browser_of(ada)
    url = f"/l/{game.lobby}/search/"
    assert page.get(url).status_code == 405
    next_url = page.post(url, headers={"accept": "application/json"}).json()["next"]
    assert next_url == Lobby.objects.exclude(code=game.lobby).get().get_absolute_url()
    assert page.post(url).headers["location"] == next_url
    refused = browser_of(bob).post(url, headers={"accept": "application/json"})
    assert (refused.status_code, refused.json()["refused"]["reason"]) == (409, "no_search")
    assert browser_of(bob).post(url).status_code == 409
    assert page.post("/l/none/search/").status_code == 404


def missed(user, count: int) -> None:
    for _ in range(count):
        miss(quick_game(someone(f"host{User.objects.count()}"), user), user)


def test_three_missed_starts_within_an_hour_pause_the_search(ada) -> None:
    missed(ada, MAX_NO_SHOWS - 1)
    assert play_now(ada, "pincer")
    Lobby.objects.all().delete()
    missed(ada, 1)
    assert refusal(play_now, ada, "pincer") == Reason.NO_SHOWS
    answer = browser_of(ada).post("/play-now/", {"game": "pincer"})
    assert answer.status_code == 409
    assert "Search again in 10 minutes." in text_of(answer)
    Game.objects.update(ended=now() - NO_SHOW_PAUSE_MS)
    assert isinstance(play_now(ada, "pincer"), Lobby)


def test_old_ones_are_forgotten_and_a_running_game_is_still_found(ada, bob) -> None:
    missed(ada, MAX_NO_SHOWS)
    Game.objects.filter(pk=Game.objects.order_by("pk")[0].pk).update(
        ended=now() - NO_SHOW_WINDOW_MS - 1
    )
    assert isinstance(play_now(ada, "pincer"), Lobby)
    game = play_now(bob, "pincer")
    Game.objects.filter(reason="no_show").update(ended=now())
    assert play_now(ada, "pincer") == game
