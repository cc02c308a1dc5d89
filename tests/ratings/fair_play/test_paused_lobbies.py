"""Lobbies while rated play of one person is paused: rated ones are refused, casual ones are not."""

import pytest
from django.test import Client

from accounts.models import User
from accounts.refusals import Refused
from lobby.lobbies import challenges, lobby_service, rematch
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.models import Game
from play.time_controls import fischer_clock
from ratings.rules.generations import correct
from tests.ratings.fair_play.incident_games import missed, resigned_early, timed_out
from tests.support.page_visitors import browser_of, ended, text_of
from tests.support.rated_games import apply_all, create_accounts

pytestmark = pytest.mark.django_db
CASUAL = Options("pincer", fischer_clock(5, 3), "white", True)
RATED = Options("pincer", fischer_clock(5, 3), "white", True, rated=True)
BY_LINK = Options("pincer", fischer_clock(5, 3), "white", False, rated=True)
FORM = {
    "game": "pincer",
    "side": "white",
    "visibility": "public",
    "clock": "fischer:300:3",
    "rated": "yes",
}


@pytest.fixture
def people(db) -> list[User]:
    """Ada, whom `pause` pauses, and two others."""
    return create_accounts("ada", "bob", "cy")


def pause(user: User) -> None:
    [other] = create_accounts(f"opponent-of-{user.username}")
    for _ in range(2):
        missed(user, other)
    apply_all()


def refused(act, *args) -> Refused:
    with pytest.raises(Refused) as error:
        act(*args)
    return error.value


def test_a_paused_user_neither_opens_nor_joins_a_rated_game(people) -> None:
    ada, bob, _ = people
    open_to_all = lobby_service.create(bob, RATED)
    pause(ada)
    for act, *args in (
        (lobby_service.create, ada, RATED),
        (challenges.challenge, ada, "bob", BY_LINK),
        (lobby_service.sit, open_to_all.code, ada),
    ):
        refusal = refused(act, *args)
        assert refusal.reason is LobbyReason.PAUSED
        assert refusal.say.startswith("You can’t play rated games until ")
        assert refusal.say.endswith(" (UTC).")
    assert not Game.objects.filter(lobby=open_to_all.code).exists()


def test_casual_games_go_on(people) -> None:
    ada, bob, _ = people
    pause(ada)
    assert lobby_service.sit(lobby_service.create(ada, CASUAL).code, bob).game is not None


def test_a_casual_lobby_of_a_paused_host_cannot_become_rated(people) -> None:
    ada, *_ = people
    lobby = lobby_service.create(ada, CASUAL)
    pause(ada)
    assert refused(lobby_service.choose, lobby.code, ada, RATED).reason is LobbyReason.PAUSED


def test_a_lobby_that_waited_when_the_pause_began_starts_no_game(people) -> None:
    ada, bob, _ = people
    lobby = lobby_service.create(ada, BY_LINK)
    pause(ada)
    assert refused(lobby_service.sit, lobby.code, bob).reason is LobbyReason.CLOSED
    assert Lobby.objects.get(pk=lobby.pk).place_of(bob.pk) is None
    lobby_service.unready(lobby.code, ada)
    assert refused(lobby_service.ready, lobby.code, ada).reason is LobbyReason.PAUSED


def test_no_rated_rematch_during_a_pause(people) -> None:
    ada, bob, _ = people
    lobby = lobby_service.sit(lobby_service.create(bob, BY_LINK).code, ada)
    ended(lobby.game, "white", "resigned")
    pause(ada)
    assert refused(rematch.rematch, lobby.code, ada).reason is LobbyReason.PAUSED


def test_the_forms_say_until_when_and_offer_no_rated_game(people) -> None:
    ada, bob, _ = people
    pause(ada)
    browser = browser_of(ada)
    for address in ("/new/", "/play/friend/", "/u/bob/challenge/"):
        page = browser.get(address)
        assert "You can’t play rated games until " in text_of(page), address
        assert 'href="/settings/rated-play/"' in page.content.decode()
        assert 'id="rated-yes"' not in page.content.decode()
        assert (
            'id="rated-yes"' in browser_of(bob).get(address.replace("bob", "ada")).content.decode()
        )
    answer = browser.post("/lobbies/", FORM)
    assert answer.status_code == 409
    assert "You can’t play rated games until " in text_of(answer)
    assert 'href="/settings/rated-play/"' in answer.content.decode()
    assert not Lobby.objects.exists()


def test_an_invitation_to_a_rated_game_tells_the_paused_user_alone(people) -> None:
    ada, bob, cy = people
    lobby = lobby_service.create(bob, BY_LINK)
    pause(ada)
    address = lobby.get_absolute_url()
    assert "You can’t play rated games" in text_of(browser_of(ada).get(address))
    assert 'id="invitation-form"' not in browser_of(ada).get(address).content.decode()
    assert "You can’t play rated games" not in text_of(browser_of(cy).get(address))


def test_the_page_lists_the_games_of_a_pause_and_of_nobody_else(people) -> None:
    ada, bob, _ = people
    games = [resigned_early(ada, bob) for _ in range(3)]
    apply_all()
    page = browser_of(ada).get("/settings/rated-play/")
    assert "Your rated play is paused." in text_of(page)
    assert "You resigned 3 of your last 7 rated games before your sixth turn." in text_of(page)
    for game in games:
        assert page.content.decode().count(f'href="/g/{game.slug}/"') == 2  # pause, last 30 days
    other = browser_of(bob).get("/settings/rated-play/")
    assert "You can play rated games." in text_of(other)
    assert games[0].slug not in other.content.decode()


def test_the_page_is_for_accounts(db) -> None:
    guest = User.objects.create(username="passer-by", is_guest=True)
    for browser in (Client(), browser_of(guest)):
        answer = browser.get("/settings/rated-play/")
        assert answer.status_code == 302
        assert answer.headers["Location"] == "/log-in/?next=/settings/rated-play/"


def test_the_answer_about_a_game_says_why_it_did_not_count(people) -> None:
    ada, bob, _ = people
    aborted, counted = missed(ada, bob), resigned_early(ada, bob)
    serial = [timed_out(ada, bob) for _ in range(3)][-1]
    apply_all()

    def sentence_of(game) -> str | None:
        return Client().get(f"/g/{game.slug}/rating.json").json()["sentence"]

    assert sentence_of(serial) == (
        "Not rated: the loser ran out of time in more than two games within seven days."
    )
    assert sentence_of(counted) is None
    assert sentence_of(aborted) == "Not rated: it was aborted."
    correct([counted.slug], True, "A test.", "test")
    assert sentence_of(counted) == "Not rated: a moderator annulled it."
