"""Strangers who press twice on a slow connection, and hosts who change a lobby meanwhile."""

import re

import pytest
from django.test import AsyncClient, Client

from accounts.models import User
from lobby.lobbies import lobby_service
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_options import Options
from lobby.models import Lobby
from play.models import Game
from play.time_controls import NO_CLOCK
from tests.support.page_visitors import at_home, someone, text_of
from watch.public_lists import initial_frame

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FORM = {"game": "pincer", "side": "white", "visibility": "public", "clock": "fischer:180:2"}


def hidden(page: str, name: str) -> str:
    """The value of a hidden field."""
    return re.search(rf'name="{name}" value="([^"]*)"', page)[1]


def test_a_stranger_who_presses_join_twice_comes_to_the_game_he_started() -> None:
    lobby = lobby_service.create(someone("ada"), Options("pincer", NO_CLOCK, "white", True))
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


def test_the_token_of_the_forms_alone_gives_no_guest_away() -> None:
    guest, thief = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    token = hidden(guest.get("/new/").content.decode(), "csrfmiddlewaretoken")
    guest.post("/lobbies/", FORM | {"csrfmiddlewaretoken": token})
    thief.cookies["csrftoken"] = guest.cookies["csrftoken"].value
    thief.post("/lobbies/", FORM | {"csrfmiddlewaretoken": token})
    thief.get("/new/")  # has a nonce of its own now
    del thief.cookies["sessionid"]
    thief.post("/lobbies/", FORM | {"csrfmiddlewaretoken": token})
    known = guest.session["_auth_user_id"]
    assert thief.session["_auth_user_id"] != known
    assert User.objects.filter(is_guest=True).count() > 1


def test_a_stranger_gets_a_nonce_with_a_form_and_with_nothing_else(client) -> None:
    for page in ("/robots.txt", "/favicon.ico"):
        client.get(page)
    assert "guest-nonce" not in client.cookies
    client.get("/new/")
    first = client.cookies["guest-nonce"]
    assert (first["httponly"], first["samesite"], first["max-age"]) == (True, "Lax", "")
    assert len(first.value) == 32
    assert "guest-nonce" not in client.get("/").cookies  # the nonce stays as it is
    assert client.cookies["guest-nonce"].value == first.value


def test_the_nonce_goes_with_the_first_request_that_shows_a_session(client) -> None:
    client.get("/new/")
    made = client.post("/lobbies/", FORM)
    assert "guest-nonce" not in made.cookies  # this answer may be lost
    shown = client.get("/")
    assert (shown.cookies["guest-nonce"].value, shown.cookies["guest-nonce"]["max-age"]) == ("", 0)
    assert "guest-nonce" not in client.get("/new/").cookies


def test_the_nonce_of_a_guest_who_logged_out_is_worth_nothing(client) -> None:
    client.get("/new/")
    nonce = client.cookies["guest-nonce"].value
    client.post("/lobbies/", FORM)
    out = client.post("/log-out/")
    assert out.cookies["guest-nonce"].value == ""
    thief = Client()
    thief.cookies["guest-nonce"] = nonce
    thief.post("/lobbies/", FORM)
    assert User.objects.filter(is_guest=True).count() == 2
    client.get("/new/")
    assert client.cookies["guest-nonce"].value not in ("", nonce)


@pytest.mark.parametrize("nonce", ["", "a", "a" * 31, "a" * 33, "é" * 32, "A" * 32, "a" * 9_000])
def test_a_nonce_that_is_none_of_ours_finds_nobody(nonce) -> None:
    for browser in (Client(), Client()):
        browser.cookies["guest-nonce"] = nonce
        assert browser.post("/lobbies/", FORM).status_code == 302
    assert User.objects.filter(is_guest=True, born_of=None).count() == 2


def test_a_stranger_whose_session_has_ended_gets_a_nonce_with_the_next_form(client) -> None:
    client.cookies["sessionid"] = "a" * 32
    page = client.get("/new/")
    assert page.cookies["sessionid"].value == ""
    assert page.cookies["guest-nonce"].value


def test_a_browser_that_keeps_no_cookies_gets_a_sentence_and_no_guest() -> None:
    browser = Client(enforce_csrf_checks=True)
    token = hidden(browser.get("/new/").content.decode(), "csrfmiddlewaretoken")
    browser.cookies.clear()
    refused = browser.post("/lobbies/", FORM | {"csrfmiddlewaretoken": token})
    assert (refused.status_code, User.objects.count()) == (403, 0)
    assert "allow cookies" in text_of(refused)


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
    lobby_service.sit(Lobby.objects.get().code, someone("bob"))
    second = client.post("/lobbies/", FORM)
    assert second.headers["Location"] == Game.objects.get().get_absolute_url()


@pytest.mark.parametrize("from_home", [True, False])
def test_joining_starts_the_game_that_was_shown_or_is_refused_with_a_sentence(
    client, from_home
) -> None:
    ada = someone("ada")
    lobby = lobby_service.create(ada, Options("amazons", NO_CLOCK, "white", True))
    url = lobby.get_absolute_url()
    seen = hidden(client.get("/" if from_home else url).content.decode(), "seen")
    assert seen == initial_frame()["lobbies"][0]["seen"] == lobby_frame(lobby, None)["seen"] != ""
    lobby_service.choose(lobby.code, ada, Options("blotto", NO_CLOCK, "white", True))
    refused = client.post(f"{url}sit/", {"seen": seen})
    assert refused.status_code == 409
    assert "it is now Colonel Blotto, no clock" in text_of(refused)
    assert (User.objects.count(), Game.objects.count()) == (1, 0)
    again = hidden(refused.content.decode(), "seen")
    assert client.post(f"{url}sit/", {"seen": again}).status_code == 302
    assert Game.objects.get().rules == "blotto"


def test_a_form_that_does_not_say_what_it_showed_is_taken_as_it_is(client) -> None:
    lobby = lobby_service.create(someone("ada"), Options("pincer", NO_CLOCK, "white", True))
    assert client.post(f"{lobby.get_absolute_url()}sit/", {"seen": ""}).status_code == 302


def test_every_form_that_starts_a_game_says_what_it_shows_and_is_kept_up_to_date(client) -> None:
    ada, host = at_home("ada")
    lobby = lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", True))
    live = f'name="seen" value="{lobby.options.digest}" data-value="seen"'
    assert client.get("/").content.decode().count(live) == 1
    for visitor in (client, host):
        page = visitor.get(lobby.get_absolute_url()).content.decode()
        assert page.count(live) == 4  # the invitation, both seats and the start
    template = client.get("/").content.decode().split("<template", 1)[1]
    assert 'name="seen" value="" data-value="seen"' in template


@pytest.mark.django_db
async def test_the_nonce_comes_under_an_asynchronous_server_as_well() -> None:
    browser = AsyncClient()
    await browser.get("/new/")
    assert len(browser.cookies["guest-nonce"].value) == 32
