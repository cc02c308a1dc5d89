"""Systems compared with ours, each set up as in its own documentation."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from tests.bench.processes import ROOT, Program, free_port
from tests.bench.systems import System

PEERS = ROOT / "tests" / "bench" / "peers"
Start = Callable[[ExitStack, Path], System]


def _node(
    name: str, adapter: str, rest: Sequence[str], packages: Path, stack: ExitStack, folder: Path
) -> System:
    port = free_port()
    command = ["node", str(PEERS / f"{adapter}.mjs"), str(port), *rest]
    environment = {"QUIVER_BENCH_PACKAGES": str(packages), "NODE_ENV": "production"}
    return _started(stack, folder, name, adapter, command, environment, port)


def node(packages: Path) -> dict[str, Start]:
    """Systems on Node."""
    return {
        "boardgame.io": partial(_node, "boardgame.io", "boardgame", [], packages),
        "colyseus": partial(_node, "colyseus", "colyseus", [], packages),
        "colyseus-at-once": partial(_node, "colyseus-at-once", "colyseus", ["at-once"], packages),
    }


def tutorial(stack: ExitStack, folder: Path) -> System:
    """Django and Channels as their tutorials have them."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = {"TUTORIAL_DATA": str(folder), "PYTHONPATH": "."}
    module = "tests.bench.peers.tutorial"
    subprocess.run(
        [sys.executable, "-m", module],
        cwd=ROOT,
        env={**environment, "PATH": ""},
        check=True,
        timeout=60,
    )
    port = free_port()
    command = [sys.executable, "-m", "daphne", "-v", "0", "-p", str(port)]
    command.append(f"{module}:application")
    return _started(stack, folder, "tutorial", "tutorial", command, environment, port)


def _started(
    stack: ExitStack,
    folder: Path,
    name: str,
    adapter: str,
    command: Sequence[str],
    environment: dict[str, str],
    port: int,
) -> System:
    folder.mkdir(parents=True, exist_ok=True)
    program = Program(name, command, folder / f"{name}.log", environment)
    stack.enter_context(program)
    program.ready(port)
    system = System(name, adapter, {"web": [program.pid]}, [f"http://127.0.0.1:{port}"])
    system.pin()
    return system
