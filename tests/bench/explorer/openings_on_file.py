"""Measure the opening explorer with a million games on file, on SQLite and on PostgreSQL.

    python -m tests.bench.explorer.openings_on_file [--games 1000000] [--postgres URL]

The counts are generated. A game has twelve turns: the first four are drawn by rank (the n-th turn
1/n as often as the first, of 1,088), so that games meet there; the others are its own. Measured are
the query for the start, where all turns and groups meet, and for later positions; the whole answer
of the view; how long adding the counts of 100 more games takes, in one transaction; and the fold of
their steps, which needs no database. `--postgres` names an empty database, which is filled.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import accumulate, cycle, islice
from pathlib import Path
from typing import Any

from tests.bench.ratings.refold import prepare

ROOT = Path(__file__).parents[3]
NAME = "tests.bench.explorer.openings_on_file"
FIRST_TURNS = 1_088  # of Amazons 10×10, the mirrored ones counted as one
SHARED_TURNS = 4  # in which games often meet
TURNS = 12
BATCH = 100  # as the task counts
RUNS = 200
WEIGHTS = list(accumulate(1 / n for n in range(1, FIRST_TURNS + 1)))
RANKS = range(FIRST_TURNS)


def main() -> None:
    """Measure each database in a process of its own, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--postgres", metavar="URL")
    parser.add_argument("--here", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        prepare(options.here)
        measure(options.games)
        return
    for url in filter(None, ("sqlite", options.postgres)):
        environment = {**os.environ, "DATABASE_URL": "" if url == "sqlite" else url}
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [sys.executable, "-m", NAME, "--here", folder, "--games", str(options.games)],
                cwd=ROOT,
                env=environment,
                check=True,
            )


def measure(games: int) -> None:
    """Fill this process's database, and print its figures."""
    from django.db import connection, transaction
    from django.test import Client

    from analysis.explorer.groups import EVERYONE
    from analysis.explorer.opening_rows import add_rows, rows_of
    from analysis.explorer.openings import read_rows

    name, start = connection.vendor, start_key()
    keys = fill(games)
    print(f"{name}: {games:,} games, load {os.getloadavg()[0]:.1f}", flush=True)
    print(f"{name}: {count_rows():,} rows, {size_mb():,.0f} MB with their index")
    _report(f"{name}: query, start, all games", lambda: read_rows(start, EVERYONE))
    _report(f"{name}: query, start, one group", lambda: read_rows(start, "level-3"))
    later = random.Random(5).sample(keys, min(RUNS, len(keys)))
    found = cycle(later)
    _report(f"{name}: query, later positions", lambda: read_rows(next(found), EVERYONE))
    browser = Client(SERVER_NAME="localhost")
    assert browser.get("/explorer/amazons-10x10.json").status_code == 200
    _report(f"{name}: whole answer, start", lambda: browser.get("/explorer/amazons-10x10.json"))
    more = generated(random.Random(6), games + 1)
    batches = [rows_of(islice(more, BATCH)) for _ in range(RUNS // 4)]
    waiting = iter(batches)

    def add() -> None:
        with transaction.atomic():
            add_rows(next(waiting))

    _report(f"{name}: adding {BATCH} games", add, runs=len(batches), per=BATCH)
    measure_fold()


def measure_fold() -> None:
    """Print how long the rules take for the opening of a game, in CPU time."""
    from games.catalogue import RULES
    from games.core import advance, fill_noop
    from games.opening_keys import opening_turns

    for key, rules in RULES.items():
        if rules.is_simultaneous:
            continue
        played = []
        for seed in range(50):
            rng, state, steps = random.Random(seed), rules.start(), []
            while rules.turns(state) < TURNS and rules.control(state):
                (role,) = rules.control(state)
                action = rng.choice(list(rules.choices(state, role)))
                steps.append({role: str(action)})
                state = advance(rules, state, fill_noop(rules, {role: action}))
            played.append(steps)
        before = time.process_time()
        for steps in played:
            opening_turns(rules, steps)
        print(f"fold of {key}: {1000 * (time.process_time() - before) / len(played):.2f} ms a game")


def start_key() -> int:
    """Return the key of the start of Amazons."""
    from games.catalogue import AMAZONS_10X10
    from games.opening_keys import position_key
    from games.symmetry import canonical_position

    position = canonical_position(AMAZONS_10X10, AMAZONS_10X10.start())
    assert position is not None
    return position_key(AMAZONS_10X10, position)


def generated(rng: random.Random, first: int) -> Iterator[Any]:
    """Yield games with generated turns and ids from `first` on, without an end."""
    from analysis.explorer.groups import BANDS, COMPUTERS, UNRATED
    from analysis.explorer.opening_rows import CountedGame
    from games.opening_keys import PlayedTurn

    groups, start, texts = (*BANDS, UNRATED, *COMPUTERS), start_key(), turn_texts()
    game = first
    while True:
        position, turns = start, []
        for number in range(TURNS):
            rank = rng.choices(RANKS, cum_weights=WEIGHTS)[0]
            turns.append(PlayedTurn(position, texts[rank]))
            own = 0 if number < SHARED_TURNS else game
            position = hash((position, rank, own)) >> 1  # a key of 63 bits
        winner = rng.choice(("white", "black", "white", "black", ""))
        yield CountedGame(game, rng.choice(groups), winner, turns)
        game += 1


def turn_texts() -> list[str]:
    """Return texts of first turns, as many as there are ranks."""
    from games.catalogue import AMAZONS_10X10 as RULES
    from games.core import fill_noop
    from games.symmetry import canonical_turn, start_symmetries

    found = set()
    symmetries = start_symmetries(RULES)
    for move in RULES.choices(RULES.start(), "white"):
        state = RULES.play(RULES.start(), fill_noop(RULES, {"white": move}))
        for shot in RULES.choices(state, "white"):
            found.add(canonical_turn(RULES, RULES.start(), (move, shot), symmetries))
    assert len(found) == FIRST_TURNS
    return sorted(found)


def fill(games: int) -> list[int]:
    """Store the counts of generated games; return keys of positions after some first turns."""
    from django.db import connection, transaction

    from analysis.explorer.opening_rows import add_rows, rows_of

    begun = time.perf_counter()
    fill_own(games * (TURNS - SHARED_TURNS))
    stream, keys = generated(random.Random(4), 1), []
    for done in range(0, games, 50_000):
        batch = list(islice(stream, min(50_000, games - done)))
        for game in batch[:20]:
            keys += [game.turns[depth].position for depth in (1, 2, 3)]
        rows = rows_of(game._replace(turns=game.turns[:SHARED_TURNS]) for game in batch)
        with transaction.atomic():
            add_rows(rows)
    print(f"{connection.vendor}: filled in {time.perf_counter() - begun:.0f} s")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return keys


def fill_own(turns: int) -> None:
    """Store turns that one game each has played, in positions of their own: two rows for each."""
    from django.db import connection

    from analysis.explorer.opening_rows import COLUMNS, TABLE

    is_postgres = connection.vendor == "postgresql"
    position = "(random() * 9e18)::bigint" if is_postgres else "random()"
    numbers = (
        f"SELECT generate_series(1, {turns}) AS n"
        if is_postgres
        else f"WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < {turns}) "
        "SELECT n FROM r"
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {TABLE} ({', '.join(COLUMNS)}) "
            f"SELECT own.position, g.name, 'd1-d7/g7', 1, 0, 0, own.n FROM "
            f"(SELECT {position} AS position, n FROM ({numbers}) AS s ORDER BY 1) AS own, "
            "(SELECT 'everyone' AS name UNION ALL SELECT 'unrated') AS g"
        )


def count_rows() -> int:
    """Return the number of rows."""
    from analysis.explorer.models import OpeningTurn

    return OpeningTurn.objects.count()


def size_mb() -> float:
    """Return the size of the table with its index, of the whole file on SQLite, in MB."""
    from django.db import connection

    from analysis.explorer.opening_rows import TABLE

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_total_relation_size(%s)", [TABLE])
            return float(cursor.fetchone()[0]) / 1e6
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        return float(cursor.fetchone()[0]) / 1e6


def _report(what: str, run: Callable[[], object], runs: int = RUNS, per: int = 1) -> None:
    """Print the medians of some runs, on the wall and in CPU time of this process."""
    walls, cpus = [], []
    for _ in range(runs):
        begun, worked = time.perf_counter(), time.process_time()
        run()
        walls.append(1000 * (time.perf_counter() - begun) / per)
        cpus.append(1000 * (time.process_time() - worked) / per)
    wall, cpu = statistics.median(walls), statistics.median(cpus)
    unit = "ms" if per == 1 else "ms a game"
    print(f"{what}: median {wall:.3f} {unit}, {cpu:.3f} of them CPU here", flush=True)


if __name__ == "__main__":
    main()
