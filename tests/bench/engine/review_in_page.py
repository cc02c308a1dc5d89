"""Measure the wait for the review of a game: the page's own review in Chromium.

    python -m tests.bench.engine.review_in_page [--games 2] [--keys amazons-10x10]

Plays games of level 5 against itself, stores each as an ended game of a site that it starts, opens
its analysis and presses "Review". Prints seconds by the clock until the first curve and until the
end, the engines that share the work (the page decides by the cores it sees), CPU seconds of the
renderer, and the longest task of the main thread. It depends on what else the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.async_api import Page, async_playwright, expect

from games.catalogue import rules_of
from games.core import assemble_joint
from games.players.core import Allowance
from games.players.levels import level_of, player_of
from tests.bench.engine.equality import renderer_seconds
from tests.browser.chromium.chromium_program import CHROMIUM, FLAGS
from tests.support.servers.server_process import ROOT, Server, embedded

KEYS: Final = ("amazons-10x10", "amazons-8x8", "pincer")
LEVEL: Final = 5  # of both players
MAX_REVIEW_S: Final = 40.0
MAX_CURVE_S: Final = 8.0
LIMIT_MS: Final = 300_000
# Reads a rule set and actions, stores them as an ended public game, and prints its name.
STORE: Final = """
import json, os, sys
sys.path[:0] = ["site", "."]
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django; django.setup()
from play.domain import commands
from play.storage import load
from tests.support.notice_games import TimedGame, ids
from tests.support.rated_games import create_accounts

key, actions = json.load(sys.stdin)
game = TimedGame(*create_accounts("ada", "bob"), key=key, public=True)
for action in actions:
    live = load.fetch(game.slug)
    (role,) = live.waiting
    game.do(commands.Act(next(ids), live.step, (action,)), role)
live = load.fetch(game.slug)
if live.waiting:
    game.resign(live.waiting[0])
print(game.slug)
"""
WATCH_TASKS: Final = """
globalThis.longest = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.longest = Math.max(longest, duration);
}).observe({ type: "longtask" });
"""


@dataclass(frozen=True, slots=True)
class Waited:
    """Time of one review: seconds by the clock, CPU seconds, and milliseconds."""

    curve_s: float
    all_s: float
    cpu_s: float
    longest_task_ms: float
    engines: int


def play(key: str, seed: int) -> list[str]:
    """Return the canonical actions of a game of a level against itself."""
    rules, level = rules_of(key), level_of(key, LEVEL)
    players = {role: player_of(key, LEVEL) for role in rules.roles}
    state, actions = rules.start(), list[str]()
    while control := rules.control(state):
        (role,) = control
        view, choices = rules.view(state, role), rules.choices(state, role)
        number = seed * 1_000 + len(actions)
        thought = players[role].choose(view, role, choices, Allowance(level.nodes), number)
        actions.append(str(thought.action))
        state = rules.play(state, assemble_joint(rules, state, {role: thought.action}))
    return actions


def store_game(data: Path, key: str, actions: Sequence[str]) -> str:
    """Store an ended game in a site's folder; return its name."""
    done = subprocess.run(
        [sys.executable, "-c", STORE],
        input=json.dumps([key, list(actions)]),
        cwd=ROOT,
        env={**embedded(), "QUIVER_DATA": str(data)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.split()[-1]


async def review(key: str, seed: int) -> Waited:
    """Return the time of a game's review on its page."""
    actions = play(key, seed)
    with TemporaryDirectory() as folder:
        server = Server(Path(folder))
        await server.start()
        try:
            slug = store_game(Path(folder), key, actions)
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                page = await browser.new_page()
                await page.goto(f"http://localhost:{server.port}/g/{slug}/analysis/")
                waited = await _press_review(page)
                await browser.close()
                return waited
        finally:
            await server.stop()


async def _press_review(page: Page) -> Waited:
    workers = list[object]()
    page.on("worker", lambda worker: workers.append(worker))
    await page.evaluate(WATCH_TASKS)
    say, before, begun = page.locator("#review-say"), renderer_seconds(), time.monotonic()
    await page.click("#review-start")
    await expect(say).to_contain_text("Pass 2 of", timeout=LIMIT_MS)
    curve_s = time.monotonic() - begun
    await expect(say).to_contain_text("Reviewed with", timeout=LIMIT_MS)
    return Waited(
        curve_s,
        time.monotonic() - begun,
        renderer_seconds() - before,
        await page.evaluate("longest"),
        len(workers),
    )


def main() -> int:
    """Measure, and return 1 if a review or its first curve takes too long, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--keys", nargs="+", choices=KEYS, default=KEYS[:1])
    arguments = parser.parse_args()
    is_missed = False
    for key in arguments.keys:
        rows = [asyncio.run(review(key, seed)) for seed in range(arguments.games)]
        curve_s, all_s, cpu_s = (
            statistics.median(getattr(row, name) for row in rows)
            for name in ("curve_s", "all_s", "cpu_s")
        )
        longest = max(row.longest_task_ms for row in rows)
        print(
            f"{key}: {len(rows)} games, {rows[0].engines} engines; first curve {curve_s:.1f} s,"
            f" all {all_s:.1f} s, {cpu_s:.1f} s CPU; longest task {longest:.0f} ms",
            flush=True,
        )
        is_missed |= all_s > MAX_REVIEW_S or curve_s > MAX_CURVE_S
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
