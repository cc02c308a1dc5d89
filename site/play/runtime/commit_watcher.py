"""Detect commits of other processes by polling the database.

SQLite counts the commits of other connections in `PRAGMA data_version`. The writer's connection is
asked, since its own commits are known here. Other databases are asked for the watched revs once a
second, which makes up for lost hints. SQLite has no hints to lose, and is asked every ten seconds
all the same.

A poll reads the revs of all watched topics. With thousands of pages it takes so long that each kind
of topic gets a bounded share of the time (`PacedReads`).
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from django.db import connection

from telemetry.outage_log import note_outage

SQLITE_INTERVAL_S = 0.05  # seconds
SQLITE_MAX_INTERVAL_S = 10.0  # between polls, also without a commit of another connection
POLL_INTERVAL_S = 1.0
MAX_READ_DELAY_S = 5.0  # from a poll to its read of a kind of topic
A = TypeVar("A")
T = TypeVar("T")
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
        seen, due_at = None, 0.0
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
            is_due = time.monotonic() >= due_at
            if (version != seen or is_due) and await self._poll_once():
                seen, due_at = version, time.monotonic() + SQLITE_MAX_INTERVAL_S

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


def timed(function: Callable[[A], T], argument: A) -> tuple[T, float]:
    """Return a function's result and its duration in seconds."""
    began = time.monotonic()
    result = function(argument)
    return result, time.monotonic() - began


class PacedReads:
    """Reads kinds of topics when they are polled, each for a bounded share of the time.

    A kind whose last read was too short a while ago is read later, once for all polls meanwhile.
    """

    def __init__(self, read: Callable[[str], Awaitable[float]]) -> None:
        self._read = read  # returns the seconds that it took, without those for which it waited
        self._due_at: dict[str, float] = {}  # by kind, seconds on the loop's clock
        self._timers: dict[str, asyncio.TimerHandle] = {}  # of kinds that are read later
        self._reading: set[str] = set()
        self._again: set[str] = set()  # kinds that were polled while they were read
        self._tasks: set[asyncio.Task[None]] = set()

    async def poll(self, shares: Mapping[str, float]) -> None:
        """Read kinds, now or later; `shares` are the greatest shares of the time for it, by kind.

        Raises what a read raises; one that comes later is tried until it succeeds.
        """
        loop = asyncio.get_running_loop()
        for kind, share in shares.items():
            wait_s = self._due_at.get(kind, 0.0) - loop.time()
            if kind in self._reading:
                self._again.add(kind)
            elif wait_s <= 0:
                await self._read_now(kind, share)
            elif kind not in self._timers:
                self._read_later(kind, share, wait_s)

    def close(self) -> None:
        """Stop the reads that wait or run."""
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()

    async def _read_now(self, kind: str, share: float) -> None:
        if timer := self._timers.pop(kind, None):
            timer.cancel()
        self._reading.add(kind)
        try:
            took_s = await self._read(kind)
        finally:
            self._reading.discard(kind)
            is_polled = kind in self._again
            self._again.discard(kind)
        wait_s = min(took_s / share, MAX_READ_DELAY_S)
        self._due_at[kind] = asyncio.get_running_loop().time() + wait_s
        if is_polled:
            self._read_later(kind, share, wait_s)

    def _read_later(self, kind: str, share: float, wait_s: float) -> None:
        loop = asyncio.get_running_loop()
        self._timers[kind] = loop.call_later(wait_s, self._start, kind, share)

    def _start(self, kind: str, share: float) -> None:
        del self._timers[kind]
        task = asyncio.create_task(self._read_until_done(kind, share))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_until_done(self, kind: str, share: float) -> None:
        try:
            await self._read_now(kind, share)
        except Exception as error:
            if not note_outage(error):
                log.exception(
                    "revs of topics of the kind %s could not be read; retrying",
                    kind,
                    extra={"event": "commit_watch_failed"},
                )
            if kind not in self._timers:
                self._read_later(kind, share, POLL_INTERVAL_S)
