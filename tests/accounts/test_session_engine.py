"""The session engine: every method finds sessions by key, and stores digests alone."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.base import UpdateError
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.login.sessions import SessionStore, digest_of
from accounts.models import Session

pytestmark = pytest.mark.django_db
MADE_UP = "k" * 32
WAYS = pytest.mark.parametrize("way", ["sync", "async"])


async def call(way: str, store: object, name: str, *args: object) -> object:
    """Calls a method of an engine, or its asynchronous twin."""
    if way == "async":
        return await getattr(store, f"a{name}")(*args)
    return await sync_to_async(getattr(store, name))(*args)


async def made(way: str, **data: object) -> SessionStore:
    """A stored session."""
    store = SessionStore()
    await call(way, store, "update", data)
    await call(way, store, "save")
    return store


@sync_to_async
def stored() -> list[str]:
    """The keys of all rows, as they stand in the table."""
    return list(Session.objects.values_list("pk", flat=True))


def test_a_digest_is_sha_256_and_fills_its_column() -> None:
    # NIST's example of a message of one block.
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest_of("abc") == known
    assert len(known) == Session._meta.pk.max_length


@WAYS
async def test_a_session_is_stored_by_its_digest_and_found_by_its_key(way) -> None:
    store = await made(way, colour="white")
    assert len(store.session_key) == 32
    assert store.digest == digest_of(store.session_key)
    assert await stored() == [store.digest]
    assert await call(way, SessionStore(store.session_key), "get", "colour") == "white"


@WAYS
async def test_a_digest_is_no_key(way) -> None:
    store = await made(way, colour="white")
    thief = SessionStore(store.digest)
    assert await call(way, thief, "get", "colour") is None
    assert thief.session_key is None


@WAYS
async def test_existence_is_asked_by_key(way) -> None:
    store = await made(way, colour="white")
    assert await call(way, store, "exists", store.session_key)
    assert not await call(way, store, "exists", store.digest)


@WAYS
async def test_saving_again_changes_the_same_row(way) -> None:
    store = await made(way, colour="white")
    again = SessionStore(store.session_key)
    await call(way, again, "update", {"colour": "black"})
    await call(way, again, "save")
    assert await stored() == [store.digest]
    assert await call(way, SessionStore(store.session_key), "get", "colour") == "black"


@WAYS
async def test_saving_a_deleted_session_does_not_revive_it(way) -> None:
    store = await made(way, colour="white")
    other = SessionStore(store.session_key)
    await call(way, other, "update", {"colour": "black"})
    await call(way, store, "delete")
    with pytest.raises(UpdateError):
        await call(way, other, "save")
    assert await stored() == []


@WAYS
async def test_a_key_that_a_client_made_up_is_not_used(way) -> None:
    """Guards `_session_key`, the private name of Django's by which an engine drops a key."""
    store = SessionStore(MADE_UP)
    assert await call(way, store, "get", "colour") is None
    assert (store.session_key, store.digest) == (None, None)
    await call(way, store, "update", {"colour": "white"})
    await call(way, store, "save")
    assert store.session_key not in (None, MADE_UP)


@WAYS
async def test_an_expired_session_is_none(way) -> None:
    store = await made(way, colour="white")
    await Session.objects.aupdate(expire_date=timezone.now() - timedelta(seconds=1))
    assert await call(way, SessionStore(store.session_key), "get", "colour") is None


@WAYS
async def test_deleting_by_a_key_leaves_other_sessions(way) -> None:
    one, other = await made(way, colour="white"), await made(way, colour="black")
    await call(way, one, "delete", other.session_key)
    assert await stored() == [one.digest]
    await call(way, one, "delete", "")  # no key at all is not this session's own
    assert await stored() == [one.digest]
    await call(way, one, "delete")
    await call(way, SessionStore(), "delete")
    assert await stored() == []


@WAYS
async def test_a_new_key_takes_the_data_along_and_ends_the_old_key(way) -> None:
    store = await made(way, colour="white")
    old = store.session_key
    await call(way, store, "cycle_key")
    await call(way, store, "save")
    assert store.session_key != old
    assert await stored() == [store.digest]
    assert await call(way, SessionStore(store.session_key), "get", "colour") == "white"


@WAYS
async def test_a_flush_deletes_the_row(way) -> None:
    store = await made(way, colour="white")
    await call(way, store, "flush")
    assert (store.session_key, await stored()) == (None, [])


@WAYS
async def test_a_key_may_be_any_text(way) -> None:
    for key in ("\0" * 32, "ğ" * 32, "x" * 10_000, "' OR 1=1 --"):
        assert await call(way, SessionStore(key), "get", "colour") is None


async def test_django_s_command_sweeps_expired_sessions() -> None:
    old, new = await made("sync", colour="white"), await made("sync", colour="black")
    past = timezone.now() - timedelta(days=1)
    await Session.objects.filter(pk=old.digest).aupdate(expire_date=past)
    await sync_to_async(call_command)("clearsessions")
    assert await stored() == [new.digest]


def test_a_row_knows_who_is_logged_in_and_its_data(people) -> None:
    browser = Client()
    browser.force_login(people[0])
    row = Session.objects.get()
    assert (row.user, row.pk) == (people[0].pk, browser.session.digest)
    assert row.get_decoded()["_auth_user_id"] == str(people[0].pk)
    browser.post("/log-out/")
    assert not Session.objects.exists()
