"""Servers that test files share: started by the first test that asks, ended before other files.

A start costs one CPU second, that of the pair two; while nobody asks, a server costs one for each
minute and a half, so none stays until the end of the run. `conftest.py` has the files that share
servers run one after the other, under xdist by one worker.

Each test makes users and games of its own, and looks in lists, mails and the log for those alone; a
log leaves out events that are frequent. A test whose subject is a start, an end, a setting or the
machine starts a server of its own.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:  # a run without processes imports none of them
    from tests.support.servers.mail_server import MailServer
    from tests.support.servers.server_pair import Pair
    from tests.support.servers.server_process import Server

NAMED_ORIGIN: Final = "https://game.example"  # of a proxy whose pages they answer too
FIXTURES: Final = ("shared_pair", "shared_server")  # the second begins `shared_server_of` as well
pools: "list[SharedServers]" = []  # of this process: one, once a test has asked


class SharedServers:
    """The running servers, by the fixture that starts them."""

    def __init__(self, mails: "MailServer", new_folder: Callable[[str], Path]) -> None:
        self._mails, self._new_folder = mails, new_folder
        self._servers: dict[str, Server] = {}  # by kind
        self._pair: Pair | None = None
        self._ends = {name: ExitStack() for name in FIXTURES}

    def server_of(self, kind: str) -> "Server":
        """Return the server of a kind of `any_server`, on SQLite: `server_of("uvicorn")`."""
        from tests.support.servers.any_server import any_server
        from tests.support.servers.server_process import free_port

        if kind not in self._servers:
            environment = {
                "QUIVER_MAIL_URL": self._mails.url,
                "QUIVER_METRICS": str(free_port()),
                "QUIVER_ORIGINS": NAMED_ORIGIN,
            }
            run = any_server(kind, self._new_folder("shared-server"), environment)
            self._servers[kind] = self._ends["shared_server"].enter_context(run)
        return self._servers[kind]

    def pair(self) -> "Pair":
        """Return two of `serve` with PostgreSQL and Redis."""
        from tests.support.servers.server_pair import Pair

        if self._pair is None:
            pair = Pair(self._new_folder("shared-pair"), QUIVER_MAIL_URL=self._mails.url)
            asyncio.run(pair.start())
            self._ends["shared_pair"].callback(lambda: asyncio.run(pair.stop()))
            self._pair = pair
        return self._pair

    def end(self, but: Collection[str] = ()) -> None:
        """End the servers of all fixtures but these; each has to end well."""
        with ExitStack() as stack:
            if "shared_server" not in but:
                self._servers.clear()
                stack.enter_context(self._ends["shared_server"].pop_all())
            if "shared_pair" not in but:
                self._pair = None
                stack.enter_context(self._ends["shared_pair"].pop_all())


@cache
def fixtures_of(path: Path) -> tuple[str, ...]:
    """Return which of FIXTURES the tests of a file ask for."""
    text = path.read_text(encoding="utf-8")
    return tuple(name for name in FIXTURES if name in text)


def end_unneeded(nextitem: pytest.Item | None) -> None:
    """End the servers for which the file of the next test does not ask."""
    for pool in pools:
        pool.end(fixtures_of(nextitem.path) if nextitem else ())


@pytest.fixture(scope="session")
def shared_mails() -> "Iterator[MailServer]":
    """The mail server of the shared servers."""
    from tests.support.servers.mail_server import mail_server

    with mail_server() as server:
        yield server


@pytest.fixture(scope="session")
def shared_servers(
    shared_mails: "MailServer", tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SharedServers]:
    """The shared servers of this process."""
    pools.append(SharedServers(shared_mails, tmp_path_factory.mktemp))
    yield pools[0]
    pools.pop().end()


@pytest.fixture(scope="module")
def shared_server_of(shared_servers: SharedServers) -> "Callable[[str], Server]":
    """Return the server of a kind of `any_server`, on SQLite: `shared_server_of("uvicorn")`."""
    return shared_servers.server_of


@pytest.fixture(scope="module")
def shared_server(shared_servers: SharedServers) -> "Server":
    """`manage.py serve` on SQLite."""
    return shared_servers.server_of("serve")


@pytest.fixture(scope="module")
def shared_pair(shared_servers: SharedServers) -> "Pair":
    """Two of them with PostgreSQL and Redis."""
    return shared_servers.pair()
