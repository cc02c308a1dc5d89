"""Requests that no view takes: addresses of forms opened as pages, and forms that got old."""

import re

import pytest
from django.test import Client

from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from play.time_controls import NO_CLOCK
from server.requests.refused_requests import page_of_form
from tests.support.page_visitors import game_of, someone, text_of
from tests.support.sign_up_forms import NEW, PASSWORD, account, who
from tests.support.site_routes import addresses, exempt_from_csrf

pytestmark = pytest.mark.django_db
LANGUAGES = {"en": "There’s nothing to open here", "tr": "Burada açılacak bir şey yok"}
JSON = {"Accept": "application/json"}


def filled() -> list[str]:
    """Every address of the site, with a game and a lobby in place of its arguments."""
    ada = someone("ada")
    lobby = lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", True))
    values = {
        "slug": game_of(ada, someone("bob")).slug, "code": lobby.code, "name": "ada",
        "key": "pincer", "verb": "sit",
    }  # fmt: skip
    return addresses(values)


def test_mail_programs_alone_post_without_a_token() -> None:
    assert list(exempt_from_csrf()) == ["mail-unsubscribe"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_address_answers_a_reader_with_a_page_that_leads_on(language) -> None:
    browser = Client()
    browser.cookies["django_language"] = language
    dead_ends = []
    for address in filled():
        answer = browser.get(address, follow=True)
        is_page = answer.get("Content-Type", "").startswith("text/html")
        if is_page:
            if not re.search(r'href="/[^"/]', answer.content.decode()):
                dead_ends.append(address)
        elif answer.status_code >= 400 and not answer.content:
            dead_ends.append(address)
        if answer.status_code == 405:
            assert LANGUAGES[language] in text_of(answer), address
            assert answer["Allow"], address
    assert dead_ends == []


@pytest.mark.parametrize(
    ("address", "page"),
    [("/lobbies/", "/new/"), ("/play-now/", "/play/online/"), ("/players/follow/", "/players/"),
     ("/play/online/stop/", "/play/online/"), ("/learn/pincer/1/try", "/learn/pincer/"),
     ("/notifications/push/7/test/", "/notifications/"), ("/settings/name/", "/settings/")],
)  # fmt: skip
def test_the_address_of_a_form_leads_to_the_page_of_the_form(client, address, page) -> None:
    for ask in (client.get, client.head):
        answer = ask(address, follow=True)
        assert (page, 302) in answer.redirect_chain


def test_without_such_a_page_the_address_has_one_of_its_own(client) -> None:
    answer = client.get("/log-out/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert 'href="/watch/"' in answer.content.decode()
    posted = client.post("/puzzles/")
    assert (posted.status_code, posted["Allow"]) == (405, "GET, HEAD")
    assert "Nothing was changed" in text_of(posted)


def test_a_script_gets_a_sentence_in_json(client) -> None:
    answer = client.get("/play-now/", headers=JSON)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "Nothing was changed" in answer.json()["refused"]["say"]


@pytest.mark.parametrize("path", ["//evil.example/x", "/nowhere/x", "/x"])
def test_no_address_leads_to_another_site(rf, path) -> None:
    request = rf.post("/")
    request.path, request.resolver_match = path, None
    assert page_of_form(request) == ""


# Forms that got old.


def strict() -> Client:
    return Client(enforce_csrf_checks=True)


def way_back(answer) -> str:
    return re.findall(r'<a class="button soft" href="([^"]*)"', answer.content.decode())[0]


def test_an_old_form_leads_back_to_a_fresh_one() -> None:
    source = "http://testserver/new/?game=blotto"
    answer = strict().post("/lobbies/", headers={"Referer": source})
    assert answer.status_code == 403
    assert "Back to the form" in text_of(answer)
    assert "Reload" not in text_of(answer)
    assert way_back(answer) == "/new/?game=blotto"


@pytest.mark.parametrize(
    "source",
    ["", "https://evil.example/new/", "http://testserver//evil.example/", "http://[evil/",
     "http://testserver/nowhere/", "javascript:alert(1)"],
)  # fmt: skip
def test_an_old_form_from_elsewhere_leads_to_its_own_address(source) -> None:
    answer = strict().post("/play-now/", headers={"Referer": source})
    assert way_back(answer) == "/play-now/"
    assert Client().get("/play-now/").url == "/play/online/"


def signed_in(user) -> Client:
    browser = strict()
    browser.force_login(user)
    return browser


@pytest.mark.parametrize(("address", "form"), [("/log-in/", {"login": "ada"}), ("/sign-up/", NEW)])
def test_who_is_signed_in_goes_on_from_an_old_form(address, form) -> None:
    browser = signed_in(account("ada"))
    assert browser.post(address, {**form, "password": PASSWORD, "next": "/daily/"}).url == "/daily/"
    assert browser.post(address, {**form, "next": "//evil.example/"}).url == "/"
    assert browser.post(address, form).url == "/"


def test_a_stranger_does_not_go_on_from_an_old_form() -> None:
    browser = strict()
    answer = browser.post("/log-in/", {"login": "ada", "password": PASSWORD, "next": "/daily/"})
    assert answer.status_code == 403
    assert who(browser) is None


def test_a_script_with_an_old_token_gets_a_sentence_in_json() -> None:
    answer = strict().post("/learn/pincer/1/try", headers=JSON)
    assert answer.status_code == 403
    assert "Reload" in answer.json()["refused"]["say"]
