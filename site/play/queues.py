"""Whoever changes a game comes in alone; others wait until it is their turn.

It is what a lock for each game would be, without one having to be made for every action.
"""

import asyncio
from collections import deque


class Queues:
    """A queue for each name that somebody is in for; in one event loop."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # behind whoever is in

    async def enter(self, name: str) -> None:
        """Waits until nobody else is in; who has come in has to `leave`."""
        waiting = self._waiting.get(name)
        if waiting is None:
            self._waiting[name] = deque()
            return
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was their turn already
                self.leave(name)
            raise

    def leave(self, name: str) -> None:
        """Lets the next one in."""
        waiting = self._waiting[name]
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        del self._waiting[name]

    async def end(self) -> None:
        """Waits until nobody is in any more who is now in or waits."""
        for name in list(self._waiting):
            await self.enter(name)
            self.leave(name)
