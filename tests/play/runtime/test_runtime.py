"""The objects of a process: one set for each event loop, closed in reverse."""

import asyncio

import pytest

from play.runtime import notify
from play.runtime.open_sockets import ACCEPTING
from play.runtime.runtime import RUNNING, Runtime, WebRuntime, web_runtime

pytestmark = pytest.mark.django_db


async def test_a_loop_has_one_runtime_until_that_is_closed(at_work):
    first = web_runtime()
    assert web_runtime() is first
    await first.close()
    assert web_runtime() is not first


async def test_the_last_requests_of_a_process_that_stops_get_the_closed_runtime(
    at_work, monkeypatch
):
    first = web_runtime()
    await first.close()
    monkeypatch.setattr(ACCEPTING, "is_shut", True)
    assert web_runtime() is first


async def test_parts_are_closed_in_the_reverse_of_their_order(at_work, monkeypatch):
    runtime, closed = web_runtime(), []
    for part in (runtime.channel, runtime.games, runtime.hub):

        async def close(part=part, close=part.close):
            closed.append(part)
            await close()

        monkeypatch.setattr(part, "close", close)
    await runtime.close()
    assert closed == [runtime.hub, runtime.games, runtime.channel]


async def test_a_part_of_an_upper_app_is_made_once(at_work):
    runtime = web_runtime()
    assert runtime.part(list) is runtime.part(list)


async def test_a_hint_from_any_thread_reaches_each_runtime(at_work, monkeypatch):
    runtime, heard = web_runtime(), []
    monkeypatch.setattr(runtime.channel, "say", lambda topic, rev=None: heard.append((topic, rev)))
    await asyncio.to_thread(notify.publish, ("game", "x"), 3)
    await asyncio.sleep(0)
    assert heard == [(("game", "x"), 3)]


async def test_a_worker_has_no_hub_and_its_runtime_is_not_that_of_pages(at_work):
    worker = Runtime()
    assert RUNNING[asyncio.get_running_loop()] is worker
    assert isinstance(web_runtime(), WebRuntime)
    await worker.close()
