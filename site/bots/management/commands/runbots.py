"""`manage.py runbots`: run a worker of the computer players. Any number may run at once.

No other user may write the folder of compiled code: numba loads what it finds there with pickle and
runs it as machine code.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from play.management.worker_command import WorkerCommand, WorkerProcess
from play.runtime.runtime import Runtime

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
THINKER_NICENESS = 5  # of the thinking thread, so that requests, heartbeats and replies come first


class SharedFolder(Exception):
    """Other users can write to the folder of compiled code; the message names the path."""


def check_code_folder(folder: Path) -> None:
    """Raise SharedFolder if another user can put code into a folder, which need not exist.

    The folder, all that is in it and the folder that holds it must belong to this user or root,
    and neither group nor others may write to them. The folder that holds it may be one that all
    users share if it is sticky, as /tmp is. Does nothing on Windows.
    """
    if os.name == "nt":
        return
    parent = folder.resolve().parent
    if parent.exists():
        _check(parent, is_sticky_allowed=True)
    for path in _iterate(folder):
        _check(path)


def _iterate(folder: Path) -> Iterator[Path]:
    if folder.exists():
        yield folder
        yield from folder.rglob("*")


def _check(path: Path, is_sticky_allowed: bool = False) -> None:
    """Follow links: the target is what is loaded."""
    try:
        found = path.stat()
    except FileNotFoundError:  # another worker has just replaced it
        return
    if found.st_uid not in (os.geteuid(), 0):
        raise SharedFolder(
            f"{path} belongs to another user, and code in it would be run. Remove it, or set "
            "NUMBA_CACHE_DIR to a folder of this user's own."
        )
    is_sticky = is_sticky_allowed and found.st_mode & stat.S_ISVTX
    if found.st_mode & WRITABLE_BY_OTHERS and not is_sticky:
        raise SharedFolder(
            f"{path} can be written by other users, and code in it would be run. "
            f"Run: chmod go-w {path}, or set NUMBA_CACHE_DIR to a folder of this user's own."
        )


class Command(WorkerCommand):
    """Runs a worker of the computer players until a signal ends it."""

    help = "Thinks for the computer players until Ctrl-C; `serve` starts one of these by itself."
    stopped = "Computer players have stopped."

    def prepare(self) -> None:
        """Raise CommandError if another user could put code into the folder of compiled code."""
        os.environ["NUMBA_CACHE_DIR"] = str(settings.NUMBA_CACHE_DIR)  # numba reads it itself
        try:
            check_code_folder(settings.NUMBA_CACHE_DIR)
        except SharedFolder as error:
            raise CommandError(str(error)) from None

    def make_worker(self, runtime: Runtime, name: str) -> WorkerProcess:
        """Return the worker. The engines are imported here: they are slow to load."""
        from bots.worker import Worker

        self.say("Computer players are getting ready …")
        return Worker(
            runtime.games,
            settings.EXHIBITION,
            self.say,
            name,
            THINKER_NICENESS,
            is_pondering=settings.PONDER,
        )
