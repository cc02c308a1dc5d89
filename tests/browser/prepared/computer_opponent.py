"""A site with a worker, and people who play the computer."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.browser.visitors.browser_visitors import Site
from tests.support.servers.server_process import Server, free_port

TIMEOUT_MS = 30_000  # ms


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site with a worker."""
    server = Server(tmp_path_factory.mktemp("manned"), bots=1)
    asyncio.run(server.start())
    yield Site(server.port, free_port(), server.database)
    assert asyncio.run(server.stop()) == 0
    assert "Traceback" not in server.log_path.read_text()
