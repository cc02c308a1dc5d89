"""Play level 8 at fast clocks through real workers on a busy machine; count games lost on time.

    python -m tests.bench.fast_clocks [--games 4] [--burners 4] [--seconds 240]

Starts the site as `manage.py serve` does, with one worker, and processes that do nothing but
compute. People who answer at once play the computer, one game after another. Loopback only.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.bench.thinking import slug_of
from tests.faults.clients.random_turns import random_turn
from tests.support.page_client import page_of
from tests.support.servers.server_process import Server, Visitor

CLOCKS = ("fischer:30:0", "fischer:60:0", "limit:5")
BOARDS = ("amazons-10x10", "amazons-8x8", "pincer")
BURN = "while True: pass"


class Tally:
    """Results so far."""

    def __init__(self) -> None:
        self.turns: list[float] = []  # seconds of each turn of the computer, as its clock shows
        self.ends: Counter[str] = Counter()  # by clock, reason and who won
        self.least_ms: dict[str, int] = {}  # on the computer's clock, by clock


async def keep_playing(server: Server, number: int, tally: Tally, until: float) -> None:
    """Play whole games against level 8, answering at once."""
    random, person, played = Random(number), Visitor(server), 0
    while time.monotonic() < until:
        clock = CLOCKS[(number + played) % len(CLOCKS)]
        board = BOARDS[(number + played // len(CLOCKS)) % len(BOARDS)]
        form = {"game": board, "level": "8", "side": "white", "clock": clock}
        slug = slug_of(await person.post("/computer/", **form))
        page = page_of(server, slug, "fast", "white", person.session)
        page.open()
        state = await page.until(lambda state: True)
        while state["status"] == "live" and time.monotonic() < until:
            step = state["step"]
            if state["prompt"]:
                actions = random_turn(state, random)
                await page.ask(page.compose("act", step=step, actions=actions))
            is_its = not state["prompt"]
            before = state["clock"]
            state = await page.until(
                lambda state, step=step: state["step"] > step or state["status"] != "live"
            )
            if is_its and state["status"] == "live":
                tally.turns.append((state["clock"]["since"] - before["since"]) / 1000)
            left = state["clock"]["left"]["black"]
            tally.least_ms[clock] = min(left, tally.least_ms.get(clock, left))
        if end := state["outcome"]:
            tally.ends[f"{clock} {board}: {end['winner']} ({end['reason']})"] += 1
        played += 1
        await page.close()


async def measure(games: int, seconds: float) -> None:
    """Print the ends of all games, the computer's turns and the least time on its clocks."""
    tally = Tally()
    with TemporaryDirectory() as folder:
        server = Server(Path(folder), bots=1)
        try:
            await server.start()
            until = time.monotonic() + seconds
            players = [keep_playing(server, number, tally, until) for number in range(games)]
            async with asyncio.timeout(seconds + 60):
                await asyncio.gather(*players)
        finally:
            await server.stop()
    print(f"load {os.getloadavg()[0]:.1f}; ends (the computer is black):")
    for end, count in sorted(tally.ends.items()):
        print(f"  {count} × {end}")
    turns = sorted(tally.turns)
    if turns:
        print(f"{len(turns)} turns, p50 {turns[len(turns) // 2]:.2f} s, most {turns[-1]:.2f} s")
    print(f"least on the computer's clock, ms: {tally.least_ms}")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("games", 4), ("burners", 4), ("seconds", 240)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    burning = [subprocess.Popen([sys.executable, "-c", BURN]) for _ in range(options.burners)]
    try:
        asyncio.run(measure(options.games, options.seconds))
    finally:
        for each in burning:
            each.kill()


if __name__ == "__main__":
    main()
