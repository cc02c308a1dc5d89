"""Periodic tasks that every worker process runs beside its main work, each in its own thread.

An app registers a task when it is ready. Every worker (`runbots`, `runnotices`) calls it; a task
that one process should do alone takes a lease.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol

from django.db import connections

from play.domain.clocks import now
from play.storage.retry import retry
from telemetry.outage_log import note_outage

FAILURE_DELAY_S = 1.0
END_TIMEOUT_S = 3.0  # for running tasks; `serve` kills its children after 5 s
log = logging.getLogger("quiver.play")


class WorkerTask(Protocol):
    """A piece of periodic work; its methods run in the task's own database thread."""

    name: str

    def run(self, process: str, at: int) -> float:
        """Do the work due at `at` (epoch ms); return the seconds until the next call.

        It may run twice, as in `retry`.
        """

    def give_back(self, process: str) -> None:
        """Give leases back: the process ends."""


TASKS: list[WorkerTask] = []


def register_worker_task(task: WorkerTask) -> None:
    """Register a task to run in worker processes; call it when an app is ready."""
    TASKS.append(task)


class WorkerTasks:
    """The registered tasks in one process: `run` works until it is cancelled."""

    def __init__(self, name: str = "", tasks: Sequence[WorkerTask] | None = None) -> None:
        self.name = name or f"worker-{secrets.token_hex(8)}"
        self._tasks = TASKS if tasks is None else tasks

    async def run(self) -> None:
        """Work until cancelled; then wait a moment for running tasks."""
        # `gather` would return with the first task that ends, and leave the others' leases taken.
        async with asyncio.TaskGroup() as group:
            for task in self._tasks:
                group.create_task(self._repeat(task))

    async def _repeat(self, task: WorkerTask) -> None:
        thread = ThreadPoolExecutor(1, f"quiver-{task.name}")
        loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    delay_s = await loop.run_in_executor(thread, retry, task.run, self.name, now())
                except Exception as error:
                    if not note_outage(error):
                        log.exception(
                            "the task %s failed; it is tried again",
                            task.name,
                            extra={"event": "worker_task_failed"},
                        )
                    delay_s = FAILURE_DELAY_S
                await asyncio.sleep(delay_s)
        finally:
            with suppress(TimeoutError):  # the lease runs out by itself
                async with asyncio.timeout(END_TIMEOUT_S):
                    await loop.run_in_executor(thread, _end, task, self.name)
            thread.shutdown(wait=False)


def _end(task: WorkerTask, process: str) -> None:
    """Give the task's leases back and close the thread's connections."""
    try:
        task.give_back(process)
    except Exception as error:
        if not note_outage(error):
            log.exception(
                "the task %s could not give its lease back; it runs out",
                task.name,
                extra={"event": "worker_task_failed"},
            )
    finally:
        connections.close_all()
