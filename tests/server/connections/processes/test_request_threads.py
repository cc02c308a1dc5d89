"""A request uses one database connection and always returns it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.servers.own_servers import REDIS, OwnDatabase, missing
from tests.support.servers.server_process import Server, Visitor

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(300),
]
NOWHERE = ["/g/nothing/", "/nothing/", "/u/nobody-here/", "/l/nothing/", "/g/a%00b/"]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    """A site on PostgreSQL with the fewest connections that it may have."""
    database = OwnDatabase()
    shared = {
        "DATABASE_URL": database.url,
        "REDIS_URL": REDIS,
        "QUIVER_SECRET": "a secret of this server, and of nobody else",
        "QUIVER_POOL": "3",
    }
    server = Server(tmp_path, environment=shared)
    try:
        await server.start()
        yield server
    finally:
        server.kill()
        database.drop()


async def test_pages_that_are_not_there_keep_no_connection(server: Server) -> None:
    """The page 404 reads what the visitor has under way; else only signed-in visitors cause it."""
    guest, other = Visitor(server), Visitor(server)
    for visitor in (guest, other):
        await visitor.post("/chat/guest/", next="/")
    for _ in range(2):
        answers = await asyncio.gather(*(guest.client.get(path) for path in NOWHERE))
        assert [answer.status_code for answer in answers] == [404] * len(NOWHERE)
        assert (await other.client.get("/")).status_code == 200
    for visitor in (guest, other):
        await visitor.client.aclose()
