"""The applier in real processes: killed at any statement, and beside the work of `runnotices`."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tests.ratings.killed_processes import last_line_of, prepared
from tests.support.servers.server_process import ROOT
from tests.support.waiting import wait_until_sync

# Ends rated games; then forks a process for each statement, which kills itself before that one.
CODE = """
import json, os, signal, sys
sys.path[:0] = ["site", "."]
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django; django.setup()
from django.db import connection
from play.domain.clocks import now
from play.storage.ended_games import EndedGamesTask
from ratings.rules.fold_check import check_current
from ratings.models import RatingEntry
from tests.support.rated_games import create_accounts, rated_game

ada, bob = create_accounts("ada", "bob")
games = [rated_game(ada, bob, n) for n in ("white", "", "black")]

def work_until(limit):
    done = 0
    def count(execute, *rest):
        nonlocal done
        done += 1
        if done > limit:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*rest)
    task = EndedGamesTask()
    with connection.execute_wrapper(count):
        task.run("same", now())
    task.give_back("same")  # else the worker below would wait for its end, up to 20 s
    os._exit(0)

killed, left_behind = 0, []
while True:
    connection.close()
    child = os.fork()
    if not child:
        work_until(killed)
    status = os.waitpid(child, 0)[1]
    left_behind.append(RatingEntry.objects.count())
    if not os.WIFSIGNALED(status):
        break
    killed += 1
checked = check_current()
rated_game(bob, ada)
print(json.dumps([killed, left_behind, checked.entries, checked.standings]))
"""


@pytest.mark.embedded("statements of one process on SQLite")
def test_a_process_killed_at_any_statement_rates_no_game_by_half(tmp_path) -> None:
    environment = prepared(tmp_path)
    killed, left_behind, entries, standings = last_line_of(CODE, environment, 120)
    assert killed > 15  # statements of a round
    assert left_behind == sorted(left_behind)  # other follow-ups come after the ratings
    assert set(left_behind) == {0, 3}
    assert (entries, standings) == (3, 2)
    _rate_the_last_game(tmp_path, environment)


def _rate_the_last_game(data: Path, environment: Mapping[str, str]) -> None:
    """Let `runnotices` rate it; told to end, that gives its lease back."""
    worker = subprocess.Popen(
        [sys.executable, "manage.py", "runnotices"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with closing(sqlite3.connect(data / "quiver.sqlite3", timeout=20)) as database:
        try:
            count = "SELECT count(*) FROM ratings_ratingentry"
            wait_until_sync(
                lambda: database.execute(count).fetchone() == (4,), "the games are rated", 60
            )
            worker.send_signal(signal.SIGTERM)
            said = worker.communicate(timeout=20)[0]
        finally:
            worker.kill()
        assert worker.returncode == 0, said
        assert database.execute(
            "SELECT until FROM play_lease WHERE name = 'ended-games'"
        ).fetchone() == (0,)
