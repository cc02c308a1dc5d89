"""Commit changes of games in batches: those that arrive during a commit share the next one.

The threads here are those in which the event loop has the database read and written.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor

from django.db import connections

from play.domain.change import Change
from play.storage import retry
from play.storage.save import Verdict
from telemetry import counters
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key


class DatabaseThread(ThreadPoolExecutor):
    """One thread with a database connection of its own; what it is given runs in order."""

    def __init__(self, name: str) -> None:
        super().__init__(1, name)

    async def close(self) -> None:
        """Wait for what was given, close its connection, and end the thread."""
        await asyncio.get_running_loop().run_in_executor(self, connections.close_all)
        self.shutdown()


Settle = Callable[[Verdict], None]  # is given the verdict on a change
Batch = list[tuple[Change, Settle]]
Running = tuple[Batch, float, asyncio.Future[list[Verdict]]]  # with the loop time at which it began
log = logging.getLogger("quiver.play")


class CommitQueue:
    """The changes of one event loop that wait for a commit; `writer` has the thread for it.

    The next batch is given to the writer before the last one is settled, so that its transaction
    runs while the event loop shows what was committed.
    """

    def __init__(self, writer: Executor) -> None:
        self._writer = writer
        self._waiting: Batch = []
        self._task: asyncio.Task[None] | None = None

    def put(self, change: Change, settle: Settle) -> None:
        """Commit a change with the next batch, and call `settle` with the verdict."""
        self._waiting.append((change, settle))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    @property
    def waiting(self) -> int:
        """The number of changes that wait for the next batch; read by any thread."""
        return len(self._waiting)

    async def wait_until_done(self) -> None:
        """Wait until no change waits or is being committed."""
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        """Commit batch after batch, until no change is left."""
        running = self._begin()
        while running is not None:
            batch, began, committing = running
            verdicts = await _verdicts_of(batch, committing)
            _count(verdicts, asyncio.get_running_loop().time() - began)
            running = self._begin()
            for (change, settle), verdict in zip(batch, verdicts, strict=True):
                try:
                    settle(verdict)
                except Exception:  # of one change: the others have to be settled all the same
                    log.exception(
                        "a change of game %s could not be shown", shorten_key(change.before.slug)
                    )
            running = running or self._begin()

    def _begin(self) -> Running | None:
        """Give the waiting changes to the writer; return None if there are none."""
        if not self._waiting:
            return None
        batch, self._waiting = self._waiting, []
        loop = asyncio.get_running_loop()
        changes = [change for change, _ in batch]
        return batch, loop.time(), loop.run_in_executor(self._writer, retry.commit, changes)


async def _verdicts_of(
    batch: Batch, committing: "asyncio.Future[list[Verdict]]"
) -> Sequence[Verdict]:
    """Return the verdicts on a batch; after an error it is unknown what was committed."""
    try:
        return await committing
    except Exception as error:
        if not note_outage(error, refused=len(batch)):
            log.exception(
                "a batch of %d changes could not be committed",
                len(batch),
                extra={"event": "batch_failed"},
            )
        return [Verdict.UNSURE] * len(batch)


def _count(verdicts: Sequence[Verdict], seconds: float) -> None:
    counters.BATCH.observe(len(verdicts))
    counters.COMMIT_SECONDS.observe(seconds)
    counters.FAILURES.inc(verdicts.count(Verdict.FAILED) + verdicts.count(Verdict.UNSURE))
