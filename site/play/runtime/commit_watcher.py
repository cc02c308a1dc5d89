"""Detect commits of other processes by polling the database.

SQLite counts the commits of other connections in `PRAGMA data_version`. The writer's connection is
asked, since its own commits are known here. Other databases are asked for the watched revs once a
second, which also makes up for lost hints.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from django.db import connection

from telemetry.outage_log import note_outage

SQLITE_INTERVAL_S = 0.05  # seconds
POLL_INTERVAL_S = 1.0
log = logging.getLogger("quiver.play")


class CommitWatcher:
    """Calls `poll` after another connection has committed, which `version` detects."""

    def __init__(
        self,
        poll: Callable[[], Awaitable[None]],
        version: Callable[[], Awaitable[int]],
        every: float = POLL_INTERVAL_S,
    ) -> None:
        self._poll = poll
        self._version = version  # asked on SQLite
        self._interval_s = every  # seconds between polls of other databases
        self._is_failing = False  # logged once
        self._task: asyncio.Task[None] | None = None

    def ensure_started(self) -> None:
        """Start watching; needs a running loop."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Stop watching."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        if connection.vendor != "sqlite":
            while True:
                await asyncio.sleep(self._interval_s)
                await self._poll_once()
        seen = None
        while True:
            await asyncio.sleep(SQLITE_INTERVAL_S)
            try:
                version = await self._version()
            except Exception as error:
                if not note_outage(error):
                    log.exception(
                        "PRAGMA data_version failed; commits of other processes go unnoticed",
                        extra={"event": "commit_watch_failed"},
                    )
                await asyncio.sleep(POLL_INTERVAL_S)
                continue
            if version != seen and await self._poll_once():
                seen = version

    async def _poll_once(self) -> bool:
        """Poll once and return whether that succeeded; after a failure wait a second."""
        try:
            await self._poll()
        except Exception as error:
            if not note_outage(error) and not self._is_failing:
                log.exception(
                    "revs could not be read from the database; retrying every second",
                    extra={"event": "commit_watch_failed"},
                )
            self._is_failing = True
            await asyncio.sleep(POLL_INTERVAL_S)
            return False
        self._is_failing = False
        return True
