"""Response headers: security policy, cookies, caching, and settings with TLS."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import DisallowedHost
from django.test import Client

from server.requests.security_headers import ADMIN, PAGES, format_policy
from tests.support.page_visitors import at_home, game_of, someone
from tests.support.second_factor import staff_browser
from tests.support.servers.server_process import embedded
from tests.support.sign_up_forms import account

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
EVERYWHERE = (
    "Content-Security-Policy",
    "Permissions-Policy",
    "Referrer-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Cross-Origin-Resource-Policy",
    "Cache-Control",
)
ADDRESSES = [
    "/", "/watch/", "/learn/", "/learn/pincer/", "/new/", "/computer/", "/settings/", "/log-in/",
    "/sign-up/", "/robots.txt", "/nowhere/", "/admin/", "/g/nothing/", "/l/nothing/", "/u/nobody/",
    "/log-out/", "/learn",
]  # fmt: skip


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a site behind a proxy that terminates TLS."""
    return {
        **embedded(),
        "QUIVER_DATA": str(folder),
        "QUIVER_TLS": "1",
        "QUIVER_HOSTS": "game.example",
        "QUIVER_MAIL_URL": "off",
        "QUIVER_OPERATOR_NAME": "Ada Byron",
        "QUIVER_OPERATOR_EMAIL": "ada@game.example",
        "PYTHONPATH": f"{ROOT / 'site'}:{ROOT}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        **more,
    }


def with_tls(folder: Path, code: str) -> str:
    """Run code in such a site; return its output."""
    command = [sys.executable, "-c", f"import django; django.setup(); {code}"]
    done = subprocess.run(
        command, env=environment(folder), cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_has_the_headers(client, address) -> None:
    response = client.get(address)
    assert [name for name in EVERYWHERE if name not in response.headers] == []


def test_a_file_that_is_opened_by_itself_may_load_nothing(client) -> None:
    answer = client.get("/static/css/base/page.css")
    assert answer["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert {*EVERYWHERE} - {*answer.headers} == {"Permissions-Policy"}  # it has no script to ask


def test_an_answer_to_a_fault_of_ours_has_them_too(settings, monkeypatch) -> None:
    monkeypatch.setattr("pages.views._watch_page", lambda reading: 1 / 0)
    response = Client(raise_request_exception=False).get("/watch/")
    assert response.status_code == 500
    assert [name for name in EVERYWHERE if name not in response.headers] == []


def test_a_host_that_is_not_ours_gets_them_without_a_socket(client) -> None:
    response = client.get("/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert "evil" not in response["Content-Security-Policy"]
    with pytest.raises(DisallowedHost):
        response.wsgi_request.get_host()


def test_the_policy_allows_our_files_and_our_sockets_and_nothing_within_the_page(client) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "connect-src 'self' ws://testserver wss://testserver;" in policy
    assert "worker-src 'self';" in policy
    assert policy.endswith("require-trusted-types-for 'script'; trusted-types quiver")
    for loose in ("unsafe", "*", "data:", "blob:", "http:"):
        assert loose not in policy


def test_the_admin_is_allowed_no_more_than_to_write_html_as_text(client) -> None:
    staff_browser(account("boss", is_staff=True, is_superuser=True), client)
    policy = client.get("/admin/")["Content-Security-Policy"]
    assert policy == format_policy(ADMIN, "testserver")
    assert set(PAGES) - set(ADMIN) == {"require-trusted-types-for", "trusted-types"}
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    "address", ["/settings/", "/settings/export/", "/password/", "/nowhere/", "/new/"]
)
def test_nobody_keeps_a_page_of_an_account(address) -> None:
    _, browser = at_home("ada")
    assert "no-store" in browser.get(address)["Cache-Control"]


@pytest.mark.parametrize(
    "address", ["/", "/watch/", "/u/ada/", "/learn/", "/learn/pincer/", "/about/"]
)
def test_a_page_without_secrets_is_kept_by_its_own_browser_alone(address) -> None:
    _, browser = at_home("ada")
    kept = browser.get(address)
    assert kept["Cache-Control"] == "private, no-cache"
    assert "Cookie" in kept["Vary"]


def test_the_pages_of_two_sessions_have_different_marks(client) -> None:
    _, browser = at_home("ada")
    marks = [re.findall(r'data-session="([0-9a-f]{16})"', each.get("/learn/").content.decode())
             for each in (client, browser, browser)]  # fmt: skip
    assert [len(found) for found in marks] == [1, 1, 1]
    assert marks[0] != marks[1] == marks[2]
    browser.post("/log-out/")
    assert browser.get("/learn/").content.decode().count(marks[1][0]) == 0


def test_a_picture_may_be_shown_elsewhere(client) -> None:
    game = game_of(someone("ada"), someone("bob"))
    response = client.get(f"{game.get_absolute_url()}picture.png")
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_logging_out_over_tls_clears_the_kept_pages_and_no_setting(settings) -> None:
    _, browser = at_home("ada")
    assert "Clear-Site-Data" not in browser.post("/log-out/").headers
    assert browser.post("/log-out/", secure=True)["Clear-Site-Data"] == '"cache"'


def test_scripts_see_none_of_our_cookies(client) -> None:
    client.get("/log-in/")
    client.post("/language/setlang/", {"language": "tr"})
    client.post("/computer/", {"game": "pincer", "side": "white", "clock": "none", "level": "1"})
    for name in ("csrftoken", "guest-nonce", "sessionid", "django_language", "quiver-computer"):
        assert client.cookies[name]["httponly"], name
        assert client.cookies[name]["samesite"] == "Lax", name


@pytest.mark.processes
def test_with_tls_cookies_are_of_this_host_alone(tmp_path) -> None:
    told = with_tls(
        tmp_path,
        "from django.conf import settings as s; print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME,"
        " s.GUEST_NONCE_COOKIE_NAME,"
        " s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.LANGUAGE_COOKIE_SECURE,"
        " s.SECURE_HSTS_SECONDS, s.SECURE_SSL_REDIRECT, s.SECURE_SSL_HOST, s.ORIGIN,"
        " s.SITE_ORIGINS)",
    )
    assert told.split() == [
        "__Host-sessionid", "__Host-csrftoken", "__Host-guest-nonce",
        "True", "True", "True", "31536000", "True",
        "game.example", "https://game.example", "['https://game.example']",
    ]  # fmt: skip


@pytest.mark.processes
def test_with_tls_djangos_own_check_finds_nothing(tmp_path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env=environment(tmp_path),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
