"""Health and metrics endpoints."""

import asyncio
import json
import re
import threading
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from channels.testing import HttpCommunicator
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from accounts.refusals import Refused
from play import process_metrics
from play.domain import clocks
from play.domain.commands import Act
from play.models import Entry, Game, Step
from play.runtime import game_commands
from play.runtime.open_sockets import ACCEPTING
from play.runtime.write_probe import probe_writing
from server import health
from telemetry import counters
from telemetry.outage_log import DATABASE
from tests.support.loop_runtime import game_service, runtime, started
from tests.support.servers.server_process import Visitor, start_game
from tests.support.servers.waiting import is_ready
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db


async def ask(path: str, method: str = "GET") -> tuple[int, str]:
    """Requests a path; returns status and body. Checks that the answer forbids caching."""
    communicator = HttpCommunicator(health.answer, method, path)
    communicator.scope["runtime"] = runtime()
    answer = await communicator.get_response(timeout=5)
    headers = dict(answer["headers"])
    assert headers[b"cache-control"] == b"no-store"
    assert b"set-cookie" not in headers
    return answer["status"], answer["body"].decode().strip()


@pytest.fixture
async def ready(db, at_work):
    """The work behind the pages has begun."""
    behind = started()
    await asyncio.wait_for(behind.is_ready.wait(), 10)
    yield
    await behind.stop()


async def test_a_process_with_its_database_is_ready(ready) -> None:
    assert await ask("/readyz") == (200, "ready")
    assert await ask("/readyz", "HEAD") == (200, "")
    assert (await ask("/readyz", "POST"))[0] == 405


async def test_alive_asks_no_database(at_work, monkeypatch) -> None:
    async def nobody(*args: object) -> None:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(game_service(), "run_in_db_thread", nobody)
    assert await ask("/healthz") == (200, "alive")


async def test_a_process_that_stops_is_alive_and_not_ready(ready, monkeypatch) -> None:
    monkeypatch.setattr(ACCEPTING, "is_shut", True)
    assert await ask("/readyz") == (503, "not ready: stopping")
    assert await ask("/healthz") == (200, "alive")


async def test_before_down_time_is_given_back_nobody_is_let_in(ready) -> None:
    runtime().background.is_ready.clear()
    assert await ask("/readyz") == (503, "not ready: starting")
    runtime().background.is_ready.set()


def run_sql(statement: str) -> None:
    """Runs a statement on the calling thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture
async def writer_sql(ready):
    """Runs statements on the connection that writes actions: `await writer_sql(statement)`."""
    loop = asyncio.get_running_loop()

    async def run(statement: str) -> None:
        await loop.run_in_executor(game_service()._writer, run_sql, statement)

    yield run
    DATABASE.succeed()


@pytest.fixture
def unshared(monkeypatch) -> None:
    """Disables the cache of probes, so that each check asks the database."""
    monkeypatch.setattr(health, "MAX_PROBE_AGE_S", 0.0)


@pytest.mark.django_db(transaction=True)
async def test_readiness_is_that_of_the_connection_that_writes_actions(writer_sql, unshared):
    sqlite = connection.vendor == "sqlite"
    switch = "PRAGMA query_only = {}" if sqlite else "SET default_transaction_read_only = {}"
    await writer_sql(switch.format("on"))
    error = "OperationalError" if sqlite else "InternalError"
    words = f"not ready: the database cannot be written ({error})"
    assert await ask("/readyz") == (503, words)
    await writer_sql(switch.format("off"))
    assert await ask("/readyz") == (200, "ready")


@pytest.mark.django_db(transaction=True)
@pytest.mark.embedded("a limit on the pages of an SQLite file")
async def test_a_server_with_a_full_disk_is_not_ready(table, people, writer_sql, unshared):
    game = await table("amazons-10x10")
    await writer_sql("VACUUM")  # tests before this one may have left free pages
    await writer_sql("PRAGMA max_page_count = 1")  # SQLite takes what the file has now
    with pytest.raises(Refused) as refused:
        for step in range(200):
            await move(game, people, step)
    assert refused.value.reason == "busy"
    assert (await ask("/readyz"))[0] == 503
    await writer_sql("PRAGMA max_page_count = 1000000")
    assert await ask("/readyz") == (200, "ready")
    await move(game, people, (await game_service().renew(game.slug)).step)


async def move(game, people, step: int) -> None:
    """Plays some action of whoever is in control."""
    live = await game_service().renew(game.slug)
    (role,) = live.control
    user = people[0] if role == "white" else people[1]
    action = str(next(iter(live.rules.choices(live.state, role))))
    await game_commands.perform(
        game_service(), game.slug, user.pk, Act(f"id-{step}", live.step, (action,)), clocks.now()
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.embedded("the write-ahead log of SQLite")
@pytest.mark.parametrize("key", ["pincer", "amazons", "amazons-10x10"])
async def test_the_probe_needs_as_much_space_as_an_action(table, people, writer_sql, key):
    game = await table(key)
    path = Path(connection.settings_dict["NAME"])
    log = path.with_name(f"{path.name}-wal")

    async def appended(work) -> int:
        await writer_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        assert log.stat().st_size == 0
        await work
        return log.stat().st_size

    await runtime().background.stop()  # its pulses go to the same log
    actions = [await appended(move(game, people, step)) for step in range(4)]
    probe = await appended(game_service().write(probe_writing))
    assert probe >= max(actions), (probe, actions)


async def test_the_probe_leaves_nothing_behind(table, people, ready):
    game = await table("pincer")

    def rows() -> tuple[object, ...]:
        kept = Game.objects.values_list("rev", "head", "changed").get(pk=game.pk)
        return Step.objects.count(), Entry.objects.count(), kept

    before = await game_service().run_in_db_thread(rows)
    for _ in range(3):
        await game_service().write(probe_writing)
    assert await game_service().run_in_db_thread(rows) == before
    await game_service().run_in_db_thread(lambda: connection.check_constraints())


async def test_a_database_that_hangs_is_said_and_asked_once(ready, monkeypatch) -> None:
    asked, end = [], threading.Event()

    def hang() -> str:
        asked.append(1)
        end.wait(20)
        return ""

    monkeypatch.setattr(health, "PROBE_TIMEOUT_S", 0.1)
    monkeypatch.setattr(health, "lack_of_database", hang)
    for _ in range(3):
        assert await ask("/readyz") == (503, "not ready: the database does not answer")
    end.set()
    assert len(asked) == 1


async def test_tables_that_the_code_does_not_know_yet_are_said(ready) -> None:
    applied = MigrationRecorder(connection).migration_qs.filter(app="accounts")

    def forget_newest() -> Any:
        newest = applied.order_by("name").last()
        applied.filter(name=newest.name).delete()
        return newest

    newest = await game_service().run_in_db_thread(forget_newest)
    try:
        assert await ask("/readyz") == (503, "not ready: migrations are missing")
    finally:
        await game_service().run_in_db_thread(partial(newest.save, force_insert=True))


def test_without_a_port_that_can_be_had_no_figures_are_shown() -> None:
    assert process_metrics.start(0) is False
    assert process_metrics.start(2**17) is False


def test_the_highest_value_is_shown_once() -> None:
    highest = counters.PeakGauge("quiver_test_highest", "of this test")
    highest.record(3)
    highest.record(2)
    assert (highest._read_and_reset(), highest._read_and_reset()) == (3, 0)


def figure(text: str, name: str) -> float:
    """One figure of what Prometheus reads; 0 before its first observation."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)
    return float(found[1]) if found else 0.0


@pytest.mark.processes
async def test_a_real_process_tells_its_figures_on_loopback(shared_server) -> None:
    server, port = shared_server, shared_server.environment["QUIVER_METRICS"]
    metrics = f"http://127.0.0.1:{port}/metrics"
    async with (
        httpx.AsyncClient(base_url=server.origin, trust_env=False) as anybody,
        httpx.AsyncClient(trust_env=False) as prometheus,
    ):
        await wait_until(lambda: is_ready(server), "the server is ready")
        assert (await anybody.get("/readyz")).text == "ready\n"
        assert (await anybody.get("/healthz")).text == "alive\n"

        async def read() -> str:
            return (await prometheus.get(metrics)).text

        async def read_idle() -> str:
            text = await read()
            return text if figure(text, "quiver_sockets") == 0 else ""

        before = await wait_until(read_idle, "the sockets of other tests are closed")
        white, black = Visitor(server), Visitor(server)
        address = await start_game(white, black, "pincer", "none")
        slug = address.strip("/").split("/")[-1]
        async with websockets.connect(
            f"ws://127.0.0.1:{server.port}/ws/g/{slug}/",
            origin=server.origin,
            additional_headers={"Cookie": white.session},
            proxy=None,
        ) as page:
            for frame in (
                {"t": "subscribe"}, {"t": "resign", "id": "r"}, {"t": "resign", "id": "!"}
            ):  # fmt: skip
                await page.send(json.dumps({**frame, "topic": f"game:{slug}"}))
            told = []
            while len(told) < 2:
                frame = json.loads(await page.recv())
                told += [frame] if frame["t"] in ("receipt", "refused") else []
            text = await read()
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example"):
            # A page of that host, whose name now leads to this machine (DNS rebinding).
            rebound = await prometheus.get(metrics, headers={"Host": host})
            assert (rebound.status_code, rebound.text[:3]) == (403, "Ask")
        for host in (f"localhost:{port}", "localhost", "[::1]:9", "127.0.0.1"):
            named = await prometheus.get(metrics, headers={"Host": host})
            assert named.status_code == 200
    assert figure(text, "quiver_sockets") == 1
    for name in ('quiver_actions_total{outcome="accepted"}', "quiver_ack_seconds_count"):
        assert figure(text, name) == figure(before, name) + 1
    assert "quiver_loop_lag_seconds " in text
    assert address not in text and slug not in text
    for visitor in (white, black):
        await visitor.client.aclose()
