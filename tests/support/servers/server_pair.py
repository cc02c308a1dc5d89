"""Two web processes of one site with their own database and Redis."""

import asyncio
from pathlib import Path

from tests.support.servers.own_servers import REDIS, OwnDatabase
from tests.support.servers.server_process import Server


class Pair:
    """Two servers that share PostgreSQL and Redis, as two machines behind a proxy do."""

    def __init__(self, data: Path, redis: str = REDIS, **environment: str) -> None:
        self._database = OwnDatabase()
        shared = {
            "DATABASE_URL": self._database.url,
            "REDIS_URL": redis,
            "QUIVER_SECRET": "a secret of these two servers, and of nobody else",
            "QUIVER_POOL": "4",
            **environment,
        }
        # Static files are collected once, by the first.
        self.one, self.other = (Server(data, environment=shared) for _ in range(2))

    async def __aenter__(self) -> "Pair":
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start both, the first one first."""
        try:
            await self.one.start()
            await self.other.start()
        except BaseException:
            self._end()
            raise

    async def stop(self) -> None:
        """End both, and delete their database; both have to end well and without a traceback."""
        try:
            running = [server for server in (self.one, self.other) if server.process]
            ends = await asyncio.gather(*(server.stop() for server in running))
        finally:
            self._end()
        assert set(ends) <= {0}
        _, traceback, rest = self.one.log_path.read_text().partition("Traceback")  # of both
        assert not traceback, rest[:4_000]

    def _end(self) -> None:
        for server in (self.one, self.other):
            server.kill()
        self._database.drop()
