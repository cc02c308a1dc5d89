"""Queries of the lists that several callers share."""

import asyncio
import threading

import pytest

from lobby import lobby_service, public_lists
from lobby.lobby_options import NO_CLOCK, Options
from lobby.public_lists import CachedQuery
from tests.support.loop_runtime import game_service, runtime
from tests.support.page_visitors import someone
from tests.support.run.database_threads import run_in_thread

pytestmark = pytest.mark.django_db(transaction=True)


def open_lobby(name: str) -> None:
    lobby_service.create(someone(name), Options("pincer", NO_CLOCK, "white", True))


async def test_a_read_shows_all_that_was_committed_before_it_was_asked_for(at_work, monkeypatch):
    read_rows, was_read, may_end = public_lists._read_rows, threading.Event(), threading.Event()

    def slow_rows(key: str) -> public_lists.Rows:
        rows = read_rows(key)
        was_read.set()
        may_end.wait(10)
        return rows

    monkeypatch.setattr(public_lists, "READ_INTERVAL_S", 0)
    monkeypatch.setattr(public_lists, "_read_rows", slow_rows)
    query = CachedQuery(runtime(), "")
    first = asyncio.create_task(query.read())
    await asyncio.to_thread(was_read.wait, 10)
    await run_in_thread(lambda: open_lobby("ada"))
    later = asyncio.create_task(query.read())
    await asyncio.sleep(0)
    may_end.set()
    assert [len((await each).lobbies) for each in (first, later)] == [0, 1]
    assert (await later).rev > (await first).rev


async def test_callers_at_the_same_time_share_one_query(at_work, monkeypatch):
    read_rows, calls = public_lists._read_rows, []

    def counted_rows(key: str) -> public_lists.Rows:
        calls.append(key)
        return read_rows(key)

    monkeypatch.setattr(public_lists, "_read_rows", counted_rows)
    query = CachedQuery(runtime(), "")
    await game_service().run_in_db_thread(open_lobby, "ada")
    found = await asyncio.gather(*(query.read() for _ in range(20)))
    assert calls == [""]
    assert {id(each) for each in found} == {id(found[0])}
