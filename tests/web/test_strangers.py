"""Strangers who press twice on a slow line, and hosts who change what a stranger was shown."""

import re

import pytest
from django.test import Client
from visitors_of_pages import at_home, someone, text_of

from accounts.models import User
from lobby import services
from lobby.frame import frame
from lobby.lists import first_sight
from lobby.models import Lobby
from lobby.options import NO_CLOCK, Options, limit
from play.models import Game

pytestmark = pytest.mark.django_db
FORM = {"game": "pincer", "side": "white", "visibility": "public", "clock": "fischer:180:2"}


def hidden(page: str, name: str) -> str:
    """The value of a hidden field."""
    return re.search(rf'name="{name}" value="([^"]*)"', page)[1]


def test_a_stranger_who_presses_join_twice_comes_to_the_game_he_started() -> None:
    lobby = services.create(someone("ada"), Options("pincer", NO_CLOCK, "white", True))
    browser = Client(enforce_csrf_checks=True)
    token = {
        "csrfmiddlewaretoken": hidden(browser.get("/").content.decode(), "csrfmiddlewaretoken")
    }
    browser.post(f"{lobby.get_absolute_url()}sit/", token)
    del browser.cookies["sessionid"]  # the answer that the second click cut off
    second = browser.post(f"{lobby.get_absolute_url()}sit/", token)
    game = Game.objects.get()
    assert second.headers["Location"] == game.get_absolute_url()
    assert User.objects.filter(is_guest=True).count() == 1
    assert str(User.objects.get(is_guest=True).pk) == browser.session["_auth_user_id"]


def test_a_stranger_who_opens_a_lobby_twice_has_one() -> None:
    browser = Client(enforce_csrf_checks=True)
    token = hidden(browser.get("/new/").content.decode(), "csrfmiddlewaretoken")
    first = browser.post("/lobbies/", FORM | {"csrfmiddlewaretoken": token})
    del browser.cookies["sessionid"]
    second = browser.post("/lobbies/", FORM | {"csrfmiddlewaretoken": token})
    assert second.headers["Location"] == first.headers["Location"]
    assert Lobby.objects.get().host == User.objects.get()


def test_a_second_click_on_open_leads_to_the_game_that_runs_by_then(client) -> None:
    client.post("/lobbies/", FORM)
    services.sit(Lobby.objects.get().code, someone("bob"))
    second = client.post("/lobbies/", FORM)
    assert second.headers["Location"] == Game.objects.get().get_absolute_url()


@pytest.mark.parametrize("from_home", [True, False])
def test_who_joins_gets_the_game_that_he_was_shown_or_a_sentence(client, from_home) -> None:
    ada = someone("ada")
    lobby = services.create(ada, Options("amazons", NO_CLOCK, "white", True))
    url = lobby.get_absolute_url()
    seen = hidden(client.get("/" if from_home else url).content.decode(), "seen")
    assert seen == first_sight()["lobbies"][0]["seen"] == frame(lobby, None)["seen"] != ""
    services.choose(lobby.code, ada, Options("blotto", limit(5), "white", True))
    refused = client.post(f"{url}sit/", {"seen": seen})
    assert refused.status_code == 409
    assert "it is now Colonel Blotto, 5 s a round" in text_of(refused)
    assert (User.objects.count(), Game.objects.count()) == (1, 0)
    again = hidden(refused.content.decode(), "seen")
    assert client.post(f"{url}sit/", {"seen": again}).status_code == 302
    assert Game.objects.get().rules == "blotto"


def test_a_form_that_does_not_say_what_it_showed_is_taken_as_it_is(client) -> None:
    lobby = services.create(someone("ada"), Options("pincer", NO_CLOCK, "white", True))
    assert client.post(f"{lobby.get_absolute_url()}sit/", {"seen": ""}).status_code == 302


def test_every_form_that_starts_a_game_says_what_it_shows_and_is_kept_up_to_date(client) -> None:
    ada, host = at_home("ada")
    lobby = services.create(ada, Options("pincer", NO_CLOCK, "white", True))
    live = f'name="seen" value="{lobby.options.digest}" data-value="seen"'
    assert client.get("/").content.decode().count(live) == 1
    for visitor in (client, host):
        page = visitor.get(lobby.get_absolute_url()).content.decode()
        assert page.count(live) == 3  # both seats and the start
    template = client.get("/").content.decode().split("<template", 1)[1]
    assert 'name="seen" value="" data-value="seen"' in template
