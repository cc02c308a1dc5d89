"""Base of the commands that run a worker process: `runbots`, `runnotices`."""

import asyncio
import os
import signal
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from play import process_metrics
from play.runtime import clock_sync
from play.runtime.runtime import Runtime
from play.runtime.worker_tasks import WorkerTasks

UNPREPARED = "The database is not prepared. Run “manage.py migrate” (or “serve”) first."
PREPARATION_S = 120.0  # in which the web process of the same parent prepares the database
RETRY_DELAY_S = 0.5


class WorkerProcess(Protocol):
    """The process that such a command runs."""

    def end(self) -> None:
        """Make `run` return soon."""

    async def run(self) -> None:
        """Work until `end` is called."""


class WorkerCommand(BaseCommand):
    """Checks the database, then runs a worker until a signal ends it, or its parent has died."""

    requires_system_checks: list[str] = []
    started = ""  # sentence for the operator when the worker runs, and signals end it
    stopped = ""  # sentence for the operator when the worker has ended

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--tied",
            action="store_true",
            help="end when standard input is closed, as it is when the parent process dies",
        )
        parser.add_argument(
            "--metrics",
            type=int,
            default=settings.METRICS,
            help="the port of 127.0.0.1 on which Prometheus finds the metrics of this process; "
            "0 for none (default: QUIVER_METRICS)",
        )
        parser.add_argument(
            "--name",
            default="",
            help="its name, if it is to go on at once where one of this name has died",
        )

    def handle(self, *args: Any, tied: bool, name: str, **options: Any) -> None:
        self.prepare()
        check_database(PREPARATION_S if tied else 0.0)
        self._is_measured = process_metrics.start(options["metrics"])
        asyncio.run(self._work(tied, name))
        self.say(self.stopped)
        if threading.active_count() > 1:
            # A thread still reads from the parent, serves metrics, compiles code or waits for a
            # mail server; none can be interrupted. Nothing is lost: numba replaces its cached files
            # as a whole, and claimed work is due again after the claim.
            sys.stderr.flush()
            os._exit(0)

    def say(self, words: str) -> None:
        """Tell the operator something at once."""
        self.stdout.write(words)
        self.stdout.flush()

    def prepare(self) -> None:
        """Prepare the process before the database is checked. Raise CommandError if it cannot."""

    def make_worker(self, runtime: Runtime, name: str) -> WorkerProcess:
        """Return the worker of this process, which has the clock of the site."""
        raise NotImplementedError

    async def _work(self, tied: bool, name: str) -> None:
        runtime, loop = Runtime(), asyncio.get_running_loop()
        if self._is_measured:
            runtime.part(process_metrics.LoopWatch)
        worker = self.make_worker(runtime, name)

        def end(*signal: object) -> None:
            loop.call_soon_threadsafe(worker.end)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)
        if tied:
            threading.Thread(target=_end_with_parent, args=(end,), daemon=True).start()
        try:
            await clock_sync.set_clock(runtime.games)
            if self.started:
                self.say(self.started)
            tasks = asyncio.create_task(WorkerTasks(name).run())
            try:
                await worker.run()
            finally:
                tasks.cancel()
                await asyncio.gather(tasks, return_exceptions=True)
        finally:
            await runtime.close()


def _end_with_parent(end: Callable[[], None]) -> None:
    """Wait until the parent's end of the pipe is closed, then call `end`."""
    sys.stdin.buffer.read()
    end()


def check_database(wait_s: float) -> None:
    """Raise CommandError unless the database can be used and has all its tables.

    Tables may be missing for some seconds: the web process of the same parent prepares them.
    """
    end = time.monotonic() + wait_s
    while missing := find_missing():
        if time.monotonic() >= end:
            raise CommandError(missing)
        time.sleep(RETRY_DELAY_S)


def find_missing() -> str:
    """Return a sentence about a database that is not prepared, "" if it is.

    Raise CommandError if it cannot be used.
    """
    database = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and not Path(database).exists():
        return f"There is no database {database}. {UNPREPARED}"
    try:
        executor = MigrationExecutor(connection)
        is_behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from None
    return UNPREPARED if is_behind else ""
