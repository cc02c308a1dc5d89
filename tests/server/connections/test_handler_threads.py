"""A request runs in one call of one thread, and threads are used again."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import asgiref.sync
import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.signals import request_finished, request_started
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponse
from django.urls import path
from django.utils import timezone, translation

from server.handler import MAX_THREADS, OneThreadHandler, count_threads

pytestmark = pytest.mark.django_db
used: list[tuple[str, int]] = []


def note(name: str) -> None:
    used.append((name, threading.get_ident()))


def view(request: Any) -> HttpResponse:
    note("view")
    return HttpResponse("read")


def slow(request: Any) -> HttpResponse:
    note("slow")
    begun.set()
    proceed.wait(5)
    return HttpResponse("read")


def change_state(request: Any) -> HttpResponse:
    """Leaves its language and its time zone behind, and a transaction that has failed."""
    translation.activate("tr")
    timezone.activate("Europe/Istanbul")
    with suppress(DatabaseError), transaction.atomic():
        connection.cursor().execute("SELECT nothing FROM nowhere")
    return HttpResponse("changed")


def tell_state(request: Any) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    found = [translation.get_language(), timezone.get_current_timezone_name()]
    return HttpResponse(" ".join([*found, str(connection.in_atomic_block)]))


begun, proceed, finished = threading.Event(), threading.Event(), threading.Semaphore(0)
urlpatterns = [path("plain/", view), path("slow/", slow)]
urlpatterns += [path("change/", change_state), path("tell/", tell_state)]


@pytest.fixture
def noted(settings) -> Callable[..., None]:
    """Notes where signals and views run; routes of this module."""
    settings.ROOT_URLCONF = __name__
    used.clear()

    def start(**about: Any) -> None:
        note("start")

    def finish(**about: Any) -> None:
        note("finish")
        finished.release()

    request_started.connect(start)
    request_finished.connect(finish)
    yield
    request_started.disconnect(start)
    request_finished.disconnect(finish)


def ask(handler: OneThreadHandler, path: str) -> ApplicationCommunicator:
    headers = [(b"host", b"localhost")]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "query_string": b""}
    return ApplicationCommunicator(handler, scope)


async def body_of(visit: ApplicationCommunicator) -> bytes:
    await visit.send_input({"type": "http.request", "body": b""})
    assert (await visit.receive_output(5))["status"] == 200
    body = (await visit.receive_output(5))["body"]
    await visit.wait(5)
    return body


async def test_signals_middleware_and_view_run_in_one_thread_without_adapters(
    noted, monkeypatch
) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("something on the way switches between sync and async")

    handler = OneThreadHandler()
    monkeypatch.setattr(asgiref.sync.SyncToAsync, "__call__", refuse)
    monkeypatch.setattr(asgiref.sync.AsyncToSync, "__call__", refuse)
    assert await body_of(ask(handler, "/plain/")) == b"read"
    assert [name for name, _ in used] == ["start", "view", "finish"]
    assert len({thread for _, thread in used}) == 1
    assert used[0][1] != threading.get_ident()


@pytest.mark.parametrize(("pool", "threads"), [(4, 1), (12, 9), (100, MAX_THREADS)])
def test_each_request_that_runs_has_a_connection_beside_those_of_games(
    monkeypatch, settings, pool, threads
) -> None:
    postgres = {"OPTIONS": {"pool": {"max_size": pool}}}
    monkeypatch.setitem(settings.DATABASES, "default", postgres)
    assert count_threads() == threads


async def test_requests_share_threads(noted) -> None:
    handler = OneThreadHandler()
    for _ in range(3 * MAX_THREADS):
        await body_of(ask(handler, "/plain/"))
    assert len({thread for _, thread in used}) < MAX_THREADS


@pytest.mark.django_db(transaction=True)
async def test_a_request_leaves_no_state_in_its_thread(settings) -> None:
    settings.ROOT_URLCONF, settings.MIDDLEWARE = __name__, []
    handler = OneThreadHandler()
    handler._threads = ThreadPoolExecutor(1)
    before = await body_of(ask(handler, "/tell/"))
    assert before == b"en UTC False"
    assert await body_of(ask(handler, "/change/")) == b"changed"
    assert await body_of(ask(handler, "/tell/")) == before


async def test_a_slow_request_delays_no_other_one_and_is_closed_when_its_client_leaves(
    noted,
) -> None:
    handler = OneThreadHandler()
    begun.clear()
    proceed.clear()
    while finished.acquire(blocking=False):
        pass
    visit = ask(handler, "/slow/")
    await visit.send_input({"type": "http.request", "body": b""})
    assert await asyncio.to_thread(begun.wait, 5)
    assert await body_of(ask(handler, "/plain/")) == b"read"
    assert finished.acquire(timeout=5)
    await visit.send_input({"type": "http.disconnect"})
    await visit.wait(5)
    proceed.set()
    assert await asyncio.to_thread(finished.acquire, True, 5)


async def test_a_request_that_the_server_cancels_leaves_no_task(noted) -> None:
    handler = OneThreadHandler()
    begun.clear()
    proceed.clear()
    others = asyncio.all_tasks()
    visit = ask(handler, "/slow/")
    await visit.send_input({"type": "http.request", "body": b""})
    assert await asyncio.to_thread(begun.wait, 5)
    with pytest.raises(asyncio.CancelledError):
        visit.future.cancel()
        await visit.future
    for _ in range(3):
        await asyncio.sleep(0)
    assert asyncio.all_tasks() == others
    proceed.set()
    assert await asyncio.to_thread(finished.acquire, True, 5)
