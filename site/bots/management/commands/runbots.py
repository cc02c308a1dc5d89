"""`manage.py runbots`: a process that thinks for the computer players. Run as many as you like."""

import asyncio
import os
import signal
import sys
import threading
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from bots.code_cache import SharedFolder, check_code_folder

NICE = 5  # of thoughts: what people do comes first, and so do heartbeats and answers
UNPREPARED = "The database is not prepared. Run “manage.py migrate” (or “serve”) first."


class Command(BaseCommand):
    """Checks that there is a database, then thinks until it is told to end."""

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
        code = os.environ.setdefault("NUMBA_CACHE_DIR", str(settings.DATA_DIR / "numba"))
        try:
            check_code_folder(Path(code))
        except SharedFolder as error:
            raise CommandError(str(error)) from None
        check_database()
        self._say("Computer players are getting ready …")
        asyncio.run(self._work(tied, name))
        self._say("Computer players have stopped.")
        if threading.active_count() > 1:
            # The parent is still listened to, or code is being compiled: neither can be broken off
            # otherwise. Nothing is lost: what numba keeps on the disk is put in its place whole.
            sys.stderr.flush()
            os._exit(0)

    def _say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()

    async def _work(self, tied: bool, name: str) -> None:
        from bots.worker import Worker
        from play import steering
        from play.desk import desk

        worker, loop = (
            Worker(settings.EXHIBITION, self._say, name, NICE),
            asyncio.get_running_loop(),
        )

        def end(*signal: object) -> None:
            loop.call_soon_threadsafe(worker.end)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)
        if tied:
            threading.Thread(target=end_with_parent, args=(end,), daemon=True).start()
        try:
            await steering.begin()
            await worker.run()
        finally:
            await desk().close()


def end_with_parent(end: Any) -> None:
    """Waits until the parent's end of the pipe is closed, however that came about."""
    sys.stdin.buffer.read()
    end()


def check_database() -> None:
    """Raises CommandError unless the database can be reached and has all its tables."""
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
