"""The shipped puzzles, stored as a worker does it, and people who solve them."""

import asyncio
import json
import os
import re
import sys

import pytest

from games.puzzles.puzzle import Puzzle, parse
from tests.browser.visitors.browser_visitors import Site, Visitor
from tests.support.servers.prepared_site import ROOT

SHIPPED = ROOT / "site" / "puzzles" / "shipped" / "puzzles.json"


@pytest.fixture(scope="module")
def puzzles(site: Site) -> dict[str, Puzzle]:
    """The shipped puzzles by slug, stored as a worker does it."""
    command = [sys.executable, "manage.py", "minepuzzles", "--games", "0"]
    environment = {**os.environ, "QUIVER_DATA": str(site.database.parent)}
    for name in ("DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    asyncio.run(_run(command, environment))
    tasks = [parse(each) for each in json.loads(SHIPPED.read_text())["puzzles"]]
    return {task.slug: task for task in tasks}


async def _run(command: list[str], environment: dict[str, str]) -> None:
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment)
    assert await process.wait() == 0


async def open_next(person: Visitor, game: str, puzzles: dict[str, Puzzle]) -> Puzzle:
    """Goes from the list to the next puzzle of a game; returns the puzzle."""
    await person.page.goto(f"{person.home}puzzles/?game={game}")
    await person.page.get_by_role("link", name="Next puzzle").click()
    await person.page.wait_for_url(re.compile(r"/puzzles/[a-z0-9]{8}/"))
    return puzzles[person.page.url.split("/puzzles/")[1].split("/")[0]]


def squares_of(action: str) -> list[str]:
    """The squares of an action: "move 4 1 4 7" to d1 and d7."""
    numbers = [int(part) for part in action.split()[1:]]
    return [f"{chr(96 + x)}{y}" for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
