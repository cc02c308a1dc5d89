"""Measure how long turns of other games wait for a worker that ponders.

    python -m tests.bench.pondering_latency [--seconds 60] [--pause 3]

Starts the site as `manage.py serve` does, with one worker, first without pondering and then with
it. One person plays level 8 of Amazons and takes `--pause` seconds for a turn; another one answers
level 2 at once. Prints the seconds of level 2's turns, as its clock shows them, that were due while
level 8 waited for its opponent. Loopback only; ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.bench.thinking import slug_of
from tests.faults.clients.random_turns import random_turn
from tests.support.page_client import page_of
from tests.support.servers.server_process import Server, Visitor

CLOCK = "fischer:180:2"
LATE = "pondering did not stop in time"
READY = "Computer players are ready"
WARMING_S = 120.0  # until the worker surely has its engines


class Table:
    """Turns of level 8 in its game, and the start of its opponent's turn."""

    def __init__(self) -> None:
        self.waits_since = float("inf")  # since when level 8 waits for its opponent, monotonic
        self.turns = 0  # of level 8


async def play(
    server: Server, level: int, board: str, pause_s: float, table: Table, took: list[float]
) -> None:
    """Play against a level for ever; note whose turn it is, or the seconds of its turns."""
    random, person = Random(level), Visitor(server)
    while True:
        form = {"game": board, "level": str(level), "side": "white", "clock": CLOCK}
        slug = slug_of(await person.post("/computer/", **form))
        page = page_of(server, slug, "ponder", "white", person.session)
        page.open()
        state = await page.until(lambda state: True)
        while state["status"] == "live":
            step, before = state["step"], state["clock"]
            if state["prompt"]:
                if level == 8:
                    table.waits_since = time.monotonic()
                    await asyncio.sleep(pause_s)
                    table.waits_since = float("inf")
                actions = random_turn(state, random)
                await page.ask(page.compose("act", step=step, actions=actions))
            began = time.monotonic()
            was_its = not state["prompt"]
            state = await page.until(
                lambda state, step=step: state["step"] > step or state["status"] != "live"
            )
            if was_its and level == 8:
                table.turns += 1
            elif was_its and table.waits_since <= began and state["status"] == "live":
                took.append((state["clock"]["since"] - before["since"]) / 1000)
        await page.close()


def wait_until_ready(log: Path) -> None:
    """Return when the worker has its engines."""
    end = time.monotonic() + WARMING_S
    while READY not in log.read_text():
        assert time.monotonic() < end, "the worker did not get ready"
        time.sleep(0.2)


async def measure(is_pondering: bool, seconds: float, pause_s: float) -> None:
    """Print a row."""
    table, took = Table(), list[float]()
    with TemporaryDirectory() as folder:
        about = {"QUIVER_PONDER": str(int(is_pondering))}
        server = Server(Path(folder), bots=1, environment=about)
        await server.start()
        try:
            await asyncio.to_thread(wait_until_ready, server.log_path)
            games = [(8, "amazons-10x10", pause_s), (2, "amazons-8x8", 0.0)]
            tasks = [asyncio.create_task(play(server, *game, table, took)) for game in games]
            await asyncio.sleep(seconds)
            for task in tasks:
                assert not task.done(), task
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            await server.stop()
        late = server.log_path.read_text().count(LATE)
    if not took:
        raise SystemExit(f"no turn was due while level 8 waited; it played {table.turns}")
    ordered = sorted(took)
    p50, p95 = (ordered[min(len(ordered) - 1, int(len(ordered) * at))] for at in (0.5, 0.95))
    name = "pondering" if is_pondering else "without"
    print(
        f"{name}: {len(took)} turns beside {table.turns} of level 8, p50 {p50:.3f} s, "
        f"p95 {p95:.3f} s, most {ordered[-1]:.3f} s; not stopped in time {late}; "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def main() -> None:
    """Measure twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=3.0)
    options = parser.parse_args()
    for is_pondering in (False, True):
        asyncio.run(measure(is_pondering, options.seconds, options.pause))


if __name__ == "__main__":
    main()
