"""After a missed first turn: back into the search, and a pause for those who miss many."""

import pytest
from django.test import Client

from accounts.models import User
from lobby.lobbies import lobby_service, rematch
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.pairing import search_service
from lobby.pairing.models import Search
from lobby.pairing.play_now import (
    MAX_NO_SHOWS,
    NO_SHOW_PAUSE_MS,
    NO_SHOW_WINDOW_MS,
    SEARCH_AGAIN_MS,
    leave_for_search,
    open_quick_game,
)
from play.domain.clocks import now
from play.models import ABSENT, Game, Seat
from play.time_controls import PRESETS, clock_value
from tests.lobby.refusals import refusal
from tests.support.page_visitors import browser_of, ended, someone, text_of

pytestmark = pytest.mark.django_db
CLOCK = PRESETS["pincer"][1]
PINCER = ("pincer", clock_value(CLOCK))


def miss(game: Game, *absent) -> Game:
    """Ends a game as the clocks do when users have made no first move."""
    ended(game, "", "no_show", goals='{"white":0,"black":0}')
    Seat.objects.filter(game=game).update(result="void")
    Seat.objects.filter(game=game, user__in=absent).update(result=ABSENT)
    rematch.reopen(game.lobby)
    return game


def shown(code: str, user) -> bool:
    """Whether a user's page of the game is told to search again."""
    lobby = Lobby.objects.with_games().get(code=code)
    return lobby_frame(lobby, user.pk)["again"]["search"]


def quick_game(one, two) -> Game:
    """A game that a search has made."""
    return open_quick_game(one, two, "pincer", CLOCK)


def test_who_was_there_leaves_the_lobby_to_search(ada, bob) -> None:
    game = miss(quick_game(ada, bob), bob)
    assert (shown(game.lobby, ada), shown(game.lobby, bob)) == (True, False)
    lobby = leave_for_search(game.lobby, ada)
    assert (lobby.rules, lobby.clock) == ("pincer", CLOCK)
    assert Lobby.objects.get(code=game.lobby).place_of(ada.pk) is None
    assert leave_for_search(game.lobby, ada) == lobby  # the same request, sent again


def test_who_was_absent_does_not_search(ada, bob) -> None:
    game = miss(quick_game(ada, bob), bob)
    assert refusal(leave_for_search, game.lobby, bob) == LobbyReason.NO_SEARCH
    assert refusal(leave_for_search, game.lobby, someone("cy")) == LobbyReason.NO_SEARCH
    both = miss(
        quick_game(someone("dee"), someone("eli")), *Seat.objects.values_list("user", flat=True)
    )
    for seat in both.seats.all():
        assert not shown(both.lobby, seat.user)


def test_a_lobby_by_link_stays_what_it_is(ada, bob) -> None:
    lobby = lobby_service.create(ada, Options("pincer", CLOCK, "lot", False))
    game = miss(lobby_service.sit(lobby.code, bob).game, bob)
    assert not shown(game.lobby, ada)
    assert refusal(leave_for_search, game.lobby, ada) == LobbyReason.NO_SEARCH


def test_whoever_joined_an_absent_host_from_the_list_leaves_to_search(ada, bob) -> None:
    lobby = lobby_service.create(ada, Options("pincer", CLOCK, "lot", True))
    game = miss(lobby_service.sit(lobby.code, bob).game, ada)
    assert (shown(game.lobby, ada), shown(game.lobby, bob)) == (False, True)
    leave_for_search(game.lobby, bob)
    assert Lobby.objects.get(code=game.lobby).place_of(bob.pk) is None


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
    assert refusal(leave_for_search, game.lobby, ada) == LobbyReason.NO_SEARCH


def test_its_address_answers_scripts_and_forms(ada, bob) -> None:
    game = miss(quick_game(ada, bob), bob)
    page = browser_of(ada)
    url = f"/l/{game.lobby}/search/"
    assert page.get(url).url == f"/l/{game.lobby}/"
    answer = page.post(url, headers={"accept": "application/json"})
    assert answer.json()["next"] == "/play/online/"
    assert Search.objects.get(user=ada).choices == [list(PINCER)]
    assert page.post(url).headers["location"] == "/play/online/"
    assert "Pincer · 5 + 3" in text_of(page.get("/play/online/"))
    refused = browser_of(bob).post(url, headers={"accept": "application/json"})
    assert (refused.status_code, refused.json()["refused"]["reason"]) == (409, "no_search")
    assert browser_of(bob).post(url).status_code == 409
    assert Client().post(url).status_code == 409
    assert page.post("/l/none/search/").status_code == 404


def missed(user, count: int) -> None:
    for _ in range(count):
        miss(quick_game(someone(f"host{User.objects.count()}"), user), user)


def test_three_missed_starts_within_an_hour_pause_the_search(ada) -> None:
    missed(ada, MAX_NO_SHOWS - 1)
    assert search_service.start(ada, [PINCER])
    missed(ada, 1)
    assert refusal(search_service.start, ada, [PINCER]) == LobbyReason.NO_SHOWS
    answer = browser_of(ada).post("/play-now/", {"game": "pincer"})
    assert answer.status_code == 409
    assert "Search again in 10 minutes." in text_of(answer)
    Game.objects.update(ended=now() - NO_SHOW_PAUSE_MS)
    assert isinstance(search_service.start(ada, [PINCER]), Search)


def test_missed_starts_of_games_with_days_pause_nothing(ada) -> None:
    missed(ada, MAX_NO_SHOWS)
    Game.objects.update(clock_kind="days")
    assert isinstance(search_service.start(ada, [PINCER]), Search)


def test_old_ones_are_forgotten_and_a_running_game_is_still_found(ada, bob) -> None:
    missed(ada, MAX_NO_SHOWS)
    Game.objects.filter(pk=Game.objects.order_by("pk")[0].pk).update(
        ended=now() - NO_SHOW_WINDOW_MS - 1
    )
    assert isinstance(search_service.start(ada, [PINCER]), Search)
    game = quick_game(ada, bob)
    Game.objects.filter(reason="no_show").update(ended=now())
    assert search_service.start(ada, [PINCER]) == game
