"""Our own site in each of its deployment forms, each instance isolated."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from tests.bench.processes import Program, free_port
from tests.bench.systems import Ours
from tests.faults.servers.database_servers import Postgres, Redis

# Busy sites run computer players in a process of their own: see site/docs/running.md.
QUIET = {"QUIVER_BOTS": "0", "QUIVER_NOTICES": "0", "QUIVER_EXHIBITION": "0"}


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of a site whose data lie in a folder of their own in `folder`."""
    data = folder / "site"
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    nothing = {"DATABASE_URL": "", "REDIS_URL": "", "PYTHONPATH": "site:."}
    return {**nothing, **QUIET, "QUIVER_DATA": str(data), "PYTHONUNBUFFERED": "1"}


def _serve(stack: ExitStack, folder: Path, environment: dict[str, str], port: int) -> Program:
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    log = folder / f"serve-{port}.log"
    program = stack.enter_context(Program("serve", command, log, environment))
    program.answering(port)
    return program


def _ours(name: str, ports: list[int], trees: dict[str, list[int]]) -> Ours:
    system = Ours(name, "quiver", trees, [f"http://127.0.0.1:{port}" for port in ports])
    system.pin()
    return system


def daphne(stack: ExitStack, folder: Path) -> Ours:
    """`manage.py serve` on SQLite."""
    port = free_port()
    program = _serve(stack, folder, _environment(folder), port)
    return _ours("daphne", [port], {"web": [program.pid]})


def servers(count: int, stack: ExitStack, folder: Path) -> Ours:
    """PostgreSQL (with fsync), Redis, and so many Daphne processes."""
    return networked(count, stack, folder)[0]


def networked(count: int, stack: ExitStack, folder: Path) -> tuple[Ours, str]:
    """The same, and the URL of its Redis."""
    environment = _environment(folder)
    folder.chmod(0o755)  # PostgreSQL's own user looks into it
    postgres, redis = Postgres(folder / "postgres"), Redis(folder / "redis")
    stack.callback(postgres.kill)
    postgres.create()
    stack.callback(redis.kill)
    redis.start()
    assert redis.process is not None
    postmaster = int((postgres.folder / "postmaster.pid").read_text().split()[0])
    ports = [free_port() for _ in range(count)]
    environment |= {
        "DATABASE_URL": postgres.url,
        "REDIS_URL": redis.url,
        "QUIVER_SECRET": "benchmark-" * 6,
        # A site behind its proxy has one origin; here its processes are asked directly.
        "QUIVER_ORIGINS": ",".join(f"http://127.0.0.1:{port}" for port in ports),
    }
    webs = [_serve(stack, folder, environment, port) for port in ports]
    trees = {
        "web": [web.pid for web in webs],
        "postgres": [postmaster],
        "redis": [redis.process.pid],
    }
    return _ours("servers" if count == 1 else "two", ports, trees), redis.url


SHAPES: dict[str, Callable[[ExitStack, Path], Ours]] = {
    "daphne": daphne,
    "servers": partial(servers, 1),
    "two": partial(servers, 2),
}
