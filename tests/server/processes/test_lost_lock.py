"""The instance lock when its connection to PostgreSQL is cut."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import psycopg
import pytest

from server.instance_lock import WEB_LOCK_ID, DatabaseLock
from tests.support.run.gates import nightly
from tests.support.servers.own_servers import REDIS, OwnDatabase, missing
from tests.support.servers.server_process import COMMANDS, HastyServer, OtherServer, Server
from tests.support.servers.waiting import is_ready, readiness, stay_unready, until
from tests.support.servers.web_process import wait_for_web_pid

SHAPES = {"alone": {}, "shared": {"REDIS_URL": REDIS}}
pytestmark = pytest.mark.timeout(300)
real_servers = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
]
HOLDERS = """
SELECT pid FROM pg_locks JOIN pg_database AS base ON base.oid = pg_locks.database
WHERE locktype = 'advisory' AND objid = %s AND granted AND datname = current_database()"""


class Place:
    """A database, and servers of each shape on it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.database = OwnDatabase()
        self.servers: list[Server] = []

    def server(self, shape: str, command: str = "serve") -> Server:
        """A server that has not been started."""
        about = {
            "DATABASE_URL": self.database.url,
            "QUIVER_SECRET": "a secret of these servers, and of nobody else",
            "QUIVER_STATIC": str(self._folder / "static"),
            **SHAPES[shape],
        }
        data = self._folder / f"data{len(self.servers)}"
        data.mkdir()
        if command == "serve":
            server = HastyServer(data, environment=about)
        else:
            server = OtherServer(data, environment=about)
            server.command = COMMANDS[command]
        self.servers.append(server)
        return server

    def ask(self, query: str, *values: object) -> list[tuple]:
        """The rows of a query."""
        with psycopg.connect(self.database.url, autocommit=True) as line:
            return line.execute(query, values).fetchall()

    def holders(self) -> list[int]:
        """The sessions that hold the lock."""
        return [pid for (pid,) in self.ask(HOLDERS, WEB_LOCK_ID)]

    def cut(self) -> int:
        """Ends the only session that holds the lock, and returns its pid."""
        (pid,) = self.holders()
        self.ask("SELECT pg_terminate_backend(%s)", pid)
        return pid

    def close(self) -> None:
        """Ends all servers and drops the database."""
        for server in self.servers:
            server.kill()
        self.database.drop()


@pytest.fixture
async def place(tmp_path) -> AsyncIterator[Place]:
    place = Place(tmp_path)
    yield place
    place.close()


class TestRealServers:
    pytestmark = real_servers

    @pytest.mark.parametrize("shape", ["alone", *nightly("shared")])
    async def test_a_lock_whose_connection_is_cut_is_claimed_again(self, place, shape):
        server = place.server(shape)
        await server.start()
        old = place.cut()
        await until(lambda: place.holders() not in ([], [old]))
        assert server.process.poll() is None
        await until(lambda: "The lock was claimed again" in server.log_path.read_text())
        assert await server.stop() == 0
        assert "Traceback" not in server.log_path.read_text()

    @pytest.mark.parametrize(
        ("shape", "command"),
        [
            ("shared", "serve"),
            *nightly(("alone", "serve"), ("alone", "daphne"), ("alone", "uvicorn")),
        ],
    )
    async def test_a_process_whose_lock_another_has_claimed_stops(self, place, shape, command):
        first = place.server(shape, command)
        await first.start()
        web = first.web_pid
        os.kill(web, signal.SIGSTOP)  # so that the other is the one that claims it
        old = place.cut()
        await until(lambda: old not in place.holders())
        second = place.server("alone")
        await second.start()
        os.kill(web, signal.SIGCONT)
        status = await asyncio.to_thread(first.process.wait, 60)
        assert status == (-signal.SIGTERM if command == "uvicorn" else 1)
        said = first.log_path.read_text()
        assert said.count("another web process has claimed it") == 1
        assert "critical" in said and "Traceback" not in said
        assert second.process.poll() is None
        assert await second.stop() == 0

    async def test_a_restarted_process_waits_for_a_lock_that_is_held_for_long(self, place):
        server = place.server("alone")
        await server.start()
        with psycopg.connect(place.database.url, autocommit=True) as other:
            server.kill_web()
            await until(lambda: _takes(other))  # as a session that a lost network has left does
            first = await asyncio.to_thread(wait_for_web_pid, server.process.pid)
            await until(lambda: "already runs on this database" in server.log_path.read_text())
            await asyncio.to_thread(wait_for_web_pid, server.process.pid, first)  # it tries again
            assert server.process.poll() is None
        await until(lambda: _serves(server))
        assert await server.stop() == 0
        assert "Traceback" not in server.log_path.read_text()

    async def test_while_the_database_is_away_the_lock_is_tried_for(self, place):
        server = place.server("alone")
        await server.start()
        web = server.web_pid
        place.database.shut()
        await until(lambda: _has_noticed(server))
        await stay_unready(server, 1.0)  # meanwhile it tries five times
        place.database.open()
        await until(place.holders)
        await until(lambda: is_ready(server))
        assert server.web_pid == web
        assert await server.stop() == 0


async def _has_noticed(server: Server) -> bool:
    """Whether a server is not ready because it knows that its lock is lost."""
    return await readiness(server) == (503, "not ready: the lock of the database is lost")


def _takes(session: psycopg.Connection) -> bool:
    """Whether a session gets the lock."""
    (took,) = session.execute("SELECT pg_try_advisory_lock(%s)", [WEB_LOCK_ID]).fetchone()
    return took


async def _serves(server: Server) -> bool:
    """Whether a server is ready; one that is away for more than five seconds refuses."""
    try:
        return await is_ready(server)
    except httpx.ConnectError:
        return False


@pytest.mark.networked("a lock in PostgreSQL")
@pytest.mark.django_db(transaction=True)
def test_the_own_session_that_a_broken_network_has_left_is_no_rival():
    lock, other = DatabaseLock(is_shared=False), DatabaseLock(is_shared=False)
    assert lock.claim()
    assert not other.claim()
    left = lock._connection  # still open, as PostgreSQL sees it
    assert lock.claim()
    with pytest.raises(psycopg.OperationalError):
        left.execute("SELECT 1")
    assert lock.check() and not other.claim()
    lock._connection.close()
    assert not lock.check()
    assert other.claim()
    other._connection.close()
