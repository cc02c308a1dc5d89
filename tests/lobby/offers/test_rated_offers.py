"""Standing open games that are rated: chosen by their owner, shown in lists, checked at joining."""

from functools import partial

import pytest
from django.test import Client
from msgspec import to_builtins

from accounts.models import User
from lobby.lobbies import lobby_service
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.offers import offer_service
from lobby.offers.models import StandingOffer
from lobby.offers.offer_service import keep
from pages.account_data import _offer
from play.time_controls import days_clock
from ratings.models import RatingEntry
from ratings.rules.generations import correct
from tests.lobby.offers.test_standing_offers import waiting
from tests.lobby.refusals import refusal
from tests.ratings.fair_play.incident_games import missed
from tests.support.page_visitors import browser_of, text_of
from tests.support.rated_games import apply_all, create_accounts
from watch.public_lists import initial_frame

pytestmark = pytest.mark.django_db
URL = "/open-games/"
FORM = {"game": "pincer", "clock": "days:2", "side": "white", "rated": "yes"}


@pytest.fixture
def people(db) -> list[User]:
    return create_accounts("ada", "bob", "cy")


@pytest.fixture
def guest(db) -> User:
    return User.objects.create(username="passer-by", is_guest=True)


def pause(user: User) -> list[str]:
    """Pause a user's rated play; return the games on which that rests."""
    [other] = create_accounts(f"opponent-of-{user.username}")
    slugs = [missed(user, other).slug for _ in range(2)]
    apply_all()
    return slugs


def test_whoever_joins_plays_a_rated_game(people) -> None:
    ada, bob, _ = people
    offer = keep(ada, "pincer", days_clock(2), "white", is_rated=True)
    assert offer.options.rated
    game = lobby_service.sit(waiting()[0], bob, seen=offer.options.digest).game
    assert (game.is_rated, game.is_public) == (True, True)


def test_it_is_shown_before_anybody_sits(people) -> None:
    ada, bob, _ = people
    keep(ada, "pincer", days_clock(2), is_rated=True)
    keep(bob, "pincer", days_clock(2))
    rows = to_builtins(initial_frame())["lobbies"]
    assert {row["host"]: "Rated" in row["clock"] for row in rows} == {"ada": True, "bob": False}
    (code,) = waiting(ada)
    frame = lobby_frame(Lobby.objects.with_games().get(code=code), bob.pk)
    assert frame["say"].endswith("Rated.")


def test_a_person_may_keep_a_rated_and_a_casual_game_of_a_kind(people) -> None:
    ada, *_ = people
    casual, rated = (keep(ada, "pincer", is_rated=rated) for rated in (False, True))
    assert casual != rated
    assert keep(ada, "pincer", is_rated=True) == rated
    assert keep(ada, "pincer") == casual
    assert sorted(Lobby.objects.values_list("is_rated", flat=True)) == [False, True]


def test_a_guest_neither_keeps_nor_accepts_one(people, guest) -> None:
    ada, *_ = people
    assert refusal(partial(keep, is_rated=True), guest, "pincer") is LobbyReason.NO_ACCOUNT
    keep(ada, "pincer", is_rated=True)
    assert refusal(lobby_service.sit, waiting()[0], guest) is LobbyReason.NO_ACCOUNT


def test_who_saw_a_casual_game_does_not_join_a_rated_one(people) -> None:
    ada, bob, _ = people
    casual = keep(ada, "pincer").options.digest
    offer_service.remove(ada, StandingOffer.objects.get().pk)
    keep(ada, "pincer", is_rated=True)
    assert refusal(lobby_service.sit, waiting()[0], bob, None, casual) is LobbyReason.CHANGED


def test_a_paused_owner_opens_none_and_a_later_sweep_does(people) -> None:
    ada, bob, cy = people
    offer = keep(ada, "pincer", count=2, is_rated=True)
    paused = pause(ada)
    assert refusal(partial(keep, is_rated=True), ada, "blotto") is LobbyReason.PAUSED
    # One that waits since before the pause is refused, and nobody is told of another's pause.
    assert refusal(lobby_service.sit, waiting(ada)[0], bob) is LobbyReason.CLOSED
    Lobby.objects.filter(offer=offer).delete()
    assert offer_service.refill_all() == 1
    assert waiting(ada) == []
    correct(paused, True, "A test.", "test")
    assert RatingEntry.objects.filter(kind="annulment").exists()
    offer_service.refill_all()
    assert len(waiting(ada)) == 2
    assert lobby_service.sit(waiting(ada)[0], cy).game.is_rated


def test_a_paused_person_accepts_none(people) -> None:
    ada, bob, _ = people
    keep(ada, "pincer", is_rated=True)
    pause(bob)
    assert refusal(lobby_service.sit, waiting(ada)[0], bob) is LobbyReason.PAUSED


def test_related_people_are_refused(people, monkeypatch) -> None:
    from ratings.fair_play.rated_pairs import Obstacle

    ada, bob, _ = people
    keep(ada, "pincer", is_rated=True)
    monkeypatch.setattr("lobby.lobbies.transactions.why_casual", lambda *args: Obstacle.RELATED)
    assert refusal(lobby_service.sit, waiting(ada)[0], bob) is LobbyReason.CASUAL_PAIR


def test_the_page_offers_it_to_accounts_and_says_which_are_rated(people, guest) -> None:
    ada, *_ = people
    assert 'name="rated"' in browser_of(ada).get(URL).content.decode()
    for browser in (browser_of(guest), Client()):
        assert 'name="rated"' not in browser.get(URL).content.decode()
    browser = browser_of(ada)
    assert browser.post(URL, FORM).status_code == 302
    assert browser.post(URL, FORM | {"rated": "no", "clock": "days:3"}).status_code == 302
    said = text_of(browser.get(URL))
    assert said.count("· Rated") == 1
    assert [_offer(each)["rated"] for each in StandingOffer.objects.order_by("pk")] == [True, False]


@pytest.mark.parametrize(("rated", "status"), [("maybe", 400), ("yes", 409)])
def test_a_stranger_who_asks_for_a_rated_one_leaves_nothing_behind(db, rated, status) -> None:
    answer = Client().post(URL, FORM | {"rated": rated})
    assert answer.status_code == status
    assert not User.objects.exists()
    assert not StandingOffer.objects.exists()


def test_beside_a_rated_search_the_game_that_is_left_open_is_rated(people) -> None:
    ada, *_ = people
    browser = browser_of(ada)
    for rated in ("yes", "no"):
        posted = {"game": "pincer", "pace": "0", "rated": rated}
        assert browser.post("/play/online/", posted).status_code == 302
        page = browser.get("/play/online/").content.decode()
        assert f'name="rated" id="open-rated" value="{rated}"' in page
        browser.post("/play/online/stop/")
