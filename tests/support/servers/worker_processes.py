"""Worker processes on a site's data folder that a test may kill."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.servers.server_process import ROOT, embedded
from tests.support.waiting import wait_until_sync

# Runs `manage.py` with odd engines: their kind, the seconds of a thought, then its arguments.
ODD = """
import runpy, sys
sys.path[:0] = ["site", "."]
from tests.support import faulty_engines
kind, seconds = sys.argv.pop(1), float(sys.argv.pop(1))
faulty_engines.SECONDS = seconds
faulty_engines.sit_down(kind)
sys.argv[0] = "manage.py"
runpy.run_path("manage.py", run_name="__main__")
"""
# Runs `manage.py` on a machine that has no numba.
BARE = """
import runpy, sys
sys.modules["numba"] = None
sys.argv[0] = "manage.py"
runpy.run_path("manage.py", run_name="__main__")
"""
# Opens a game between two computer players, or of a person against one; prints its address.
OPEN = """
from django.db import transaction
from accounts.people.computer_users import computer
from accounts.models import User
from play.runtime.game_commands import open_game
from play.domain.clocks import Clock
ada = User.objects.get_or_create(username="ada")[0]
other = {black}
with transaction.atomic():
    print(open_game("{key}", Clock("none"), dict(white=computer({level}), black=other), True).slug)
"""


class Site:
    """The database of a site on a folder, and its workers."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.log_path = data / "bots.txt"  # output of the workers
        self.workers: list[subprocess.Popen[bytes]] = []
        self.environment = {
            **embedded(),
            "QUIVER_DATA": str(data),
            "QUIVER_EXHIBITION": "0",
            "PYTHONUNBUFFERED": "1",
        }

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs a command of `manage.py` to its end."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def open(self, key: str, black: str = "ada", level: int = 8) -> str:
        """Starts a game with a computer player as white; returns its slug."""
        code = OPEN.format(key=key, black=black, level=level)
        done = self.manage("shell", "-v", "0", "-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()[-1]

    def work(self, kind: str, seconds: float = 0.0) -> subprocess.Popen[bytes]:
        """Starts a worker with odd engines of a kind that think for some seconds; `own`: with our
        own, `bare`: also without numba."""
        own = {"own": ["manage.py"], "bare": ["-c", BARE]}
        how = own.get(kind) or ["-c", ODD, kind, str(seconds)]
        with self.log_path.open("ab") as words:
            worker = subprocess.Popen(
                [sys.executable, *how, "runbots"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
            )
        self.workers.append(worker)
        return worker

    def ask(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Returns the rows of a query."""
        with closing(sqlite3.connect(self.data / "quiver.sqlite3", timeout=20)) as database:
            return database.execute(sql, values).fetchall()

    def until(self, holds: Callable[[], Any], seconds: float = 90.0) -> float:
        """Waits until something holds; returns the seconds that it took."""
        start = time.monotonic()
        wait_until_sync(holds, self.log_path.read_text, seconds)
        return time.monotonic() - start

    def steps(self, slug: str) -> int:
        """The number of resolved steps of a game."""
        return int(self.ask("select step from play_game where slug = ?", slug)[0][0])

    def alive(self) -> int:
        """The number of workers that the database has as ready."""
        return int(self.ask("select count(*) from bots_worker where is_warm")[0][0])

    def who_thinks(self) -> list[int]:
        """The process numbers of the workers that hold a seat."""
        return [int(name.split("-")[-2]) for (name,) in self.ask("select worker from bots_lease")]

    def close(self) -> None:
        """Ends every worker."""
        for worker in self.workers:
            if worker.poll() is None:
                worker.kill()
                worker.wait()


def is_running(pid: int) -> bool:
    """Whether there is a process with this number that has not ended."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


def kill(pid: int) -> None:
    """Ends a process without a word to it."""
    os.kill(pid, signal.SIGKILL)
