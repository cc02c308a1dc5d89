"""Queries of the lists that several callers share."""

import asyncio
import threading

import pytest

from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from play.domain.wire_types import Frame
from play.time_controls import NO_CLOCK
from tests.support.loop_runtime import game_service, hub, runtime, settle_for
from tests.support.page_visitors import someone
from tests.support.run.database_threads import run_in_thread
from tests.support.waiting import TIMEOUT_S
from watch import public_lists
from watch.public_lists import CachedQuery

pytestmark = pytest.mark.django_db


def open_lobby(name: str) -> None:
    lobby_service.create(someone(name), Options("pincer", NO_CLOCK, "white", True))


@pytest.mark.django_db(transaction=True)
async def test_a_read_shows_all_that_was_committed_before_it_was_asked_for(at_work, monkeypatch):
    read_rows, was_read, may_end = public_lists.read_rows, threading.Event(), threading.Event()

    def slow_rows(key: str) -> public_lists.Rows:
        rows = read_rows(key)
        was_read.set()
        may_end.wait(10)
        return rows

    monkeypatch.setattr(public_lists, "READ_INTERVAL_S", 0)
    monkeypatch.setattr(public_lists, "read_rows", slow_rows)
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
    read_rows, calls = public_lists.read_rows, []

    def counted_rows(key: str) -> public_lists.Rows:
        calls.append(key)
        return read_rows(key)

    monkeypatch.setattr(public_lists, "read_rows", counted_rows)
    query = CachedQuery(runtime(), "")
    await game_service().run_in_db_thread(open_lobby, "ada")
    found = await asyncio.gather(*(query.read() for _ in range(20)))
    assert calls == [""]
    assert {id(each) for each in found} == {id(found[0])}


class Page:
    """A socket that follows the lists, and the states that it was shown."""

    audience, viewer, reader, is_visible = "en", None, None, False

    def __init__(self) -> None:
        self.shown: asyncio.Queue[object] = asyncio.Queue()

    def show(self, frame: Frame) -> None:
        self.shown.put_nowait(frame)


async def test_a_page_that_comes_soon_after_another_one_does_not_wait_for_the_next_read(
    at_work, monkeypatch
):
    monkeypatch.setattr(public_lists, "READ_INTERVAL_S", 60)
    first, second = Page(), Page()
    lists = ("lists", "")
    await hub().join(lists, first)
    async with asyncio.timeout(TIMEOUT_S):
        assert len((await hub().join(lists, second)).lobbies) == 0


@pytest.mark.django_db(transaction=True)
async def test_a_page_that_comes_soon_after_a_commit_is_not_shown_the_lists_before_it(at_work):
    """Its rows are those of its HTML: one would vanish, and come back with the next read."""
    first, second = Page(), Page()
    lists = ("lists", "")
    await hub().join(lists, first)
    await run_in_thread(lambda: open_lobby("ada"))
    shown = await settle_for(hub().join(lists, second), "the next read of the lists")
    assert len(shown.lobbies) == 1
