"""Compares the engine of the pages with native code: the same lines to the bit, and the speed.

    python -m tests.bench.engine.equality [--positions 1000] [--nodes 200] [--chromium]

Runs every position natively and in Node; with --chromium also in Chromium, on a page of a site that
it starts, under the site's headers. Prints the cases that differ, and CPU seconds: of the thread
natively, of the process in Node, of the renderers in Chromium.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from playwright.async_api import async_playwright

from tests.browser.chromium.chromium_program import CHROMIUM, FLAGS
from tests.browser.chromium.engine_pages import ASK, PAGE
from tests.games.wasm.native_lines import KEYS, case, positions
from tests.support.servers.server_process import Server

RUNNER: Final = Path(__file__).parents[2] / "js" / "engine" / "run-cases.js"
PINCER_FACTOR: Final = 100  # positions of Pincer that are examined instead of one simulation
BATCH: Final = 100  # cases that Chromium is asked at once


def renderer_seconds() -> float:
    """Return the CPU seconds of all renderers that descend from this process."""
    ticks, parents = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = folder.joinpath("stat").read_text().rpartition(")")[2].split()
            command = folder.joinpath("cmdline").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended
        parents[int(folder.name)] = int(fields[1])
        if "--type=renderer" in command:
            ticks[int(folder.name)] = int(fields[11]) + int(fields[12])
    own = os.getpid()

    def is_own(process: int) -> bool:
        return process == own or (process in parents and is_own(parents[process]))

    return sum(ticks[each] for each in ticks if is_own(each)) / os.sysconf("SC_CLK_TCK")


def native(key: str, count: int, nodes: int) -> tuple[list[dict[str, Any]], float]:
    """Return cases with their native lines, and the CPU seconds of these."""
    amount = nodes * PINCER_FACTOR if key == "pincer" else nodes
    states = list(positions(key, count, Random(f"bench {key}")))
    case(key, states[0], amount, 1)  # compiled or loaded
    begun = time.process_time()
    cases = [case(key, state, amount, seed) for seed, state in enumerate(states, 1)]
    return cases, time.process_time() - begun


def in_node(cases: Iterable[dict[str, Any]]) -> tuple[list[Any], float]:
    """Return the lines that Node finds, and its CPU seconds."""
    text = "".join(f"{json.dumps(each)}\n" for each in cases)
    done = subprocess.run(
        ["node", str(RUNNER)], input=text, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [each["lines"] for each in answers], sum(each["seconds"] for each in answers)


async def in_chromium(cases: list[dict[str, Any]]) -> tuple[list[Any], float]:
    """Return the lines that the worker finds in Chromium, and the renderers' CPU seconds."""
    with TemporaryDirectory() as folder:
        server = Server(Path(folder))
        await server.start()
        try:
            return await _ask(cases, f"http://localhost:{server.port}/")
        finally:
            await server.stop()


async def _ask(cases: list[dict[str, Any]], address: str) -> tuple[list[Any], float]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = await browser.new_page()
        lines: list[Any] = []
        seconds = 0.0
        for at in range(0, len(cases), BATCH):
            await page.goto(f"{address}{PAGE}")  # a page may make its policy once
            begun = renderer_seconds()
            lines += await page.evaluate(ASK, cases[at : at + BATCH])
            seconds += renderer_seconds() - begun
        await browser.close()
    return lines, seconds


def compare(cases: list[dict[str, Any]], found: list[Any], where: str) -> int:
    """Print the positions whose lines differ; return their number."""
    differing = [
        each["position"] for each, lines in zip(cases, found, strict=True) if lines != each["lines"]
    ]
    for position in differing:
        print(f"{where}: differs: {position}")
    return len(differing)


def main() -> int:
    """Compare, and return 1 if a case differs, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--keys", nargs="+", choices=KEYS, default=KEYS)
    parser.add_argument("--chromium", action="store_true")
    arguments = parser.parse_args()
    wrong = 0
    for key in arguments.keys:
        cases, native_s = native(key, arguments.positions, arguments.nodes)
        found, node_s = in_node(cases)
        wrong += compare(cases, found, f"{key} in Node")
        print(
            f"{key}: {len(cases)} positions, native {native_s:.2f} s CPU, Node {node_s:.2f} s",
            flush=True,
        )
        if arguments.chromium:
            found, chromium_s = asyncio.run(in_chromium(cases))
            wrong += compare(cases, found, f"{key} in Chromium")
            print(f"{key}: Chromium {chromium_s:.2f} s CPU", flush=True)
    print(f"{wrong} cases differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
