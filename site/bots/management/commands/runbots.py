"""`manage.py runbots`: run a worker of the computer players. Any number may run at once.

No other user may write the folder of compiled code: numba loads what it finds there with pickle and
runs it as machine code.
"""

import asyncio
import os
import signal
import stat
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
THINKER_NICENESS = 5  # of the thinking thread, so that requests, heartbeats and replies come first
UNPREPARED = "The database is not prepared. Run “manage.py migrate” (or “serve”) first."


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


class Command(BaseCommand):
    """Checks the database, then runs a worker until a signal ends it."""

    help = "Thinks for the computer players until Ctrl-C; `serve` starts one of these by itself."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--tied",
            action="store_true",
            help="end when standard input is closed, as it is when the parent process dies",
        )
        parser.add_argument(
            "--name",
            default="",
            help="its name, if it is to go on at once where one of this name has died",
        )

    def handle(self, *args: Any, tied: bool, name: str, **options: Any) -> None:
        os.environ["NUMBA_CACHE_DIR"] = str(settings.NUMBA_CACHE_DIR)  # numba reads it itself
        try:
            check_code_folder(settings.NUMBA_CACHE_DIR)
        except SharedFolder as error:
            raise CommandError(str(error)) from None
        check_database()
        self._say("Computer players are getting ready …")
        asyncio.run(self._work(tied, name))
        self._say("Computer players have stopped.")
        if threading.active_count() > 1:
            # A thread still reads from the parent, or compiles code; neither can be interrupted.
            # Nothing is lost: numba replaces its cached files as a whole.
            sys.stderr.flush()
            os._exit(0)

    def _say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()

    async def _work(self, tied: bool, name: str) -> None:
        from bots.worker import Worker
        from play.runtime import clock_sync
        from play.runtime.runtime import Runtime

        runtime, loop = Runtime(), asyncio.get_running_loop()
        worker = Worker(runtime.games, settings.EXHIBITION, self._say, name, THINKER_NICENESS)

        def end(*signal: object) -> None:
            loop.call_soon_threadsafe(worker.end)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)
        if tied:
            threading.Thread(target=end_with_parent, args=(end,), daemon=True).start()
        try:
            await clock_sync.set_clock(runtime.games)
            await worker.run()
        finally:
            await runtime.close()


def end_with_parent(end: Any) -> None:
    """Wait until the parent's end of the pipe is closed, then call `end`."""
    sys.stdin.buffer.read()
    end()


def check_database() -> None:
    """Raise CommandError unless the database can be reached and has all its tables."""
    database = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and not Path(database).exists():
        raise CommandError(f"There is no database {database}. {UNPREPARED}")
    try:
        executor = MigrationExecutor(connection)
        is_behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from None
    if is_behind:
        raise CommandError(UNPREPARED)
