"""Error pages: plain words, a board, and ways on; 500 and 503 without database and session."""

import re

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import OperationalError
from django.http import Http404
from django.template.loader import render_to_string
from django.test import Client
from django.urls import path

from config.urls import urlpatterns as site_routes
from server.requests import rate_limit_middleware
from telemetry.outage_log import DATABASE
from tests.support.page_visitors import text_of

WAYS = ("/", "/watch/", "/learn/", "/computer/")
NAMES = ["400", "403", "403_csrf", "404", "405", "429", "500", "503"]


@pytest.fixture(autouse=True)
def _closed():
    yield
    DATABASE.succeed()  # the outage that a view here has planted


def fail(error: Exception):
    def view(request):
        raise error

    return view


urlpatterns = [
    path("bad/", fail(BadRequest())),
    path("denied/", fail(PermissionDenied())),
    path("missing/", fail(Http404())),
    path("broken/", fail(ValueError("planted")), name="broken"),
    path("outage/", fail(OperationalError("database is locked")), name="outage"),
    *site_routes,
]
handler500 = "config.server_errors.handle_server_error"


@pytest.mark.parametrize("name", NAMES)
def test_an_error_page_needs_no_request_and_has_ways_on(name) -> None:
    page = render_to_string(f"{name}.html", {"retry_path": "/watch/?game=pincer"})
    words = page[page.index('class="error-words"') :]
    ways = re.findall(r'<a class="button [a-z]+" href="([^"]*)"', words)
    assert ways[0] == ("/watch/?game=pincer" if name == "503" else "/")
    assert tuple(ways[-3:]) == WAYS[1:]
    assert page.count('<svg class="motif"') == 1
    assert page.count("<h1>") == 1
    assert '<meta name="robots" content="noindex">' in page
    assert "data-session" not in page
    assert "/language/setlang/" not in page  # a form would need a token


@pytest.mark.django_db
@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/bad/", 400, "could not be understood"),
        ("/denied/", 403, "don’t have access"),
        ("/missing/", 404, "Page not found"),
        ("/broken/", 500, "went wrong on our side"),
        ("/outage/", 503, "isn’t available right now"),
    ],
)
def test_an_error_has_its_page(address, status, words) -> None:
    answer = Client(raise_request_exception=False).get(address)
    assert answer.status_code == status
    assert words in text_of(answer)
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.urls(__name__)
def test_500_and_503_ask_nothing_of_the_database(monkeypatch) -> None:
    """Without the mark `django_db` each query would raise an error of its own."""
    for name in ("broken", "outage"):  # a limit asks who the user is, before the view
        monkeypatch.setitem(rate_limit_middleware.UNLIMITED, name, "planted")
    browser = Client(raise_request_exception=False)
    browser.cookies["sessionid"] = "a" * 32
    for address, status in (("/broken/", 500), ("/outage/", 503)):
        assert browser.get(address).status_code == status
