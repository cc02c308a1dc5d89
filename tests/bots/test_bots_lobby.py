"""Computer players in lobbies: seated by the host and always ready."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module

import pytest
from django.contrib.auth import authenticate

from accounts.models import User
from accounts.people.computer_users import NAMES, computer, computers
from accounts.refusals import Refused
from games.players import levels
from lobby import computer_seats as against_it
from lobby.computer_seats import play_computer, seat_computer
from lobby.lobbies import lobby_service, rematch
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.domain import endings
from play.domain.clocks import Clock, now
from play.models import Game
from play.runtime.seat_presence import check_claim
from play.time_controls import NO_CLOCK, fischer_clock, limit_clock
from tests.lobby.test_lobby import at_once, roles
from tests.support.bot_workers import against
from tests.support.loop_runtime import game_service, seats
from tests.support.page_visitors import ended

pytestmark = pytest.mark.django_db
OPTIONS = Options("pincer", fischer_clock(3, 2), "white", True)


@pytest.fixture
def without_numba(monkeypatch) -> Iterator[None]:
    """A machine without numba, where Blotto needs it from level 5 on and Pincer does not at all."""
    for key, free in (("blotto", 4), ("pincer", 8)):
        spread = [replace(each, needs_numba=each.number > free) for each in levels.levels_of(key)]
        settings = import_module(f"{levels.ENGINES[key]}.settings")
        monkeypatch.setattr(settings, "LEVELS", {key: tuple(spread)})
    levels.levels_of.cache_clear()
    monkeypatch.setattr(levels, "has_numba", lambda: False)
    yield
    levels.levels_of.cache_clear()


def refusal(deed, *args) -> LobbyReason:
    """The reason for which a deed is refused; checks that no lobby changes."""
    before = list(Lobby.objects.values_list("rev"))
    with pytest.raises(Refused) as refused:
        deed(*args)
    assert list(Lobby.objects.values_list("rev")) == before
    return refused.value.reason


def end(game: Game) -> None:
    ended(game, "white", "resigned", goals='{"white":100,"black":0}')


def test_the_game_starts_when_the_host_who_is_ready_seats_the_computer(ada) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    begun = seat_computer(lobby.code, ada, 2, 5)
    assert roles(begun.game) == {"white": "ada", "black": "Kestrel"}
    assert begun.game.has_bot


def test_the_same_click_sent_twice_seats_it_once(ada) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    lobby_service.unready(lobby.code, ada)
    first = seat_computer(lobby.code, ada, 2, 5)
    assert seat_computer(lobby.code, ada, 2, 5).rev == first.rev
    begun = lobby_service.ready(lobby.code, ada)
    assert seat_computer(lobby.code, ada, 2, 5).game == begun.game
    assert refusal(seat_computer, lobby.code, ada, 2, 6) == LobbyReason.STARTED
    assert Game.objects.count() == 1


def test_another_level_takes_the_place_of_the_one_that_sits_there(ada) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    lobby_service.unready(lobby.code, ada)
    seat_computer(lobby.code, ada, 2, 5)
    assert seat_computer(lobby.code, ada, 2, 8).two == computer(8)


@pytest.mark.parametrize("level", [0, 9, -1, 1_000])
def test_an_unknown_level_is_refused(ada, level) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    assert refusal(seat_computer, lobby.code, ada, 2, level) == LobbyReason.NO_LEVEL
    assert refusal(play_computer, ada, OPTIONS, level) == LobbyReason.NO_LEVEL
    assert not Game.objects.exists()


def test_a_level_that_this_machine_does_not_play_is_refused(ada, without_numba) -> None:
    lobby = lobby_service.create(ada, Options("blotto", limit_clock(30), "white", True))
    assert refusal(seat_computer, lobby.code, ada, 2, 8) == LobbyReason.NO_LEVEL
    assert refusal(play_computer, ada, lobby.options, 8) == LobbyReason.NO_LEVEL
    assert seat_computer(lobby.code, ada, 2, 3).game


def test_the_game_cannot_be_changed_to_one_that_the_seated_level_does_not_play(
    ada, without_numba
) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    lobby_service.unready(lobby.code, ada)
    seat_computer(lobby.code, ada, 2, 8)
    other = Options("blotto", limit_clock(30), "white", True)
    assert refusal(lobby_service.choose, lobby.code, ada, other) == LobbyReason.NO_LEVEL
    seat_computer(lobby.code, ada, 2, 3)
    assert lobby_service.choose(lobby.code, ada, other).rules == "blotto"
    assert not Game.objects.exists()


def test_it_takes_nobodys_seat_and_only_the_host_may_seat_it(ada, bob) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    lobby_service.unready(lobby.code, ada)
    assert refusal(seat_computer, lobby.code, bob, 2, 3) == LobbyReason.NOT_HOST
    assert refusal(seat_computer, lobby.code, ada, 1, 3) == LobbyReason.TAKEN
    assert refusal(seat_computer, lobby.code, ada, 3, 3) == LobbyReason.MALFORMED
    lobby_service.sit(lobby.code, bob)
    assert refusal(seat_computer, lobby.code, ada, 2, 3) == LobbyReason.TAKEN


def test_it_does_not_play_without_a_person(ada) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    lobby_service.leave(lobby.code, ada)
    assert refusal(seat_computer, lobby.code, ada, 1, 3) == LobbyReason.NO_PERSON


def test_it_stands_up_with_the_person_so_that_nobody_is_led_into_a_game_against_it(
    ada, bob
) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    lobby_service.unready(lobby.code, ada)
    seat_computer(lobby.code, ada, 2, 5)
    after = lobby_service.leave(lobby.code, ada)
    assert (after.one, after.two) == (None, None)
    assert not after.is_host_waiting


def test_a_search_leads_nobody_to_a_computer_player_that_sits_alone(ada) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    Lobby.objects.filter(pk=lobby.pk).update(one=None, two=computer(5), two_ready=True)
    lobby.refresh_from_db()
    assert not lobby.is_host_waiting
    assert not Lobby.objects.with_waiting_hosts(now()).exists()


def test_a_seat_that_it_had_can_be_given_free_and_filled_again_at_once(ada) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    lobby_service.unready(lobby.code, ada)
    seat_computer(lobby.code, ada, 2, 5)
    after = lobby_service.free_seat(lobby.code, ada, 2)
    assert (after.two, after.barred) == (None, {})
    assert seat_computer(lobby.code, ada, 2, 5).two == computer(5)


def test_a_rematch_against_it_starts_at_once_with_the_sides_swapped(ada) -> None:
    game = play_computer(ada, OPTIONS, 4)
    end(game)
    begun = rematch.rematch(game.lobby, ada)
    assert roles(begun.game) == {"white": "Magpie", "black": "ada"}


@pytest.mark.parametrize("deed", [lobby_service.ready, rematch.rematch])
def test_no_game_begins_against_a_level_that_has_gone_off_meanwhile(ada, monkeypatch, deed) -> None:
    game = play_computer(ada, OPTIONS, 8)
    end(game)
    lobby_service.choose(game.lobby, ada, replace(OPTIONS, side="black"))
    monkeypatch.setattr(levels, "has_numba", lambda: False)
    assert refusal(deed, game.lobby, ada) == LobbyReason.NO_LEVEL
    seat_computer(game.lobby, ada, 2, 3)
    assert deed(game.lobby, ada).status == Lobby.Status.PLAYING


def test_a_change_of_options_asks_nobody_when_the_other_is_the_computer(ada) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    lobby_service.unready(lobby.code, ada)
    seat_computer(lobby.code, ada, 2, 5)
    after = lobby_service.choose(lobby.code, ada, Options("pincer", NO_CLOCK, "black", True))
    assert (after.before, after.places[1].is_ready, after.game) == ({}, True, None)
    assert roles(lobby_service.ready(lobby.code, ada).game)["black"] == "ada"


def test_playing_the_computer_twice_at_once_is_one_game(ada) -> None:
    game = play_computer(ada, OPTIONS, 4)
    assert play_computer(ada, OPTIONS, 4) == game
    assert play_computer(ada, OPTIONS, 5) != game
    end(game)
    assert play_computer(ada, OPTIONS, 4) != game


def test_one_user_has_not_endless_games_against_it_running(ada, bob, monkeypatch) -> None:
    monkeypatch.setattr(against_it, "MAX_RUNNING_GAMES", 2)
    first = play_computer(ada, OPTIONS, 4)
    play_computer(ada, OPTIONS, 5)
    assert play_computer(ada, OPTIONS, 5)  # the same click again is no third game
    assert refusal(play_computer, ada, OPTIONS, 6) == LobbyReason.TOO_MANY_GAMES
    lobby = lobby_service.create(ada, replace(OPTIONS, side="black"))
    assert refusal(seat_computer, lobby.code, ada, 2, 6) == LobbyReason.TOO_MANY_GAMES
    assert play_computer(bob, OPTIONS, 6)
    end(first)
    assert play_computer(ada, OPTIONS, 6)


def test_a_lobby_in_which_the_computer_waits_is_not_taken_for_a_game(ada) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    lobby_service.unready(lobby.code, ada)
    seat_computer(lobby.code, ada, 2, 4)
    assert play_computer(ada, OPTIONS, 4).lobby != lobby.code


@pytest.mark.parametrize("side", ["white", "black", "lot"])
def test_the_side_is_the_persons(ada, side) -> None:
    game = play_computer(ada, Options("pincer", NO_CLOCK, side, True), 4)
    assert side in ("lot", next(role for role, name in roles(game).items() if name == "ada"))


@pytest.mark.django_db(transaction=True)
def test_of_many_clicks_at_the_same_moment_one_game_comes() -> None:
    ada = User.objects.create(username="ada")
    computers()
    at_once(*[lambda: play_computer(ada, OPTIONS, 4)] * 4)
    assert Game.objects.count() == 1


@pytest.mark.django_db
def test_it_plays_many_at_once_and_stays_ready_elsewhere() -> None:
    ada, bob = (User.objects.create(username=name) for name in ("ada", "bob"))
    waiting = lobby_service.create(ada, OPTIONS)
    lobby_service.unready(waiting.code, ada)
    seat_computer(waiting.code, ada, 2, 5)
    play_computer(bob, OPTIONS, 5)
    lobby = Lobby.objects.get(pk=waiting.pk)
    assert lobby.two_ready and lobby.rev == waiting.rev + 2


@pytest.mark.django_db
async def test_it_is_never_away_and_never_claims_that_somebody_is(people, at_work) -> None:
    game = await against(people[0], "pincer", clock=Clock("fischer", 600_000))
    live = await game_service().find(game.slug)
    long_ago = live.started - 10**7
    for role in ("white", "black"):
        assert endings.claimable_from(live, role, long_ago) is None
    assert check_claim(live, ["black"], {"white": long_ago}, now()) is None
    assert "black" in seats().people(live, Counter(), [], {}).here


def test_nobody_can_log_in_as_a_computer_player(client) -> None:
    for bot in computers():
        assert not bot.has_usable_password() and not bot.email
        for password in ("", "!", bot.password, bot.username):
            assert authenticate(None, username=bot.username, password=password) is None
    client.post("/log-in/", {"login": NAMES[7], "password": "!"})
    assert "_auth_user_id" not in client.session
