"""Kill processes that count openings at random moments; each game has to be counted once.

    python -m tests.bench.explorer.kills [--kills 200]

Two processes count without a lease; one of them is killed (SIGKILL) every few milliseconds, while
games end and rebuilds begin. With DATABASE_URL an empty PostgreSQL database is used, else SQLite on
a new folder.
"""

import argparse
import os
import random
import signal
import tempfile
import time
from typing import NoReturn

from tests.bench.ratings.refold import prepare

PAUSE_S = (0.01, 0.15)  # between two kills
POLL_S = 0.02
KILLS_A_REBUILD = 40
PROCESSES = 2


def main() -> None:
    """Run the bench; it fails if a count is missing, doubled or wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        print(f"load {os.getloadavg()[0]:.1f}", flush=True)
        run(options.kills)


def run(kills: int) -> None:
    """End games, kill by turns, and compare all counts with the games."""
    from django.db import connection

    from analysis.explorer.counting import begin_rebuild
    from analysis.explorer.opening_check import check_counts, count_all
    from tests.analysis.explorer.test_opening_counts import played
    from tests.support.rated_games import create_accounts

    chance, people = random.Random(3), create_accounts(*(f"p{n}" for n in range(8)))
    running = [_fork() for _ in range(PROCESSES)]
    try:
        for kill in range(kills):
            winner = chance.choice(("white", "black", ""))
            played(*chance.sample(people, 2), winner, seed=chance.randrange(4))
            if kill % KILLS_A_REBUILD == KILLS_A_REBUILD - 1:
                begin_rebuild()
            time.sleep(chance.uniform(*PAUSE_S))
            victim = kill % PROCESSES
            os.kill(running[victim], signal.SIGKILL)
            os.waitpid(running[victim], 0)
            running[victim] = _fork()
    finally:
        for process in running:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    count_all()
    checked = check_counts()
    assert checked.games == kills, checked
    print(f"{connection.vendor}: {kills} kills, {checked.games} games, {checked.rows} rows: right")


def _fork() -> int:
    """Start a process that counts without a lease."""
    from django.db import connection

    connection.close()  # a fork would share it
    if connection.vendor == "postgresql":
        connection.close_pool()
    child = os.fork()
    if child:
        return child
    try:
        work()
    finally:
        os._exit(1)


def work() -> NoReturn:
    """Count until killed."""
    from analysis.explorer.counting import count_ended_games

    while True:
        if not count_ended_games():
            time.sleep(POLL_S)


if __name__ == "__main__":
    main()
