"""Sessions signed under a former secret go on, in pages and sockets, until they are ended."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as django_settings
from django.contrib.auth import HASH_SESSION_KEY
from django.test import Client

from accounts.login.sessions import digest_of
from accounts.models import Session, User
from play.domain.socket_session import SocketSession
from play.sockets.socket_authentication import authenticate_sockets
from tests.support.loop_runtime import runtime, session_watch

pytestmark = pytest.mark.django_db
NAMED = 'data-me="ada"'  # of the body: the page knows its reader
FORMER, PRESENT = "the former secret of this site", "the present secret of this site"


@pytest.fixture
def key(people, settings) -> str:
    """The key of a session of ada, signed before the secret was rotated."""
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = FORMER, []
    browser = Client()
    browser.force_login(people[0])
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = PRESENT, [FORMER]
    return str(browser.cookies[django_settings.SESSION_COOKIE_NAME].value)


def browser_with(key: str) -> Client:
    browser = Client()
    browser.cookies[django_settings.SESSION_COOKIE_NAME] = key
    return browser


def row_of(key: str) -> tuple[Any, ...]:
    return Session.objects.values_list().get(pk=digest_of(key))


async def admitted(key: str) -> SocketSession:
    """The permission of a socket that comes with a session's key."""
    scopes = []

    async def site(scope, receive, send) -> None:
        scopes.append(scope)

    cookie = f"{django_settings.SESSION_COOKIE_NAME}={key}".encode()
    scope = {"type": "websocket", "runtime": runtime(), "headers": [(b"cookie", cookie)]}
    await authenticate_sockets(site)(scope, None, None)
    found = scopes[0]
    return SocketSession(found["session"].digest, found["user"].pk, found["since"])


async def test_a_socket_is_admitted_and_the_row_of_its_session_stays(key, people, at_work) -> None:
    before = await sync_to_async(row_of)(key)
    permits = await asyncio.gather(*(admitted(key) for _ in range(3)))
    assert {(each.session, each.user) for each in permits} == {(digest_of(key), people[0].pk)}
    assert await sync_to_async(row_of)(key) == before


def test_a_page_renews_the_hash_and_keeps_the_key(key, people, settings) -> None:
    """Other tabs and push devices are known by the key's digest."""
    browser = browser_with(key)
    assert NAMED in browser.get("/").content.decode()
    assert browser.cookies[django_settings.SESSION_COOKIE_NAME].value == key
    renewed = Session.objects.get(pk=digest_of(key)).get_decoded()
    settings.SECRET_KEY_FALLBACKS = []
    assert renewed[HASH_SESSION_KEY] == User.objects.get(username="ada").get_session_auth_hash()
    assert NAMED in browser_with(key).get("/").content.decode()


def test_tabs_that_come_back_together_stay_logged_in(key) -> None:
    """A guest whose cookie is deleted loses the account."""
    for browser in (browser_with(key), browser_with(key)):
        response = browser.get("/")
        assert NAMED in response.content.decode()
        assert browser.cookies[django_settings.SESSION_COOKIE_NAME].value == key


async def test_logging_out_ends_sockets_that_came_before_the_hash_was_renewed(key, at_work) -> None:
    permit = await admitted(key)
    browser = browser_with(key)
    await sync_to_async(browser.get)("/")
    await sync_to_async(browser.post)("/log-out/")
    await session_watch().follow()
    assert session_watch().has_ended(permit)
    assert (await admitted(key)).user is None


def test_a_session_under_a_secret_that_is_no_fallback_ends(key, settings) -> None:
    settings.SECRET_KEY_FALLBACKS = []
    assert NAMED not in browser_with(key).get("/").content.decode()
