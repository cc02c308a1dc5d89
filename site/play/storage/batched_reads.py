"""Read values for many callers at once: those that wait at the same time share one call.

When thousands of pages come back, each needs a few rows. One query for fifty of them costs little
more than one for one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar

from telemetry.outage_log import outage_kind

K = TypeVar("K")
V = TypeVar("V")
MAX_KEYS = 50  # in one call, so that others get the database thread in between


class BatchedReads(Generic[K, V]):
    """Reads values by their keys, one call of `read_many` at a time, in one event loop.

    `read_many` returns the values that it has found by key; a value that is an exception is raised.
    """

    def __init__(
        self, read_many: Callable[[Sequence[K]], Awaitable[Mapping[K, V | Exception]]]
    ) -> None:
        self._read_many = read_many
        self._waiting: dict[K, asyncio.Future[V | None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def get(self, key: K) -> V | None:
        """Return the value of a key, None if there is none; its read begins after this call.

        Raises what `read_many` raises or has returned for the key.
        """
        loop = asyncio.get_running_loop()
        asked = self._waiting.get(key)
        if asked is None:
            asked = self._waiting[key] = loop.create_future()
            if self._task is None or self._task.done():
                self._task = loop.create_task(self._run())
        return await asyncio.shield(asked)  # a caller that is cancelled does not cancel the others

    async def wait_until_done(self) -> None:
        """Wait until no read is under way."""
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        await asyncio.sleep(0)  # callers of the same turn of the event loop come along
        while self._waiting:
            batch = {key: self._waiting[key] for key in islice(self._waiting, MAX_KEYS)}
            for key in batch:
                del self._waiting[key]
            found = await self._read(list(batch))
            for key, asked in batch.items():
                _settle(asked, found.get(key))

    async def _read(self, keys: Sequence[K]) -> Mapping[K, V | Exception]:
        """Return the values of keys; after an error each is read alone, unless that is an outage.

        So what cannot be read for one caller is no error of the others.
        """
        try:
            return await self._read_many(keys)
        except Exception as error:
            if len(keys) == 1 or outage_kind(error):
                return dict.fromkeys(keys, error)
        found: dict[K, V | Exception] = {}
        for key in keys:
            found |= await self._read([key])
        return found


def _settle(asked: "asyncio.Future[V | None]", found: V | Exception | None) -> None:
    if isinstance(found, Exception):
        asked.set_exception(found)
        asked.exception()  # retrieved: its caller may be gone
    else:
        asked.set_result(found)
