"""Measure the latency of people's actions with and without computer players thinking.

    python -m tests.bench.thinking [--games 4] [--level 8] [--seconds 20] [--rounds 3]

Starts the site as `manage.py serve` does, with one worker. Two people play on and on at one board,
as fast as they are answered; in every second round other people keep so many games of a level busy,
answering it at once. Those are in a process of their own, so that what they hear does not delay
the clock of the measured ones. Loopback only; ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.faults.clients.random_turns import random_turn
from tests.support.page_client import page_of
from tests.support.servers.server_process import Server, Visitor, start_game

BOARD = "amazons-10x10"
GAMES_OF_A_PAIR = 15  # of two people; a person may open 20 lobbies in five minutes
WARMING = 20  # seconds until the computer surely thinks
Row = tuple[str, int, float, float, float]


async def play_on(server: Server, seconds: float) -> list[float]:
    """The seconds from sending a turn to its receipt, for all that two people do in a time."""
    random, took = Random(1), []
    end = time.perf_counter() + seconds
    for number in count():
        if time.perf_counter() >= end:
            break
        if number % GAMES_OF_A_PAIR == 0:
            ada, bob = Visitor(server), Visitor(server)
        slug = slug_of(await start_game(ada, bob, BOARD, "none"))
        pages = {
            role: page_of(server, slug, role, role, who.session)
            for role, who in (("white", ada), ("black", bob))
        }
        for page in pages.values():
            page.open()
        white = pages["white"]
        await white.until(lambda state: True)
        while white.state["status"] == "live" and time.perf_counter() < end:
            role, step = white.state["control"][0], white.state["step"]
            page = pages[role]
            state = await page.until(lambda state, step=step: state["step"] >= step)
            actions = random_turn(state, random)
            began = time.perf_counter()
            answer = await page.ask(page.compose("act", step=step, actions=actions))
            took.append(time.perf_counter() - began)
            assert answer["t"] == "receipt", answer
            await white.until(lambda state, step=step: state["step"] > step)
        await white.ask(white.compose("resign"))
        for page in pages.values():
            await page.close()
    return took


@contextmanager
def busy_games(server: Server, games: int, level: int) -> Iterator[Any]:
    """Keeps games against the computer going in another process; yields its count of answers."""
    spawn = multiprocessing.get_context("spawn")
    answers = spawn.Value("i", 0)
    process = spawn.Process(target=run_games, args=(server.port, games, level, answers))
    process.start()
    try:
        yield answers
        assert process.is_alive(), process.exitcode
    finally:
        process.terminate()
        process.join()


def run_games(port: int, games: int, level: int, answers: Any) -> None:
    """Plays so many games at once against the computer until the process is ended."""
    server = Server(Path())
    server.port = port

    async def play_all() -> None:
        each = (keep_busy(server, number, level, answers) for number in range(games))
        await asyncio.gather(*each, asyncio.Event().wait())

    asyncio.run(play_all())


async def keep_busy(server: Server, number: int, level: int, answers: Any) -> None:
    """Plays against the computer for ever, answering at once; counts its answers."""
    random, person = Random(number), Visitor(server)
    form = {"game": BOARD, "level": str(level), "side": "white", "clock": "none"}
    while True:
        slug = slug_of(await person.post("/computer/", **form))
        page = page_of(server, slug, "busy", "white", person.session)
        page.open()
        state = await page.until(lambda state: True)
        while state["status"] == "live":
            step = state["step"]
            if state["prompt"]:
                actions = random_turn(state, random)
                await page.ask(page.compose("act", step=step, actions=actions))
            was_its = not state["prompt"]
            state = await page.until(
                lambda state, step=step: state["step"] > step or state["status"] == "over"
            )
            if was_its and state["prompt"]:
                answers.value += 1
        await page.close()


def slug_of(address: str) -> str:
    """The game of an address."""
    return address.strip("/").split("/")[-1]


def row(name: str, took: list[float]) -> Row:
    """Name, number, median, p99 and most, in ms."""
    ordered = sorted(each * 1000 for each in took)
    at = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.99)]
    return name, len(ordered), *at, ordered[-1]


async def measure(games: int, level: int, seconds: int, rounds: int) -> list[Row]:
    """Two rows: without thinking, and with."""
    took: dict[bool, list[float]] = {False: [], True: []}
    with TemporaryDirectory() as folder:
        server = Server(Path(folder), bots=1)
        await server.start()
        try:
            for step in range(2 * rounds):
                busy = bool(step % 2)
                with busy_games(server, games if busy else 0, level) as answers:
                    await asyncio.sleep(WARMING if busy else 3)
                    answers.value = 0
                    took[busy] += await play_on(server, seconds)
                    said = (
                        f"round {step + 1} of {2 * rounds}: {answers.value} turns of the computer"
                    )
                print(said, file=sys.stderr, flush=True)
        finally:
            await server.stop()
    return [row("nobody thinks", took[False]), row(f"{games} games of level {level}", took[True])]


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("games", 4), ("level", 8), ("seconds", 20), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen: dict[str, Any] = vars(parser.parse_args())
    print(f"{'':<24}{'turns':>8}{'median':>10}{'p99':>10}{'most':>10}  ms")
    for name, turns, *figures in asyncio.run(measure(**chosen)):
        print(f"{name:<24}{turns:>8}" + "".join(f"{figure:>10.1f}" for figure in figures))


if __name__ == "__main__":
    main()
