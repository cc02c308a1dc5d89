"""Absolute links come from QUIVER_ORIGIN and redirects are paths, whatever a request says."""

import re
from pathlib import Path

import pytest
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from newcomers import LOBBY, NEW, PASSWORD, account, who
from visitors_of_pages import at_home, game_of, someone

from accounts.models import User
from config.origins import own_origin

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
ORIGIN = "https://play.example.org"
ADDRESS = "magnus@example.org"
HOSTS = ["play.example.org", "play.example.org:443", "www.example.org", "testserver"]
ABSOLUTE = [
    "https://play.example.org/watch/", "http://testserver/watch/", "https://[::1]/",
    "http://localhost/", "https://www.example.org/", "//testserver/watch/",
]  # fmt: skip
NO_PATHS = ["foo", "1-a", "admin:index", "watch/", "?a=b", "", " /watch/", "\\watch\\"]
FROM_REQUESTS = re.compile(r"build_absolute_uri|get_current_site|request\.(scheme|get_host)")


@pytest.fixture(autouse=True)
def _named(settings) -> None:
    """A site with two host names and an origin of its own."""
    settings.ALLOWED_HOSTS = ["play.example.org", "www.example.org", "testserver"]
    settings.ORIGIN = ORIGIN
    settings.WEBSOCKET_ORIGINS = [ORIGIN, "https://www.example.org"]


def links() -> set[str]:
    """The origins of all links in all mails, and of what the mails call the site."""
    texts = [f"{message.subject}\n{message.body}" for message in mail.outbox]
    return {found for text in texts for found in re.findall(r"https?://[^/\s]+", text)}


@pytest.mark.parametrize("host", HOSTS)
def test_every_mail_links_to_the_origin_of_the_site(host) -> None:
    browser = Client(headers={"host": host})
    browser.post("/sign-up/", NEW | {"email": ADDRESS})
    user = who(browser)
    browser.post("/password/reset/", {"email": ADDRESS})
    browser.post("/password/reset/", {"email": "nobody@example.org"})
    new = {"password1": "ten sharp arrows", "password2": "ten sharp arrows"}
    browser.post("/password/", {"oldpassword": PASSWORD, **new})
    again = NEW | {"username": "magnus-two", "email": ADDRESS}
    Client(headers={"host": host}).post("/sign-up/", again)
    assert user is not None
    assert len(mail.outbox) >= 4
    assert all(message.body for message in mail.outbox)
    assert links() == {ORIGIN}
    assert not any(other in str(m.body) for m in mail.outbox for other in ("testserver", "www."))


@pytest.mark.parametrize("host", HOSTS)
def test_invitations_and_shared_games_link_to_the_origin_of_the_site(host) -> None:
    user, browser = at_home("ada")
    about = {"host": host}
    lobby = browser.post("/lobbies/", LOBBY, headers=about).headers["Location"]
    assert f'value="{ORIGIN}{lobby}"' in browser.get(lobby, headers=about).content.decode()
    game = game_of(user, someone("bob")).get_absolute_url()
    page = browser.get(game, headers=about).content.decode()
    assert page.count(f'"{ORIGIN}{game}"') == 2
    assert f'"{ORIGIN}{game}picture.png"' in page


@pytest.mark.parametrize("address", [*ABSOLUTE, *NO_PATHS])
def test_what_comes_next_is_a_path_of_this_site(client, address) -> None:
    account()
    form = {"login": "ada", "password": PASSWORD, "next": address}
    assert client.post("/log-in/", form).headers["Location"] == "/"
    assert client.get("/log-in/", {"next": address}).headers["Location"] == "/"
    assert client.get("/sign-up/", {"next": address}).headers["Location"] == "/"
    assert Client().post("/sign-up/", NEW | {"next": address}).headers["Location"] == "/"
    assert Client().post("/talk/guest/", {"next": address}).headers["Location"] == "/"


@pytest.mark.parametrize("address", ["/watch/", "/learn/pincer/?a=b#c"])
def test_a_path_of_this_site_is_what_comes_next(client, address) -> None:
    account()
    form = {"login": "ada", "password": PASSWORD, "next": address}
    assert client.post("/log-in/", form).headers["Location"] == address
    assert Client().post("/talk/guest/", {"next": address}).headers["Location"] == address


@pytest.mark.parametrize("host", HOSTS)
def test_another_language_leads_back_by_a_path(host) -> None:
    browser, back = Client(headers={"host": host}), f"http://{host}/watch/?a=b"
    for form, referer in (({"next": back}, ""), ({}, back)):
        answer = browser.post(
            "/language/setlang/", {"language": "en", **form}, headers={"referer": referer}
        )
        assert answer.headers["Location"] == "/watch/?a=b"


@pytest.mark.parametrize("path", ["//evil.example/", "//\\evil.example/", "///evil.example"])
def test_a_path_that_browsers_read_as_a_host_leads_home(client, path) -> None:
    form = {"language": "en", "next": f"http://testserver{path}"}
    assert client.post("/language/setlang/", form).headers["Location"] == "/"


@pytest.mark.parametrize("host", ["play.example.org:4444", "testserver:1", "www.example.org:80"])
def test_a_port_that_is_not_ours_is_not_answered(client, host) -> None:
    assert client.get("/", headers={"host": host}).status_code == 400


def test_plain_http_is_led_to_the_origin_of_the_site(settings, client) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_SSL_HOST = True, "play.example.org"
    for host in ("www.example.org", "evil.example"):
        answer = client.get("/watch/?a=b", headers={"host": host})
        assert answer.headers["Location"] == f"{ORIGIN}/watch/?a=b"


def test_another_port_gives_no_more_tries_of_a_password(client, monkeypatch) -> None:
    """allauth counts them by the Host header and the name."""
    account()
    tried = []
    monkeypatch.setattr(User, "check_password", lambda user, word: tried.append(word) or False)
    for port in range(4000, 4010):
        form = {"login": "ada", "password": "wrong"}
        client.post("/log-in/", form, headers={"host": f"testserver:{port}"})
    assert tried == []


def test_no_link_is_built_from_a_request() -> None:
    files = [*ROOT.glob("site/**/*.py"), *ROOT.glob("templates/**/*")]
    found = {
        file.relative_to(ROOT).as_posix()
        for file in files
        if file.is_file() and FROM_REQUESTS.search(file.read_text(encoding="utf-8"))
    }
    # The policy names the sockets of the host that was asked; the others only compare that host.
    assert found == {f"site/config/{name}.py" for name in ("policy", "hosts", "redirects")}


@pytest.mark.parametrize(
    ("named", "hosts", "port", "is_tls", "origin"),
    [
        ("", ["localhost", "127.0.0.1"], 8000, False, "http://localhost:8000"),
        ("", ["192.168.0.2"], 80, False, "http://192.168.0.2"),
        ("", ["[::1]"], 8000, False, "http://[::1]:8000"),
        ("", ["play.example.org", "www.example.org"], 8000, True, "https://play.example.org"),
        ("", [".example.org", "play.example.org"], 80, True, "https://play.example.org"),
        ("https://play.example.org:8443", ["play.example.org"], 80, True,
         "https://play.example.org:8443"),
        ("http://www.example.org", [".example.org"], 8000, False, "http://www.example.org"),
    ],
)  # fmt: skip
def test_the_origin_is_the_named_one_or_that_of_the_first_host(
    named, hosts, port, is_tls, origin
) -> None:
    assert own_origin(named, hosts, port, is_tls) == origin


@pytest.mark.parametrize(
    ("named", "hosts", "is_tls", "why"),
    [
        ("https://play.example.org/", ["play.example.org"], True, "an origin is like"),
        ("play.example.org", ["play.example.org"], True, "an origin is like"),
        ("https://me@play.example.org", ["play.example.org"], True, "an origin is like"),
        ("https://evil.example", ["play.example.org"], True, "not among QUIVER_HOSTS"),
        ("http://play.example.org", ["play.example.org"], True, "QUIVER_TLS"),
        ("https://play.example.org", ["play.example.org"], False, "QUIVER_TLS"),
        ("", [".example.org"], True, "QUIVER_ORIGIN"),
    ],
)
def test_an_origin_that_does_not_fit_is_refused(named, hosts, is_tls, why) -> None:
    with pytest.raises(ImproperlyConfigured, match=why):
        own_origin(named, hosts, 8000, is_tls)
