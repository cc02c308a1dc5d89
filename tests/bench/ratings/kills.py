"""Kill appliers at random moments while rated games end; each game has to get one entry.

    python -m tests.bench.ratings.kills [--kills 500] [--appliers 2]

Two processes apply, without pauses between kills; one of them is killed (SIGKILL) every few dozen
milliseconds and forked anew. With DATABASE_URL an empty PostgreSQL database is used, else SQLite on
a new folder. Prints how long after its commit a game's entry was found, kills included.
"""

import argparse
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from typing import NoReturn

from tests.bench.ratings.refold import prepare

PAUSE_S = (0.02, 0.25)  # between two kills
POLL_S = 0.05  # of an applier here; 1 s in a worker
END_TIMEOUT_S = 60.0


def main() -> None:
    """Run the bench; exit with status 1 if an entry is missing, doubled or wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--appliers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        print(f"load {os.getloadavg()[0]:.1f}", flush=True)
        run(options.kills, options.appliers)


def run(kills: int, appliers: int) -> None:
    """End games and kill appliers by turns, then compare everything with the log."""
    from django.db import connection

    from ratings.models import RatingEntry
    from ratings.rules.fold_check import check_current
    from tests.support.rated_games import create_accounts, rated_game

    chance, people = random.Random(2), create_accounts(*(f"p{n}" for n in range(12)))
    running = [_fork(n) for n in range(appliers)]
    ended: dict[int, float] = {}
    found: dict[int, float] = {}
    try:
        for kill in range(kills):
            game = rated_game(*chance.sample(people, 2), chance.choice(("white", "", "black")))
            ended[game.game.pk] = time.monotonic()
            time.sleep(chance.uniform(*PAUSE_S))
            victim = kill % appliers
            os.kill(running[victim], signal.SIGKILL)
            os.waitpid(running[victim], 0)
            running[victim] = _fork(victim)
            _note(found, ended)
        until = time.monotonic() + END_TIMEOUT_S
        while len(found) < len(ended) and time.monotonic() < until:
            time.sleep(POLL_S)
            _note(found, ended)
    finally:
        for process in running:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    checked, entries = check_current(), RatingEntry.objects.count()
    assert checked is not None
    late = sorted(1000 * (found[game] - ended[game]) for game in found)
    print(f"{connection.vendor}: {kills} kills, {len(ended)} games, {entries} entries: right")
    print(f"entry after a median of {statistics.median(late):.0f} ms, at most {late[-1]:.0f} ms")
    if not len(ended) == entries == checked.entries == len(found):
        sys.exit("A game has no entry, or more than one.")


def _note(found: dict[int, float], ended: dict[int, float]) -> None:
    from ratings.models import RatingEntry

    at = time.monotonic()
    missing = [game for game in ended if game not in found]
    for game in RatingEntry.objects.filter(game__in=missing).values_list("game", flat=True):
        found[game] = at


def _fork(number: int) -> int:
    """Start an applier without a lease: both write whenever they find a game."""
    _disconnect()
    child = os.fork()
    if child:
        return child
    try:
        work()
    finally:
        os._exit(1)


def _disconnect() -> None:
    """Leave no connection that a fork would share."""
    from django.db import connection

    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()


def work() -> NoReturn:
    """Apply until killed."""
    from ratings.rules.applier import apply_ended_games

    while True:
        if not apply_ended_games():
            time.sleep(POLL_S)


if __name__ == "__main__":
    main()
