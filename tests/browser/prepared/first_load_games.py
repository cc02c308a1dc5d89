"""A site of its own for first visits, and games on it that are not opened yet."""

import asyncio
import itertools
from collections.abc import Callable, Iterator

import pytest

from tests.bench.first_load import GAMES, first_load
from tests.browser.visitors.browser_visitors import Site, Visitor
from tests.support.servers.server_process import Server, free_port, start_game
from tests.support.servers.server_process import Visitor as Somebody

LIMIT = 71_500  # bytes over the wire, headers and all; of a page of a game, without fonts


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose lists are not filled by the games of other modules."""
    server = Server(tmp_path_factory.mktemp("first-load"))
    asyncio.run(server.start())
    yield Site(server.port, free_port(), server.database)
    assert asyncio.run(server.stop()) == 0
    assert "Traceback" not in server.log_path.read_text()


@pytest.fixture
def begin(site, visit) -> Callable:
    """Begins a game and gives the browser of the one who plays white, without opening the page."""
    server = Server(site.database.parent)
    server.port = site.port
    numbers = itertools.count()

    async def begin(key: str, **device: object) -> tuple[Visitor, str]:
        ada, bob = Somebody(server), Somebody(server)
        address = await start_game(ada, bob, key, GAMES[key])
        ada_here = await visit(f"white {next(numbers)}", **device)
        cookie = {"name": "sessionid", "value": ada.client.cookies["sessionid"]}
        await ada_here.page.context.add_cookies([{**cookie, "url": ada_here.home}])
        return ada_here, ada_here.home + address.removeprefix("/")

    return begin


async def check_first_load(begin, key: str) -> None:
    """Checks the bytes and requests of the first visit of a game's page."""
    ada, address = await begin(key)
    load = await first_load(ada.page, address)
    assert all(url.startswith(ada.home) for url in load.answers)
    assert load.first <= LIMIT, load.answers
    assert load.idle <= 8_000, load.answers
    assert len(load.answers) <= 8
