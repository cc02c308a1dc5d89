"""Measure a rebuild and a check of the ratings, on SQLite and on PostgreSQL.

    python -m tests.bench.ratings.refold [--games 100000] [--people 2000] [--postgres URL]

Makes ended games of people who play at random, each with its entry, then runs
`manage.py ratings --rebuild` and `--check`, annuls the first, a middle and a late game, each
alone, and exports the public file. With both databases the two
files have to be equal byte by byte. `--postgres` names an empty database, which is filled.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[3]
START = 1_700_000_000_000  # epoch ms
GAP_MS = 300_000  # between the ends of two games


def prepare(data: str) -> None:
    """Make the tables of a site on a folder, or on the database of DATABASE_URL."""
    os.environ["QUIVER_DATA"] = data
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    sys.path[:0] = [str(ROOT / "site"), str(ROOT)]
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def make_games(games: int, people: int) -> None:
    """Make rated games with their entries; every hundredth does not count."""
    from accounts.models import User
    from games.catalogue import RULES
    from games.rating.pools import Speed
    from play.models import Game
    from ratings.models import Generation, Person, RatingEntry, make_first_generation

    chance, rules = random.Random(1), list(RULES)
    User.objects.bulk_create([User(pk=n, username=f"p{n}") for n in range(1, people + 1)])
    Person.objects.bulk_create([Person(pk=n, user_id=n) for n in range(1, people + 1)])
    for first in range(1, games + 1, 5_000):
        numbers = range(first, min(first + 5_000, games + 1))
        drawn = [(chance.choice(rules), chance.choice(("white", "black", ""))) for _ in numbers]
        Game.objects.bulk_create(
            Game(
                pk=n, slug=f"bench-game-{n:011}", rules=key, clock_kind="fischer", position="",
                times="{}", created=0, changed=0, ended=START + n * GAP_MS, winner=winner,
                is_rated=True,
            )
            for n, (key, winner) in zip(numbers, drawn, strict=True)
        )  # fmt: skip
        entries = []
        for n, (key, winner) in zip(numbers, drawn, strict=True):
            white, black = chance.sample(range(1, people + 1), 2)
            entries.append(
                RatingEntry(
                    seq=n, kind="game", at=START + n * GAP_MS, game_id=n, rules=key,
                    speed=chance.choice([each.value for each in Speed]), white_id=white,
                    black_id=black, winner=winner, not_rated="" if n % 100 else "aborted",
                )
            )  # fmt: skip
        RatingEntry.objects.bulk_create(entries)
    make_first_generation()
    Generation.objects.update(last_seq=games)


def measure(games: int, people: int) -> None:
    """Print the figures of this process's database."""
    from django.db import connection

    from ratings.rules.fold_check import check_current
    from ratings.rules.generations import correct, rebuild
    from ratings.rules.public_file import find_generation, write_file

    make_games(games, people)
    _timed("rebuild", lambda: rebuild("bench"))
    _timed("check", check_current)
    for n in (1, games // 2 + 1, games - 1):
        _timed(f"annul game {n}", partial(correct, [f"bench-game-{n:011}"], True, "bench", "bench"))
    current = find_generation(None)
    assert current is not None
    with tempfile.NamedTemporaryFile() as file:
        path = Path(file.name)
        _timed("export", lambda: write_file(path, current))
        content = path.read_bytes()
    print(f"{connection.vendor}: {len(content):,} bytes, SHA-256 {sha256(content).hexdigest()}")


def _timed(what: str, run: object) -> None:
    from django.db import connection

    before, start = _cpu_s(), time.perf_counter()
    run()  # type: ignore[operator]
    wall_s = time.perf_counter() - start
    print(f"{connection.vendor}: {what} {wall_s:.1f} s, {_cpu_s() - before:.1f} s CPU here")


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure each database in a process of its own, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=2_000)
    parser.add_argument("--postgres", metavar="URL")
    parser.add_argument("--here", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        prepare(options.here)
        measure(options.games, options.people)
        return
    print(f"load {os.getloadavg()[0]:.1f}", flush=True)
    hashes = set()
    for url in filter(None, ("sqlite", options.postgres)):
        environment = {**os.environ, "DATABASE_URL": "" if url == "sqlite" else url}
        with tempfile.TemporaryDirectory() as folder:
            size = ["--games", str(options.games), "--people", str(options.people)]
            done = subprocess.run(
                [sys.executable, "-m", "tests.bench.ratings.refold", "--here", folder, *size],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
        print(done.stdout, end="", flush=True)
        hashes.add(done.stdout.split()[-1])
    if len(hashes) > 1:
        sys.exit("The files of the two databases differ.")


if __name__ == "__main__":
    main()
