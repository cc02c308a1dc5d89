"""A lock per game: one task of the event loop changes it at a time.

Tasks wait in order. It replaces an `asyncio.Lock` per game, which would have to be made for every
action.
"""

import asyncio
from collections import deque


class GameLocks:
    """A queue for each name that is locked."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # behind the holder

    async def enter(self, name: str) -> None:
        """Acquire the lock of a name; the caller has to `leave`."""
        waiting = self._waiting.get(name)
        if waiting is None:
            self._waiting[name] = deque()
            return
        entered = asyncio.get_running_loop().create_future()
        waiting.append(entered)
        try:
            await entered
        except asyncio.CancelledError:
            if not entered.cancelled():  # the lock was passed to this task already
                self.leave(name)
            raise

    def leave(self, name: str) -> None:
        """Release the lock of a name, and pass it to the next task."""
        waiting = self._waiting[name]
        while waiting:
            entered = waiting.popleft()
            if not entered.done():
                entered.set_result(None)
                return
        del self._waiting[name]

    def is_held(self, name: str) -> bool:
        """Return whether a task holds the lock of a name."""
        return name in self._waiting

    async def end(self) -> None:
        """Wait until all tasks that hold or wait for a lock have released it."""
        for name in list(self._waiting):
            await self.enter(name)
            self.leave(name)
