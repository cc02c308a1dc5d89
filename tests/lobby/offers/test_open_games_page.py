"""The page "Your open games": forms, bad input, and whose offers it changes."""

import pytest
from django.test import Client

from accounts.models import User
from lobby.models import Lobby
from lobby.offers.models import StandingOffer
from lobby.offers.offer_service import keep
from tests.lobby.offers.test_standing_offers import NETWORK, waiting
from tests.support.page_visitors import at_home, text_of

pytestmark = pytest.mark.django_db


def test_a_stranger_leaves_a_game_open_and_becomes_a_guest(db) -> None:
    browser = Client()
    answer = browser.post("/open-games/", {"game": "pincer"}, REMOTE_ADDR=NETWORK)
    assert (answer.status_code, answer["Location"]) == (302, "/open-games/")
    page = browser.get("/open-games/")
    assert 'aria-label="One more"' in page.content.decode()
    assert "1 open · 0 in play" in text_of(page)
    assert StandingOffer.objects.get().user.is_guest


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"game": "chess"},
        {"game": "pincer", "clock": "fischer:300:3"},
        {"game": "pincer", "clock": "days:15"},
        {"game": "pincer", "clock": "none"},
        {"game": "pincer", "side": "left"},
        {"game": "pincer", "count": "many"},
        {"game": "pincer", "count": "-1"},
        {"game": "pincer", "count": "٣"},
        {"game": "pincer", "count": "9" * 5_000},
    ],
)
def test_a_malformed_form_is_refused_and_makes_no_guest(db, form) -> None:
    answer = Client().post("/open-games/", form)
    assert answer.status_code == 400
    assert "Nothing was changed." in text_of(answer)
    assert not User.objects.exists()
    assert not StandingOffer.objects.exists()


def test_too_many_are_refused_with_a_sentence(ada) -> None:
    browser = Client()
    browser.force_login(ada)
    answer = browser.post("/open-games/", {"game": "pincer", "count": "21"})
    assert answer.status_code == 409
    assert "You can keep 1 to 20 open games in all." in text_of(answer)
    Client().post("/open-games/", {"game": "pincer", "count": "21"})
    assert not User.objects.filter(is_guest=True).exists()
    assert not StandingOffer.objects.exists()


def test_the_stepper_and_remove_work_and_are_the_owners_alone(ada) -> None:
    offer = keep(ada, "pincer")
    own, other = Client(), at_home("bob")[1]
    own.force_login(ada)
    assert own.post(f"/open-games/{offer.pk}/", {"count": "3"}).status_code == 302
    assert len(waiting()) == 3
    assert own.post(f"/open-games/{offer.pk}/", {"count": "0"}).status_code == 409
    assert own.post(f"/open-games/{offer.pk}/", {}).status_code == 400
    assert other.post(f"/open-games/{offer.pk}/", {"count": "1"}).status_code == 404
    assert Client().post(f"/open-games/{offer.pk}/", {"count": "1"}).status_code == 404
    other.post(f"/open-games/{offer.pk}/remove/")
    assert len(waiting()) == 3
    assert own.get(f"/open-games/{offer.pk}/").url == "/open-games/"
    own.post(f"/open-games/{offer.pk}/remove/")
    assert waiting() == []


def test_the_owner_is_led_from_a_kept_game_to_the_page_of_offers(ada) -> None:
    keep(ada, "pincer")
    browser = Client()
    browser.force_login(ada)
    code = waiting()[0]
    assert browser.get(f"/l/{code}/")["Location"] == "/open-games/"
    for verb in ("leave", "unready", "close", "swap", "change", "computer"):
        assert browser.post(f"/l/{code}/{verb}/", {"level": "1"}).status_code == 409
    lobby = Lobby.objects.get()
    assert (lobby.rev, lobby.status, lobby.places[0].is_ready) == (0, Lobby.Status.OPEN, True)
