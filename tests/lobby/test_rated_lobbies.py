"""Rated games: chosen before anybody sits, for two people with accounts and a clock."""

from dataclasses import replace

import msgspec
import pytest
from django.test import Client

from accounts.models import User
from accounts.people.computer_users import computer
from lobby.computer_seats import play_computer, seat_computer
from lobby.forms import OptionsForm, values_of
from lobby.lobbies import challenges, lobby_service, rematch
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.models import Game, Seat
from play.time_controls import NO_CLOCK, fischer_clock
from tests.lobby.refusals import refusal
from tests.support.page_visitors import browser_of, ended
from watch.public_lists import initial_frame

pytestmark = pytest.mark.django_db
CASUAL = Options("pincer", fischer_clock(5, 3), "white", True)
RATED = Options("pincer", fischer_clock(5, 3), "white", True, rated=True)
BY_LINK = Options("pincer", fischer_clock(5, 3), "white", False, rated=True)


@pytest.fixture
def guest(db) -> User:
    return User.objects.create(username="passer-by", is_guest=True)


def form_of(options: Options, **changed: str) -> dict[str, str]:
    return values_of(options) | changed


def test_the_game_of_a_rated_lobby_is_rated_and_that_of_a_casual_one_is_not(ada, bob) -> None:
    for options in (RATED, CASUAL):
        game = lobby_service.sit(lobby_service.create(ada, options).code, bob).game
        assert game.is_rated is options.rated
        assert all(Seat.objects.filter(game=game).values_list("has_account", flat=True))


def test_who_joins_confirms_that_it_is_rated(ada, bob) -> None:
    lobby = lobby_service.create(ada, CASUAL)
    seen = lobby.options.digest
    lobby_service.choose(lobby.code, ada, RATED)
    assert refusal(lobby_service.sit, lobby.code, bob, None, seen) is LobbyReason.CHANGED


def test_a_guest_neither_opens_nor_joins_a_rated_game(ada, guest) -> None:
    assert refusal(lobby_service.create, guest, RATED) is LobbyReason.NO_ACCOUNT
    assert refusal(challenges.challenge, guest, "ada", BY_LINK) is LobbyReason.NO_ACCOUNT
    lobby = lobby_service.create(ada, BY_LINK)
    assert refusal(lobby_service.sit, lobby.code, guest) is LobbyReason.NO_ACCOUNT
    own = lobby_service.create(guest, CASUAL)
    assert refusal(lobby_service.choose, own.code, guest, RATED) is LobbyReason.NO_ACCOUNT


def test_a_lobby_with_a_guest_or_the_computer_cannot_become_rated(ada, guest) -> None:
    lobby = lobby_service.create(ada, CASUAL)
    lobby_service.unready(lobby.code, ada)
    lobby_service.sit(lobby.code, guest)
    assert refusal(lobby_service.choose, lobby.code, ada, RATED) is LobbyReason.UNRATABLE
    lobby_service.free_seat(lobby.code, ada, 2)
    seat_computer(lobby.code, ada, 2, 1)
    assert refusal(lobby_service.choose, lobby.code, ada, RATED) is LobbyReason.CASUAL_LEVEL


def test_the_computer_plays_no_rated_game(ada) -> None:
    assert refusal(play_computer, ada, BY_LINK, 1) is LobbyReason.CASUAL_LEVEL
    lobby = lobby_service.create(ada, BY_LINK)
    assert refusal(seat_computer, lobby.code, ada, 2, 1) is LobbyReason.CASUAL_LEVEL
    frame = lobby_frame(Lobby.objects.with_games().get(pk=lobby.pk), ada.pk)
    assert [seat["computer"] for seat in frame["seats"]] == [None, None]


def test_a_forged_form_for_a_game_against_the_computer_stays_casual(ada) -> None:
    computer(1)
    posted = {**form_of(BY_LINK), "level": "1"}
    assert browser_of(ada).post("/computer/", posted).status_code == 302
    assert not Game.objects.get().is_rated


def test_a_rated_game_needs_a_clock(ada) -> None:
    posted = form_of(RATED, clock="none")
    form = OptionsForm(posted)
    assert not form.is_valid()
    assert form.complaint == "A rated game needs a clock."
    answer = browser_of(ada).post("/lobbies/", posted)
    assert answer.status_code == 400
    assert "A rated game needs a clock." in answer.content.decode()
    lobby = lobby_service.create(ada, RATED)
    answer = browser_of(ada).post(f"/l/{lobby.code}/change/", {"clock": "none"})
    assert answer.status_code == 400
    assert Lobby.objects.get().options == RATED
    assert OptionsForm(form_of(Options("pincer", NO_CLOCK, "white", True))).is_valid()


@pytest.mark.parametrize("value", ["maybe", "1", "YES", "\x00"])
def test_another_value_is_refused(value) -> None:
    assert not OptionsForm(form_of(RATED, rated=value)).is_valid()


def test_a_form_without_the_option_is_casual() -> None:
    posted = form_of(RATED)
    del posted["rated"]
    form = OptionsForm(posted)
    assert form.is_valid()
    assert form.options() == CASUAL


@pytest.mark.parametrize("options", [RATED, BY_LINK])
def test_a_stranger_is_refused_before_a_guest_is_made(ada, options) -> None:
    lobby = lobby_service.create(ada, options)
    for address, posted in (
        ("/lobbies/", form_of(options)),
        (f"/l/{lobby.code}/sit/", {"seen": lobby.options.digest}),
        ("/u/ada/challenge/", form_of(options)),
    ):
        answer = Client().post(address, posted)
        assert answer.status_code == 409, address
        assert "This game is rated. Sign in or sign up to play it." in answer.content.decode()
    assert list(User.objects.all()) == [ada]


def test_the_forms_offer_it_to_accounts_alone(ada, bob, guest) -> None:
    for address in ("/new/", "/play/friend/", "/u/ada/challenge/"):
        shown = {
            person: 'name="rated"' in browser.get(address).content.decode()
            for person, browser in (
                ("account", browser_of(bob)),
                ("guest", browser_of(guest)),
                ("stranger", Client()),
            )
        }
        assert shown == {"account": True, "guest": False, "stranger": False}, address


def test_lists_and_invitations_say_that_a_game_is_rated(ada, bob) -> None:
    lobby_service.create(ada, CASUAL)
    lobby_service.create(bob, RATED)
    rows = msgspec.to_builtins(initial_frame())["lobbies"]
    assert {row["host"]: row["clock"] for row in rows} == {"ada": "5 + 3", "bob": "5 + 3 · Rated"}
    invitation = lobby_service.create(ada, BY_LINK)
    page = Client().get(invitation.get_absolute_url()).content.decode()
    assert "Rated." in page
    assert "This game is rated. Sign in or sign up to play it." in page
    assert 'id="invitation-form"' not in page
    assert (
        'id="invitation-form"'
        in browser_of(bob).get(invitation.get_absolute_url()).content.decode()
    )


def test_a_rematch_is_rated_as_the_game_before_was(ada, bob) -> None:
    lobby = lobby_service.sit(lobby_service.create(ada, RATED).code, bob)
    ended(lobby.game, "white", "resigned")
    rematch.rematch(lobby.code, ada)
    again = rematch.rematch(lobby.code, bob)
    assert again.game != lobby.game
    assert again.game.is_rated


def test_no_rematch_if_the_host_has_made_it_casual(ada, bob) -> None:
    lobby = lobby_service.sit(lobby_service.create(ada, RATED).code, bob)
    ended(lobby.game, "white", "resigned")
    rematch.reopen(lobby.code)
    lobby_service.choose(lobby.code, ada, lambda here: replace(here.options, rated=False))
    assert refusal(rematch.rematch, lobby.code, bob) is LobbyReason.CHANGED
