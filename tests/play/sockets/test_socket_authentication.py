"""Users of sockets: as Django finds them, and never after a revocation was committed."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as django_settings
from django.contrib.auth import (
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
    get_user,
    load_backend,
)
from django.contrib.auth.backends import ModelBackend
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts import account_service
from accounts.login import revocations
from accounts.login.sessions import SessionStore, digest_of
from accounts.login.socket_users import NOBODY, SocketUser, digest_of_cookies, read_socket_users
from accounts.models import Session, User
from play.domain.socket_session import SocketSession
from play.runtime import session_watch as module
from play.sockets.socket_authentication import authenticate_sockets
from play.storage import revoked_sessions
from tests.support.loop_runtime import game_service, runtime, session_watch
from tests.support.waiting import turn_loop_clock

pytestmark = pytest.mark.django_db
BACKENDS = django_settings.AUTHENTICATION_BACKENDS


def session_of(user: User, **changes: object) -> SessionStore:
    """A stored session in which a user is logged in; `changes` replace its data, None deletes."""
    store = SessionStore()
    data = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: BACKENDS[0],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
        **changes,
    }
    for key, value in data.items():
        if value is not None:
            store[key] = value
    store.save()
    return store


def user_by_django(key: str) -> tuple[int | None, str | None]:
    """The user that Django finds for a session key, and the digest of the remaining session."""
    request = SimpleNamespace(session=SessionStore(key))
    return get_user(request).pk, request.session.digest


def user_here(key: str) -> tuple[int | None, str | None]:
    """The same, as sockets find it."""
    digest = digest_of(key)
    found = read_socket_users([digest]).get(digest, NOBODY)
    return found.user.pk, found.digest


class AsDjangoDoes(TestCase):
    """For any session data, sockets find the same user as pages."""

    @hypothesis_settings(max_examples=60, deadline=None)
    @given(
        is_named=st.booleans(),
        backend=st.sampled_from([*BACKENDS, "accounts.login.backends.Gone", None]),
        mark=st.sampled_from(["right", "fallback", "wrong", "era", "none"]),
        is_active=st.booleans(),
        is_there=st.booleans(),
        left_s=st.sampled_from([-1, 1_000]),
    )
    def test_the_user_of_a_session_is_the_one_that_django_finds(
        self, is_named, backend, mark, is_active, is_there, left_s
    ) -> None:
        with self.settings(SECRET_KEY_FALLBACKS=["an older secret"]):
            user = User.objects.create(username="ada", password="x", is_active=is_active)
            hashes = {
                "right": user.get_session_auth_hash(),
                "fallback": next(iter(user.get_session_auth_fallback_hash())),
                "wrong": "0" * 64,
                "era": User(password="x", era=3).get_session_auth_hash(),
                "none": None,
            }
            changes = {BACKEND_SESSION_KEY: backend, HASH_SESSION_KEY: hashes[mark]}
            if not is_named:
                changes[SESSION_KEY] = None
            store = session_of(user, **changes)
            expires = timezone.now() + timedelta(seconds=left_s)
            Session.objects.filter(pk=store.digest).update(expire_date=expires)
            if not is_there:
                User.objects.filter(pk=user.pk).delete()
            here = user_here(store.session_key)
            by_django = user_by_django(store.session_key)
            assert here[0] == by_django[0]
            if mark != "fallback":  # Django gives such a session a new key; sockets write nothing
                assert here[1] == by_django[1]


@pytest.mark.parametrize("is_active", [True, False])
def test_every_backend_returns_the_users_that_may_authenticate(is_active) -> None:
    user = User.objects.create(username="ada", is_active=is_active)
    for path in BACKENDS:
        for key in (user.pk, user.pk + 1):
            assert load_backend(path).get_user(key) == ModelBackend().get_user(key)


def test_invented_and_malformed_keys_are_nobodys(people) -> None:
    session_of(people[0])
    for key in ("", "short", "0" * 32, "é" * 40):
        assert user_here(key) == (None, None)


def test_the_key_is_found_in_whatever_header_has_it() -> None:
    name = django_settings.SESSION_COOKIE_NAME
    lines = [(b"cookie", b"a=b"), (b"host", b"x"), (b"cookie", f"{name}=key".encode())]
    assert digest_of_cookies(lines) == digest_of("key")
    assert digest_of_cookies([(b"cookie", b"a=b")]) is None
    assert digest_of_cookies([]) is None


def test_many_sessions_are_read_in_two_queries(people) -> None:
    digests = [session_of(user).digest for user in people for _ in range(3)]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = read_socket_users(digests)
    assert len(queries) == 2
    assert [found[each].user for each in digests] == [user for user in people for _ in range(3)]


async def find(digest: str) -> tuple[SocketUser, int]:
    return await runtime().session_users.find(digest)


async def admitted(digest: str) -> int | None:
    """The user as whom a socket would be admitted now; None if its session has ended."""
    found, since = await find(digest)
    permit = SocketSession(found.digest, found.user.pk, since)
    assert not session_watch().has_ended(permit)
    return found.user.pk


@pytest.fixture
async def counted(at_work, monkeypatch) -> list[int]:
    """The number of sessions in each read of the database."""
    reads: list[int] = []

    def read(digests):
        reads.append(len(digests))
        return read_socket_users(digests)

    monkeypatch.setattr(module, "read_socket_users", read)
    return reads


async def test_sockets_of_a_session_share_one_read_for_some_seconds(
    people, counted, monkeypatch
) -> None:
    store = await sync_to_async(session_of)(people[0])
    for _ in range(3):
        found = await asyncio.gather(*(admitted(store.digest) for _ in range(20)))
        assert set(found) == {people[0].pk}
    assert counted == [1]
    monkeypatch.setattr(module, "MAX_SESSION_AGE_S", 0.0)
    runtime().session_users._kept.clear()
    await admitted(store.digest)
    await admitted(store.digest)
    assert counted == [1, 1, 1]


async def test_sessions_that_wait_at_the_same_time_share_a_read(people, counted) -> None:
    stores = [await sync_to_async(session_of)(user) for user in people]
    found = await asyncio.gather(*(admitted(store.digest) for store in stores))
    assert found == [user.pk for user in people]
    assert counted == [3]


ENDS = {
    "log out": lambda user, store: log_out(store),
    "log out everywhere": lambda user, store: revocations.log_out_user(user.pk),
    "log out everybody": lambda user, store: revocations.log_out_everybody(),
    "suspend": lambda user, store: account_service.suspend(user.pk),
    "delete": lambda user, store: account_service.delete_user(user.pk),
    "password": lambda user, store: change_password(user),
}


def log_out(store: SessionStore) -> None:
    """Logs out in a browser that has this session."""
    browser = Client()
    browser.cookies[django_settings.SESSION_COOKIE_NAME] = store.session_key
    browser.post("/log-out/")


def change_password(user: User) -> None:
    """Changes the password in another browser."""
    browser, new = Client(), "a new long password"
    browser.force_login(user, BACKENDS[0])
    form = {"oldpassword": "an old long password", "password1": new, "password2": new}
    assert browser.post("/password/", form).status_code == 302


@pytest.mark.parametrize("end", ENDS)
async def test_nobody_is_admitted_after_the_commit_of_a_revocation(people, at_work, end) -> None:
    def prepare() -> SessionStore:
        people[0].set_password("an old long password")
        people[0].save()
        return session_of(people[0])

    store = await sync_to_async(prepare)()
    assert await admitted(store.digest) == people[0].pk
    await game_service().run_in_db_thread(ENDS[end], people[0], store)  # as in another process
    assert await admitted(store.digest) is None


async def test_nobody_is_admitted_by_a_session_that_expires(people, at_work, monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_SESSION_AGE_S", 600.0)
    store = await sync_to_async(session_of)(people[0])
    soon = timezone.now() + timedelta(seconds=300)
    rows = Session.objects.filter(pk=store.digest)
    await game_service().run_in_db_thread(lambda: rows.update(expire_date=soon))
    assert await admitted(store.digest) == people[0].pk
    monkeypatch.setattr(timezone, "now", lambda: soon + timedelta(seconds=1))
    await turn_loop_clock(301)
    assert await admitted(store.digest) is None


async def test_the_newest_revocation_is_read_before_the_session(people, at_work) -> None:
    store = await sync_to_async(session_of)(people[0])
    await game_service().run_in_db_thread(revocations.log_out_user, people[1].pk)
    scopes = []

    async def site(scope, receive, send) -> None:
        scopes.append(scope)

    cookie = f"{django_settings.SESSION_COOKIE_NAME}={store.session_key}".encode()
    scope = {"type": "websocket", "runtime": runtime(), "headers": [(b"cookie", cookie)]}
    await authenticate_sockets(site)(scope, None, None)
    newest = await game_service().run_in_db_thread(revoked_sessions.newest)
    assert scopes[0]["since"] == newest > 0
    assert scopes[0]["user"] == people[0]
    assert scopes[0]["session"].digest == store.digest


async def test_invented_keys_are_not_kept(people, at_work) -> None:
    found = await asyncio.gather(*(find(digest_of(f"invented {n}")) for n in range(100)))
    assert {each.user.pk for each, _ in found} == {None}
    assert not runtime().session_users._kept


async def test_kept_sessions_are_bounded(people, at_work, monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_SESSIONS", 2)
    for user in people:
        store = await sync_to_async(session_of)(user)
        await admitted(store.digest)
    assert len(runtime().session_users._kept) == 2
