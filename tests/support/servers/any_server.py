"""Run the site under each server that the README names, on its own data folder."""

import asyncio
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.support.run.gates import nightly
from tests.support.servers.server_process import COMMANDS, OtherServer, Server

KINDS = ("serve", *nightly(*COMMANDS))


@contextmanager
def any_server(kind: str, folder: Path, environment: Mapping[str, str]) -> Iterator[Server]:
    """Runs the site under `kind`, `serve` or one of COMMANDS. It must not log an error, and `serve`
    has to end with status 0."""
    if kind == "serve":
        server = Server(folder, environment=environment)
    else:
        pytest.importorskip(kind.split(",")[0])
        server = OtherServer(folder, environment=environment)
        server.command = COMMANDS[kind]
    asyncio.run(server.start())
    try:
        yield server
    finally:
        status = asyncio.run(server.stop())
    assert status == 0 or kind != "serve"
    _, traceback, rest = server.log_path.read_text().partition("Traceback")
    assert not traceback, rest[:4_000]


def raw_answer(server: Server, request: bytes) -> bytes:
    """Sends bytes as they are; returns everything until the server closes."""
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=20)) as line:
        line.sendall(request)
        parts = []
        while part := line.recv(65536):
            parts.append(part)
    return b"".join(parts)
