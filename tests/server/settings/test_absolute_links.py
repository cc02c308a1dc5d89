"""Absolute links come from QUIVER_ORIGIN and redirects are paths, for any request headers."""

import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from accounts.models import User
from server.requests.origins import resolve_origin, validate_hosts
from tests.support.page_visitors import at_home, game_of, someone
from tests.support.sign_up_forms import LOBBY, NEW, PASSWORD, account, who

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ORIGIN = "https://play.example.org"
ADDRESS = "magnus@example.org"
HOSTS = ["play.example.org", "play.example.org:443", "www.example.org", "testserver"]
ABSOLUTE = [
    "https://play.example.org/watch/", "http://testserver/watch/", "https://[::1]/",
    "http://localhost/", "https://www.example.org/", "//testserver/watch/",
]  # fmt: skip
NO_PATHS = ["foo", "1-a", "admin:index", "watch/", "?a=b", "", " /watch/", "\\watch\\"]
SPELLINGS = [
    "testserver", "TESTSERVER", "testServer", "testserver.", "testserver:443", "www.example.org",
    *(f"{name}.wild.example" for name in "abcdefgh"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _named(settings) -> None:
    """A site with two host names and an origin of its own."""
    settings.ALLOWED_HOSTS = ["play.example.org", "www.example.org", "testserver", ".wild.example"]
    settings.ORIGIN = ORIGIN
    settings.SITE_ORIGINS = [ORIGIN, "https://www.example.org"]


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
    assert user is not None
    assert [message.subject for message in mail.outbox] == [
        "Quiver: confirm your email",
        "Quiver: reset your password",
        "Quiver: no account with this address",
        "Password Changed",
    ]
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
def test_a_next_with_a_host_or_without_a_slash_is_ignored(client, address) -> None:
    account()
    form = {"login": "ada", "password": PASSWORD, "next": address}
    assert client.post("/log-in/", form).headers["Location"] == "/"
    assert client.get("/log-in/", {"next": address}).headers["Location"] == "/"
    assert client.get("/sign-up/", {"next": address}).headers["Location"] == "/"
    assert Client().post("/sign-up/", NEW | {"next": address}).headers["Location"] == "/"
    assert Client().post("/chat/guest/", {"next": address}).headers["Location"] == "/"


@pytest.mark.parametrize("address", ["/watch/", "/learn/pincer/?a=b#c"])
def test_a_next_may_be_a_path(client, address) -> None:
    account()
    form = {"login": "ada", "password": PASSWORD, "next": address}
    assert client.post("/log-in/", form).headers["Location"] == address
    assert Client().post("/chat/guest/", {"next": address}).headers["Location"] == address


@pytest.mark.parametrize("host", HOSTS)
def test_set_language_redirects_to_a_path(host) -> None:
    browser, back = Client(headers={"host": host}), f"http://{host}/watch/?a=b"
    for form, referer in (({"next": back}, ""), ({}, back)):
        answer = browser.post(
            "/language/setlang/", {"language": "en", **form}, headers={"referer": referer}
        )
        assert answer.headers["Location"] == "/watch/?a=b"


@pytest.mark.parametrize("path", ["//evil.example/", "//\\evil.example/", "///evil.example"])
def test_a_path_that_browsers_read_as_a_host_leads_home(client, path, caplog) -> None:
    form = {"language": "en", "next": f"http://testserver{path}"}
    assert client.post("/language/setlang/", form).headers["Location"] == "/"
    assert [record.event for record in caplog.records] == ["external_redirect"]


@pytest.mark.parametrize(
    "host",
    ["play.example.org:4444", "testserver:1", "www.example.org:80", "testserver:0",
     "testserver:99999", f"testserver:{'9' * 5_000}"],
)  # fmt: skip
def test_a_port_that_is_not_ours_is_not_answered(client, host) -> None:
    assert client.get("/", headers={"host": host}).status_code == 400


def test_plain_http_is_led_to_the_origin_of_the_site(settings, client) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_SSL_HOST = True, "play.example.org"
    for host in ("www.example.org", "evil.example"):
        answer = client.get("/watch/?a=b", headers={"host": host})
        assert answer.headers["Location"] == f"{ORIGIN}/watch/?a=b"


def test_another_spelling_of_the_host_gives_no_more_tries_of_a_password(monkeypatch) -> None:
    """allauth's own count is by the Host header and the name."""
    tried = []
    monkeypatch.setattr(User, "check_password", lambda user, word: tried.append(user.username))
    for name, hosts in (("ada", ["testserver"] * 9), ("bob", SPELLINGS[:9])):
        account(name)
        cache.clear()  # the network's own count of wrong passwords
        for host in hosts:
            form = {"login": name, "password": "wrong"}
            Client(headers={"host": host}).post("/log-in/", form)
    assert tried.count("bob") == tried.count("ada") > 0


@pytest.mark.parametrize("path", ["/watch", "/learn"])
def test_a_long_redirect_keeps_its_path(client, path, caplog) -> None:
    query = "a" * 3_000
    assert client.get(f"{path}?{query}").headers["Location"] == f"{path}/?{query}"
    form = {"language": "en", "next": f"http://testserver/watch/?{query}"}
    assert client.post("/language/setlang/", form).headers["Location"] == "/"  # Django's own bound
    assert caplog.records == []


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
    assert resolve_origin(named, [], hosts, port, is_tls) == origin


def test_without_a_named_origin_it_is_the_first_of_the_others_that_fits() -> None:
    others = ["http://play.example.org", "https://evil.example", "https://play.example.org:8443"]
    hosts = ["play.example.org"]
    assert resolve_origin("", others, hosts, 8000, True) == "https://play.example.org:8443"
    assert resolve_origin("", others, ["localhost"], 8000, False) == "http://localhost:8000"


@pytest.mark.parametrize(
    "host", ["a.example:80", "http://a.example", "2001:db8::1", "a.example/", "a b", "..", "*.a"]
)
def test_a_host_that_no_request_can_name_is_refused(host) -> None:
    with pytest.raises(ImproperlyConfigured, match="a host is like"):
        validate_hosts(["a.example", host])


def test_hosts_and_patterns_are_taken_as_they_are() -> None:
    hosts = ["play.example.org", ".example.org", "[::1]", "127.0.0.1", "*"]
    assert validate_hosts(hosts) == hosts


@pytest.mark.parametrize(
    ("named", "hosts", "is_tls", "why"),
    [
        ("https://play.example.org/", ["play.example.org"], True, "an origin is like"),
        ("play.example.org", ["play.example.org"], True, "an origin is like"),
        ("https://me@play.example.org", ["play.example.org"], True, "an origin is like"),
        ("https://evil.example", ["play.example.org"], True, "to QUIVER_HOSTS"),
        ("http://play.example.org", ["play.example.org"], True, "QUIVER_TLS"),
        ("https://play.example.org", ["play.example.org"], False, "QUIVER_TLS"),
        ("", [".example.org"], True, "QUIVER_ORIGIN"),
    ],
)
def test_an_origin_that_does_not_fit_is_refused(named, hosts, is_tls, why) -> None:
    with pytest.raises(ImproperlyConfigured, match=why):
        resolve_origin(named, [], hosts, 8000, is_tls)


def test_a_mail_about_the_account_quotes_no_header(client, mailoutbox) -> None:
    user = account("ada", ADDRESS)
    user.emailaddress_set.create(email=ADDRESS, verified=True, primary=True)
    client.force_login(user)
    word = "Visit https://evil.example now"
    headers = {"user-agent": word, "referer": f"https://{word}", "x-forwarded-for": word}
    new = {"password1": "nine dull archers", "password2": "nine dull archers"}
    client.post("/password/", {"oldpassword": PASSWORD, **new}, headers=headers)
    (mail,) = mailoutbox
    assert "IP address" in mail.body
    assert "evil.example" not in f"{mail.subject}{mail.body}"
