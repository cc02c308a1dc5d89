"""Configurable path of the admin."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import read_environment
from tests.support.servers import prepared_site
from tests.support.servers.server_process import ROOT, embedded

CHOSEN = "/keepers-7f3a/"
LOOK = """
import django, json, sys
django.setup()
from django.conf import settings
from django.test import Client
from server.requests.security_headers import ADMIN, PAGES, format_policy
browser, found = Client(SERVER_NAME="localhost"), {}
for path in json.loads(sys.argv[1]):
    answer = browser.get(path)
    policy = answer.headers["Content-Security-Policy"]
    of_admin = policy == format_policy(ADMIN, "localhost")
    found[path] = [answer.status_code, answer.get("Location"), of_admin, answer.content.decode()]
print(json.dumps(found))
"""


def environment(folder: Path, admin: str) -> dict[str, str]:
    """The environment of a site with a configured path of the admin."""
    return {
        **embedded(),
        "QUIVER_DATA": str(folder),
        "QUIVER_ADMIN": admin,
        "PYTHONPATH": f"{ROOT / 'site'}:{ROOT}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }


def run(folder: Path, admin: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a program of such a site; return the finished process."""
    return subprocess.run(
        [sys.executable, *command],
        env=environment(folder, admin),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )


def look(folder: Path, admin: str, *paths: str) -> dict[str, list]:
    """A stranger's answers by path: status, location, use of the admin's policy, text."""
    prepared_site.copy_to(folder, environment(folder, admin))
    done = run(folder, admin, "-c", LOOK, json.dumps(paths))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.processes
def test_the_admin_is_where_the_operator_wants_it_and_nowhere_else(tmp_path) -> None:
    paths = (CHOSEN, f"{CHOSEN}login/", "/admin/", "/admin/login/", "/nowhere/", "/robots.txt", "/")
    found = look(tmp_path, CHOSEN, *paths)
    assert found[CHOSEN][:3] == [302, f"{CHOSEN}login/?next={CHOSEN}", True]
    assert found[f"{CHOSEN}login/"][:3] == [302, f"/log-in/?next={CHOSEN}", True]
    for old in ("/admin/", "/admin/login/", "/nowhere/"):
        assert found[old][:3] == [404, None, False]
    for page in ("/robots.txt", "/", "/nowhere/"):
        assert "keepers" not in found[page][3]


@pytest.mark.processes
def test_without_an_admin_its_address_is_a_404_like_any_other(tmp_path) -> None:
    found = look(tmp_path, "off", "/admin/", "/admin/login/", "/off", "/")
    assert [answer[0] for answer in found.values()] == [404, 404, 404, 200]
    assert not any(answer[2] for answer in found.values())


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (None, "/admin/"),
        ("", "/admin/"),
        ("off", "off"),
        ("/keepers-7f3a/", "/keepers-7f3a/"),
        ("/a/b.c/~d_e/", "/a/b.c/~d_e/"),
    ],
)
def test_a_path_is_read(text, path) -> None:
    assert read_environment({} if text is None else {"QUIVER_ADMIN": text}).admin == path


@pytest.mark.parametrize(
    "text",
    [
        "admin", "/admin", "admin/", "/", "//", "//evil.example/", "/a//b/", "/../", "/./a/",
        "/a/../b/", "/a b/", "/ä/", "/a%20b/", "/<str:x>/", "/a?b/", "/a#b/", "/a\\b/", "/a\n/",
        "/a/\n", "OFF", f"/{'a' * 100}/", "/a;b/", "/(a)/",
    ],
)  # fmt: skip
def test_a_malformed_admin_path_is_refused_with_a_sentence(text) -> None:
    with pytest.raises(ImproperlyConfigured, match="QUIVER_ADMIN is a path that begins and ends"):
        read_environment({"QUIVER_ADMIN": text})


@pytest.mark.processes
@pytest.mark.nightly
@pytest.mark.parametrize(
    "taken",
    ["/settings/", "/u/", "/learn/keepers/", "/static/", "/password/x/", "/e-mail/", "/ws/",
     "/language/", "/g/", "/healthz/"],
)  # fmt: skip
def test_an_address_that_the_site_has_is_refused(taken, tmp_path) -> None:
    done = run(tmp_path, taken, "manage.py", "check")
    assert done.returncode == 1
    assert "QUIVER_ADMIN begins like an address that the site has already" in done.stderr


@pytest.mark.processes
def test_a_server_does_not_start_with_a_taken_address(tmp_path) -> None:
    done = run(tmp_path, "/settings/", "-c", "import config.asgi")
    assert done.returncode == 1
    assert done.stderr.startswith("QUIVER_ADMIN begins like an address that the site has already.")
    assert "Traceback" not in done.stderr
