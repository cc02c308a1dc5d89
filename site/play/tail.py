"""Finds out that another process has written, without any message from it.

SQLite counts the commits of other connections in `PRAGMA data_version`. The writer's own connection
is asked: what it has committed itself is known here, and nobody has to look for it. Other databases
are asked for the watched revs once a second, which also heals lost hints.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from django.db import connection

from accounts.outage_log import note_outage

SQLITE_EVERY = 0.05  # seconds
OTHER_EVERY = 1.0
log = logging.getLogger("quiver.play")


class Tail:
    """Calls `poll` after another connection has committed; `version` differs from then on."""

    def __init__(
        self,
        poll: Callable[[], Awaitable[None]],
        version: Callable[[], Awaitable[int]],
        every: float = OTHER_EVERY,
    ) -> None:
        self._poll = poll
        self._version = version  # asked where the database can tell
        self._every = every  # seconds, where the database cannot tell that it has changed
        self._is_failing = False  # said once
        self._task: asyncio.Task[None] | None = None

    def ensure_started(self) -> None:
        """Starts watching; needs a running loop."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Ends watching."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        if connection.vendor != "sqlite":
            while True:
                await asyncio.sleep(self._every)
                await self._ask()
        seen = None
        while True:
            await asyncio.sleep(SQLITE_EVERY)
            try:
                version = await self._version()
            except Exception as error:
                if not note_outage(error):
                    log.exception("SQLite could not be asked whether others have written")
                await asyncio.sleep(OTHER_EVERY)
                continue
            if version != seen and await self._ask():
                seen = version

    async def _ask(self) -> bool:
        """Whether the database could be asked; if not, it is asked again a second later."""
        try:
            await self._poll()
        except Exception as error:
            if not note_outage(error) and not self._is_failing:
                log.exception("the database could not be asked what is new; asking until it can be")
            self._is_failing = True
            await asyncio.sleep(OTHER_EVERY)
            return False
        self._is_failing = False
        return True
