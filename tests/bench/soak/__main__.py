"""`python -m tests.bench.soak`: does a server's memory grow with the actions that it performs?

Drives a real server process with short games: two sockets a game, which connect, play some legal
actions, resign and go, and a spectator for every other game. Samples the memory, files, threads and
database connections of the server, and prints their growth for each million actions, by least
squares after a warm-up, in which the cache of games fills too. It stops by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT)]

from tests.bench.processes import free_port, more_files, say  # noqa: E402
from tests.bench.soak.churn import Churn  # noqa: E402
from tests.bench.soak.samples import RSS, Samples, growth  # noqa: E402
from tests.faults.servers.deployments import DEPLOYMENTS  # noqa: E402

GAMES_AT_ONCE = 24
GAMES_A_BATCH = 300  # opened by one helper process
SAMPLE_INTERVAL_S = 2.0
CACHE_MIB = 4  # of games, so that the cache is full within the warm-up
GOAL = 20.0  # MiB a million actions


async def run(options: argparse.Namespace) -> dict[str, Any]:
    """Run the soak and return its result."""
    metrics_port = free_port()
    deployment = DEPLOYMENTS[options.profile](1)
    churn = Churn(deployment, options.actions_a_game, options.seed)
    samples = Samples(deployment, metrics_port)
    began = time.monotonic()
    try:
        await deployment.foundations()
        deployment.extra |= {
            "QUIVER_METRICS": str(metrics_port),
            "QUIVER_GAME_CACHE": str(CACHE_MIB),
        }
        await deployment.webs_up({"A": None})
        await samples.take(0)
        await _play_all(churn, samples, options)
        await asyncio.sleep(5)  # for tasks that end with the last sockets
        await samples.take(churn.performed)
    finally:
        await deployment.down()
    warm = options.warm * churn.performed
    return {
        "date": time.strftime("%Y-%m-%d"),
        "profile": options.profile,
        "actions": churn.performed,
        "games": churn.games,
        "sockets": churn.sockets,
        "seconds": round(time.monotonic() - began),
        "warm_up_actions": round(warm),
        "growth_per_million_actions": {
            name: round(growth(series, warm), 2) for name, series in samples.series.items()
        },
        "series": samples.series,
    }


async def _play_all(churn: Churn, samples: Samples, options: argparse.Namespace) -> None:
    """Play until enough actions were performed, a batch of games after the other."""
    end = time.monotonic() + options.minutes * 60
    gate = asyncio.Semaphore(GAMES_AT_ONCE)

    async def gated(game: tuple[str, str, dict[str, str]]) -> None:
        async with gate:
            if time.monotonic() < end:
                await churn.play(*game)

    async def watch() -> None:
        while True:
            await asyncio.sleep(SAMPLE_INTERVAL_S)
            await samples.take(churn.performed)

    watching = asyncio.create_task(watch())
    try:
        while churn.performed < options.actions and time.monotonic() < end:
            await asyncio.gather(*map(gated, await churn.open_games(GAMES_A_BATCH)))
            rss = samples.series[RSS][-1][1]
            say(f"{churn.performed:,} actions, {churn.games:,} games, {rss:.1f} MiB")
            if watching.done():
                watching.result()
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


def main() -> int:
    """Read the command line, run, print; 1 if memory grows faster than the goal."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak", description=__doc__)
    parser.add_argument("--actions", type=int, default=50_000)
    parser.add_argument("--actions-a-game", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=120.0, help="at most")
    parser.add_argument("--profile", choices=DEPLOYMENTS, default="embedded")
    parser.add_argument("--warm", type=float, default=0.4, help="the share that is left out")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--json", type=Path, help="a file for the result with all samples")
    options = parser.parse_args()
    more_files()
    os.chdir(ROOT)
    result = asyncio.run(run(options))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    del result["series"]
    print(json.dumps(result, indent=1))
    return int(result["growth_per_million_actions"][RSS] > GOAL)


if __name__ == "__main__":
    sys.exit(main())
