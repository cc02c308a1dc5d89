"""The site as an app: manifest, service worker, offline page, and the token of forms."""

import json
import re
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import resolve

from pages.installable import views
from tests.support.page_visitors import at_home

pytestmark = pytest.mark.django_db


def worker_settings(client: Client, **headers: str) -> dict[str, str]:
    """The settings in the first line of the worker's script."""
    text = client.get("/sw.js", headers=headers).content.decode()
    first = text.splitlines()[0]
    assert first.startswith("const SETTINGS = ") and first.endswith(";")
    found: dict[str, str] = json.loads(first[17:-1])
    return found


def test_each_page_names_the_manifest(client) -> None:
    page = client.get("/").content.decode()
    assert re.search(
        r'<link rel="manifest" href="/manifest.webmanifest" [^>]*use-credentials', page
    )


def test_the_manifest_has_what_browsers_ask_of_an_app(client) -> None:
    response = client.get("/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    manifest = json.loads(response.content)
    assert manifest["start_url"] == manifest["scope"] == manifest["id"] == "/"
    assert (manifest["name"], manifest["display"]) == ("Quiver", "standalone")
    sizes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    assert [each["name"] for each in manifest["shortcuts"]] == [
        "Play online", "Play the computer", "Your games",
    ]  # fmt: skip
    for shortcut in manifest["shortcuts"]:
        assert resolve(shortcut["url"].partition("#")[0])


def test_the_manifest_speaks_the_language_of_its_reader(client) -> None:
    manifest = json.loads(
        client.get("/manifest.webmanifest", headers={"accept-language": "tr"}).content
    )
    assert manifest["lang"] == "tr"


def test_the_worker_is_a_script_at_the_root_that_no_cache_gives_out_unasked(client) -> None:
    response = client.get("/sw.js")
    assert response.status_code == HTTPStatus.OK
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert response["Cache-Control"] == "no-cache"
    again = client.get("/sw.js", headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content) == (HTTPStatus.NOT_MODIFIED, b"")


def test_the_workers_script_is_small(client) -> None:
    response = client.get("/sw.js", headers={"accept-encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"
    assert len(response.content) < 4_000


def test_the_worker_keeps_the_offline_page_and_its_sheet_alone(client) -> None:
    found = worker_settings(client)
    assert found["offlinePage"] == "/offline/"
    assert found["offlineSheet"] == views.static("css/pages/pages/offline.css")


def test_another_offline_page_is_another_worker(client, monkeypatch) -> None:
    before = worker_settings(client)["version"]
    assert worker_settings(client)["version"] == before
    monkeypatch.setattr(views, "OFFLINE_TEMPLATE", "robots.txt")
    assert worker_settings(client)["version"] != before


def test_the_offline_page_names_nobody_and_can_be_tried_again() -> None:
    user, browser = at_home("ada-offline")
    page = browser.get("/offline/").content.decode()
    assert "You’re offline" in page
    assert '<a class="button soft" href="">Try again</a>' in page
    assert user.username not in page
    assert "csrf" not in page
    assert "<script" not in page
    sheet = views.static("css/pages/pages/offline.css")
    assert re.findall(r'(?:src|href)="(/[^"]*)"', page) == [sheet]


def test_the_token_of_forms_is_given_and_never_stored_by_caches(client) -> None:
    response = Client(enforce_csrf_checks=True).get("/form-token/")
    assert len(response.json()["token"]) == 64
    assert "no-store" in response["Cache-Control"]
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/sw.js", "/manifest.webmanifest", "/offline/", "/form-token/"])
def test_they_are_only_read(client, path) -> None:
    assert client.post(path).status_code == HTTPStatus.METHOD_NOT_ALLOWED
