"""Servers that the tests of one worker share: started by the first test that asks, ended last.

A start costs one CPU second, that of the pair two. Each test makes users and games of its own, and
looks in lists, mails and the log for those alone; a log leaves out events that are frequent. A test
whose subject is a start, an end, a setting or the machine starts a server of its own.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:  # a run without processes imports none of them
    from tests.support.servers.mail_server import MailServer
    from tests.support.servers.server_pair import Pair
    from tests.support.servers.server_process import Server

NAMED_ORIGIN: Final = "https://game.example"  # of a proxy whose pages they answer too


@pytest.fixture(scope="session")
def shared_mails() -> "Iterator[MailServer]":
    """The mail server of the shared servers."""
    from tests.support.servers.mail_server import mail_server

    with mail_server() as server:
        yield server


@pytest.fixture(scope="session")
def shared_server_of(
    shared_mails: "MailServer", tmp_path_factory: pytest.TempPathFactory
) -> "Iterator[Callable[[str], Server]]":
    """Return the server of a kind of `any_server`, on SQLite: `shared_server_of("uvicorn")`."""
    from tests.support.servers.any_server import any_server
    from tests.support.servers.server_process import free_port

    servers: dict[str, Server] = {}
    with ExitStack() as stack:

        def server_of(kind: str) -> "Server":
            if kind not in servers:
                environment = {
                    "QUIVER_MAIL_URL": shared_mails.url,
                    "QUIVER_METRICS": str(free_port()),
                    "QUIVER_ORIGINS": NAMED_ORIGIN,
                }
                folder: Path = tmp_path_factory.mktemp("shared-server")
                servers[kind] = stack.enter_context(any_server(kind, folder, environment))
            return servers[kind]

        yield server_of


@pytest.fixture(scope="session")
def shared_server(shared_server_of: "Callable[[str], Server]") -> "Server":
    """`manage.py serve` on SQLite."""
    return shared_server_of("serve")


@pytest.fixture(scope="session")
def shared_pair(
    shared_mails: "MailServer", tmp_path_factory: pytest.TempPathFactory
) -> "Iterator[Pair]":
    """Two of them with PostgreSQL and Redis."""
    from tests.support.servers.server_pair import Pair

    folder: Path = tmp_path_factory.mktemp("shared-pair")
    pair = Pair(folder, QUIVER_MAIL_URL=shared_mails.url)
    asyncio.run(pair.start())
    try:
        yield pair
    finally:
        asyncio.run(pair.stop())
