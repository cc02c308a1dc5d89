"""Measure the pages of the leaderboards, and the pass that computes them, with many accounts.

    python -m tests.bench.ratings.leaderboard_pages [--people 50000] [--games 8] [--folder FOLDER]

All people are on one leaderboard, a tenth of them on all ten. The first table has the seconds of a
pass, the second the CPU milliseconds of a request through the whole application but for the sockets
of the server, as in `tests.bench.site_costs.pages_under_load`: with the page cached, and drawn new.
DATABASE_URL may name an empty database, which is filled; else it is SQLite in `--folder`, which is
filled once and then used again.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from tests.bench.ratings.refold import prepare

WINDOW_DAYS = 80
DAY_MS = 86_400_000
ROWS_A_WRITE = 5_000
BOARD = "/ratings/pincer/live/"
READER = 25_000  # person: somewhere in the middle


def make_log(people: int, games: int, at: int) -> int:
    """Make accounts and their rated games of the last 80 days; return how many games there are."""
    from accounts.models import User
    from games.rating.pools import POOLS
    from play.models import Game
    from ratings.models import Generation, Person, RatingEntry, make_first_generation

    chance, numbers = random.Random(1), range(1, people + 1)
    strength = {number: chance.gauss(1500, 200) for number in numbers}
    User.objects.bulk_create(
        (User(pk=n, username=f"p{n}") for n in numbers), batch_size=ROWS_A_WRITE
    )
    Person.objects.bulk_create((Person(pk=n, user_id=n) for n in numbers), batch_size=ROWS_A_WRITE)

    def drawn() -> Iterator[tuple[str, str, int, int]]:
        for pool in POOLS:
            is_full = f"/ratings/{pool}/" == BOARD
            here = people if is_full else people // 10
            for _ in range(here * games // 2):
                white, black = chance.sample(range(1, here + 1), 2)
                yield pool.rules, pool.speed.value, white, black

    log = list(drawn())
    chance.shuffle(log)
    start, gap_ms = at - WINDOW_DAYS * DAY_MS, WINDOW_DAYS * DAY_MS // len(log)
    for first in range(0, len(log), ROWS_A_WRITE):
        part = list(enumerate(log[first : first + ROWS_A_WRITE], first + 1))
        Game.objects.bulk_create(
            Game(
                pk=n, slug=f"bench-game-{n:011}", rules=key, clock_kind="fischer", position="",
                times="{}", created=0, changed=0, ended=start + n * gap_ms, is_rated=True,
            )
            for n, (key, *_) in part
        )  # fmt: skip
        RatingEntry.objects.bulk_create(
            RatingEntry(
                seq=n, kind="game", at=start + n * gap_ms, game_id=n, rules=key, speed=speed,
                white_id=white, black_id=black,
                winner="white" if chance.random() < _odds(strength, white, black) else "black",
            )
            for n, (key, speed, white, black) in part
        )  # fmt: skip
    make_first_generation()
    Generation.objects.update(last_seq=len(log))
    return len(log)


def _odds(strength: dict[int, float], white: int, black: int) -> float:
    return float(1 / (1 + 10 ** ((strength[black] - strength[white]) / 400)))


def measure_passes(count: int, at: int) -> None:
    """Print the seconds of some passes, an hour apart."""
    from ratings.leaderboards.leaderboard_pass import make_pass
    from ratings.models import LeaderboardRow

    for number in range(count):
        wall_s, cpu_s = time.perf_counter(), time.process_time()
        new = make_pass("bench", at + number * 3_600_000)
        assert new is not None
        rows = LeaderboardRow.objects.filter(leaderboard_pass=new).count()
        wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
        print(f"pass of {rows:,} rows: {wall_s:.1f} s, {cpu_s:.1f} s CPU here", flush=True)


def measure_pages(runs: int) -> None:
    """Print what requests cost."""
    from django.conf import settings
    from django.core.cache import caches
    from django.test import Client

    from accounts.models import User
    from assets.collect import collect
    from ratings.leaderboards.leaderboard_pass import current_pass
    from ratings.models import LeaderboardRow
    from tests.bench.site_costs.pages_under_load import cost, site_handler

    collect()
    settings.ALLOWED_HOSTS = ["*"]
    browser = Client()
    browser.force_login(User.objects.get(pk=min(READER, User.objects.count() // 2)))
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    cookies = {"stranger": "", "reader": f"{settings.SESSION_COOKIE_NAME}={session}"}
    site = site_handler()

    async def uncached(scope: Any, receive: Any, send: Any) -> None:
        caches["template_fragments"].clear()
        await site(scope, receive, send)

    last = LeaderboardRow.objects.filter(
        leaderboard_pass=current_pass(), rules="pincer", speed="live"
    ).count()
    deep = [f"{BOARD}?after={position}" for position in (last // 2, last - 25)]
    print(f"{'who':<9}{'cached':>8}{'drawn':>8}  CPU ms of a request")
    for who, cookie in cookies.items():
        for address in (BOARD, *deep, "/ratings/", "/ratings/combined/"):
            warm = asyncio.run(cost(site, "GET", address, cookie, runs))
            cold = asyncio.run(cost(uncached, "GET", address, cookie, runs))
            print(f"{who:<9}{warm:>8.2f}{cold:>8.2f}  {address}", flush=True)


def main() -> None:
    """Fill a database and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=50_000)
    parser.add_argument("--games", type=int, default=8, help="of a person in a pool, on average")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--folder", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(options.folder or folder)
        from django.db import connection

        from play.domain.clocks import now
        from ratings.models import RatingEntry
        from ratings.rules.generations import rebuild

        at = now()
        if not RatingEntry.objects.exists():
            games = make_log(options.people, options.games, at)
            rebuild("bench")
            print(f"{options.people:,} accounts, {games:,} rated games", flush=True)
        print(f"{connection.vendor}, load {os.getloadavg()[0]:.1f}", flush=True)
        measure_passes(options.passes, at)
        measure_pages(options.runs)


if __name__ == "__main__":
    main()
