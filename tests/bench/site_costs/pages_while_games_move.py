"""`python -m tests.bench.site_costs.pages_while_games_move`: measure views while games move.

Opens public games in the database of `QUIVER_DATA` or `DATABASE_URL` (`games_on_file` fills one),
plays random actions in them between views, and measures the CPU time of the thread that answers a
view: median and 95th percentile. `all` is the CPU time of the whole process a view, with what it
reads beside requests and without the moves. The last rows are of a site on which nothing moves.
Its games end when it does.

    python -m tests.bench.site_costs.pages_while_games_move --games 200 --moves 50 --rate 4
"""

import argparse
import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from statistics import median, quantiles
from typing import Any

from tests.bench.site_costs.pages_under_load import OneThreadHandler, ask  # sets Django up

from tests.bench.site_costs.games_on_file import crowd  # isort: skip

from django.conf import settings
from django.core.cache import cache
from django.db import transaction

from accounts.models import User
from assets.collect import collect
from games.catalogue import RULES
from games.core import ROLES, Role, assemble_joint
from play.domain import clocks
from play.models import Game
from play.runtime import game_commands
from play.time_controls import PRESETS

PAGES = ("/", "/watch/")
START_STEPS = 12  # played in each game beforehand
WARM_VIEWS = 5


class Measured(OneThreadHandler):
    """The site's handler, which notes the CPU milliseconds of each answer's thread."""

    def __init__(self) -> None:
        super().__init__()
        self.spent: list[float] = []

    def respond(self, *args: Any) -> Any:
        """Answer, and note the time."""
        began = time.thread_time()
        try:
            return super().respond(*args)
        finally:
            self.spent.append(1000 * (time.thread_time() - began))


class Mover:
    """Plays random actions in its games by writing their rows, as the game service does."""

    def __init__(self, games: Sequence[Game], rng: Random) -> None:
        self._rng = rng
        self._rows = {game.pk: (game.rules, game.position, game.step, game.rev) for game in games}

    def move(self, count: int, steps: int = 1) -> float:
        """Play in so many games, drawn at random; the CPU seconds that it took."""
        at, began = clocks.now(), time.thread_time()
        with transaction.atomic():
            for pk in self._rng.sample(sorted(self._rows), min(count, len(self._rows))):
                key, position, step, rev = self._rows[pk]
                for _ in range(steps):
                    position, step, rev = self._after(key, position), step + 1, rev + 1
                self._rows[pk] = key, position, step, rev
                Game.objects.filter(pk=pk).update(position=position, step=step, rev=rev, changed=at)
        return time.thread_time() - began

    def _after(self, key: str, position: str) -> str:
        """Return the position after a random step; from the start again after the end."""
        rules = RULES[key]
        state = rules.read(position)
        roles = rules.control(state)
        if not roles:
            return rules.write(rules.start())
        actions: Mapping[Role, Any] = {
            role: rules.choices(state, role).sample(self._rng) for role in roles
        }
        return rules.write(rules.play(state, assemble_joint(rules, state, actions)))


def opened(count: int, rng: Random) -> list[Game]:
    """Open so many games of people, in all rule sets."""
    people = crowd(max(2, count))
    with transaction.atomic():
        return [_open(key, rng, people) for _, key in zip(range(count), _keys(), strict=False)]


def _keys() -> Iterator[str]:
    while True:
        yield from RULES


def _open(key: str, rng: Random, people: Sequence[User]) -> Game:
    seats = dict(zip(ROLES, rng.sample(people, 2), strict=True))
    return game_commands.open_game(key, rng.choice(PRESETS[key]), seats, public=True)


async def watch(
    app: Measured, page: str, seconds: float, rate: float, mover: Mover | None, moves: float
) -> tuple[list[float], float]:
    """Ask for a page for a while; the CPU ms of each answer, and of the process a view."""
    for _ in range(WARM_VIEWS):
        await ask(app, "GET", page)
    app.spent.clear()
    began, moving = time.process_time(), 0.0
    loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1)
    for _ in range(round(seconds * rate)):
        cache.clear()  # the counts of the rate limits
        if mover:
            moving += await loop.run_in_executor(thread, mover.move, max(1, round(moves / rate)))
        assert await ask(app, "GET", page) == 200
        await asyncio.sleep(1 / rate)
    whole = 1000 * (time.process_time() - began - moving) / len(app.spent)
    return list(app.spent), whole


def show(page: str, moves: float, spent: Sequence[float], whole: float) -> None:
    p95 = quantiles(spent, n=20)[-1]
    print(
        f"{page:<9}{moves:>8.0f}{len(spent):>7}{median(spent):>9.2f}{p95:>8.2f}{whole:>8.2f}",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--moves", type=float, default=50, help="a second, in all games")
    parser.add_argument("--rate", type=float, default=4, help="views a second")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    collect()
    settings.ALLOWED_HOSTS = ["*"]
    rng, app = Random(options.seed), Measured()
    games = opened(options.games, rng)
    try:
        mover = Mover(games, rng)
        mover.move(len(games), START_STEPS)
        print(f"{'page':<9}{'moves/s':>8}{'views':>7}{'median':>9}{'p95':>8}{'all':>8}  CPU ms")
        for moving in (options.moves, 0):
            for page in PAGES:
                whole = watch(
                    app, page, options.seconds, options.rate, mover if moving else None, moving
                )
                show(page, moving, *asyncio.run(whole))
    finally:
        Game.objects.filter(pk__in=[game.pk for game in games]).delete()


if __name__ == "__main__":
    main()
