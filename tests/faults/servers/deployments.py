"""Servers of a fault: real processes on loopback, started and stopped by the laboratory.

Profile `embedded`: one `serve` on SQLite. Profile `servers`: a PostgreSQL cluster and a Redis of
their own, and two `serve` processes.
"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from tests.faults.clients.game_setup import ORIGIN, Seating, Wanted, open_games
from tests.faults.laws.stored_rows import GameRows, read_rows
from tests.faults.servers.database_servers import Postgres, Redis, Replica
from tests.faults.servers.fault_injection import SPRUNG
from tests.faults.waiting import until
from tests.support.servers import prepared_site, web_process
from tests.support.servers.server_process import ROOT, free_port

INJECTION = "tests.faults.servers.fault_injection"  # manage.py with planted faults
NAMES = "ABCDEF"  # of web processes
TIMEOUT_S = 90.0  # seconds in which a process has to answer


class SiteProcess:
    """One `manage.py serve`."""

    def __init__(self, name: str, environment: dict[str, str], words: Path) -> None:
        self.name = name
        self.port = free_port()
        self.words = words  # file with its output
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None
        self.always: dict[str, Any] = {}  # traps that each of its processes has

    def arm(self, orders: dict[str, Any]) -> None:
        """Tells the running web process when to end; its deployment is `is_dying`."""
        Path(self.always["die"]["orders"]).write_text(json.dumps(orders), encoding="utf-8")
        self.signal(signal.SIGUSR1)

    def spawn(self, traps: dict[str, Any] | None = None) -> None:
        """Starts a process, and returns at once."""
        traps = {**self.always, **(traps or {})}
        how = (
            ["-m", "tests.faults.servers.fault_injection", json.dumps(traps)]
            if traps
            else ["manage.py"]
        )
        with self.words.open("ab") as words:
            self.process = subprocess.Popen(
                [sys.executable, *how, "serve", "--port", str(self.port)],
                cwd=ROOT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
                start_new_session=True,
            )

    async def start(self, traps: dict[str, Any] | None = None) -> float:
        """Starts a process and waits until it answers; returns the seconds that it took."""
        began = time.monotonic()
        self.spawn(traps)
        await self.ready()
        return time.monotonic() - began

    async def ready(self) -> None:
        """Waits until it answers."""
        origin = f"http://127.0.0.1:{self.port}"
        end = time.monotonic() + TIMEOUT_S
        async with httpx.AsyncClient(base_url=origin, trust_env=False, timeout=5) as visitor:
            while time.monotonic() < end:
                assert self.is_running, self.tail()
                try:
                    await visitor.get("/robots.txt")
                    return
                except httpx.TransportError:
                    await asyncio.sleep(0.03)
        raise AssertionError(f"{self.name} did not answer: {self.tail()}")

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        """The number of the web process: a child of the one that was started."""
        assert self.process is not None
        return web_process.wait_for_web_pid(self.process.pid)

    async def gone(self, seconds: float = 60.0) -> bool:
        """Waits until the process has ended; False if it has not within so many seconds."""
        return await until(lambda: not self.is_running, seconds, 0.005)

    def kill(self) -> None:
        """Ends parent and web process at once, as a failing machine does."""
        if self.process is not None:
            web_process.kill_all(self.process.pid)
            self.process.wait()

    def kill_web(self) -> int:
        """Ends the web process at once; its parent starts another. Returns the pid it had."""
        assert self.process is not None
        return web_process.kill_web(self.process.pid)

    async def stop(self) -> int:
        """Asks the process to end; returns its exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        if not await self.gone():
            self.kill()
        return self.process.returncode

    def signal(self, number: int) -> None:
        """Sends a signal."""
        os.kill(self.pid, number)

    def output(self) -> str:
        """The output of the process so far."""
        return self.words.read_text(errors="replace") if self.words.exists() else ""

    def tail(self) -> str:
        """The last 3,000 characters of the output."""
        return self.output()[-3_000:]

    def sprung(self) -> int:
        """The number of traps that have sprung in the process."""
        return sum(line.startswith(SPRUNG) for line in self.output().splitlines())


class Deployment:
    """Profile `embedded`, and the base class of both profiles."""

    profile = "embedded"

    def __init__(self, webs: int = 1) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="quiver-faults-"))
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        self.data.mkdir()
        self.count = webs
        self.webs: list[SiteProcess] = []
        self.extra: dict[str, str] = {}
        self.always: dict[str, Any] = {}
        self.is_dying = False  # web processes can be told when to end
        self.redis: Redis | None = None
        self.postgres: Postgres | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its processes."""
        return {
            "QUIVER_DATA": str(self.data),
            "QUIVER_BOTS": "0",
            "QUIVER_NOTICES": "0",
            "QUIVER_EXHIBITION": "0",
            "DATABASE_URL": "",
            "REDIS_URL": "",
            "QUIVER_ORIGINS": ORIGIN,
            **self.extra,
        }

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.data / "quiver.sqlite3"

    async def up(self, traps: dict[str, Any] | None = None) -> None:
        """Starts everything."""
        await self.foundations()
        await self.webs_up(dict.fromkeys(NAMES[: self.count], traps))

    async def webs_up(self, traps: dict[str, dict[str, Any] | None]) -> None:
        """Starts the web processes of these names, each with its traps."""
        prepared_site.copy_to(self.data, self.environment)
        for name, each in traps.items():
            web = SiteProcess(name, self.environment, self.folder / f"{name}.txt")
            web.always = self.always | ({"die": self._orders_of(name)} if self.is_dying else {})
            self.webs.append(web)
            await web.start(each)

    def _orders_of(self, name: str) -> dict[str, str]:
        return {"orders": str(self.folder / f"{name}.orders")}

    async def foundations(self) -> None:
        """Starts the servers that the web processes need."""

    def ports(self) -> list[int]:
        """The ports of the web processes."""
        return [web.port for web in self.webs]

    async def seat(self, wanted: list[Wanted]) -> list[Seating]:
        """Opens games."""
        return await open_games(self.environment, wanted)

    def rows(self) -> dict[str, GameRows]:
        """The rows of every game by its slug."""
        return read_rows(self.database)

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Returns the rows of a query."""
        import sqlite3
        from contextlib import closing

        with closing(sqlite3.connect(self.database, timeout=20)) as file:
            return file.execute(sql).fetchall()

    def output(self) -> str:
        """The output of all web processes so far."""
        return "".join(web.output() for web in self.webs)

    async def down(self) -> None:
        """Ends all processes that it has started, and removes their files."""
        for web in self.webs:
            web.kill()
        await self.clear()
        if not os.environ.get("QUIVER_FAULTS_KEEP"):
            shutil.rmtree(self.folder, ignore_errors=True)

    async def clear(self) -> None:
        """Ends the servers that the web processes needed."""


class Servers(Deployment):
    """Profile `servers`."""

    profile = "servers"

    def __init__(self, webs: int = 2) -> None:
        super().__init__(webs)
        self.replica: Postgres | None = None

    async def foundations(self) -> None:
        self.postgres = Postgres(self.folder / "postgres")
        self.redis = Redis(self.folder / "redis")
        await asyncio.to_thread(self.postgres.create)
        await asyncio.to_thread(self.redis.start)
        self.extra = {
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": self.redis.url,
            "QUIVER_SECRET": "laboratory-" * 6,
        }

    async def add_replica(self, is_synchronous: bool = True) -> Replica:
        """Starts a replica, and names both hosts to the processes that are started afterwards."""
        assert self.postgres is not None
        replica = self.replica = Replica(self.folder / "replica", self.postgres)
        await asyncio.to_thread(replica.create)
        if is_synchronous:
            await asyncio.to_thread(replica.make_synchronous)
        hosts = ",".join(f"127.0.0.1:{each.port}" for each in (self.postgres, replica))
        self.extra["DATABASE_URL"] = f"postgres://postgres@{hosts}/postgres"
        return replica

    async def fail_over(self) -> None:
        """Promotes the replica in the place of the primary, which is dead."""
        replica = self.replica
        assert isinstance(replica, Replica)
        await asyncio.to_thread(replica.promote)
        self.postgres, self.replica = replica, self.postgres

    def rows(self) -> dict[str, GameRows]:
        assert self.postgres is not None
        return read_rows(self.postgres.url)

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        assert self.postgres is not None
        return self.postgres.ask(sql)

    async def clear(self) -> None:
        if self.redis:
            await asyncio.to_thread(self.redis.kill)
        for cluster in (self.replica, self.postgres):
            if cluster:
                await asyncio.to_thread(cluster.kill)


DEPLOYMENTS: dict[str, type[Deployment]] = {"embedded": Deployment, "servers": Servers}
