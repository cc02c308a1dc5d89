"""Serve some pages at a time, in order of arrival, when thousands of them come at once.

A page that waits has its socket, whose pings are answered, but none of its states yet. If all were
served at once, none would have its game before the last.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

MAX_SERVED: Final = 60  # pages that wait for their first states
# After which the next page is served all the same: some get an answer slowly.
MAX_SERVED_S: Final = 0.5


class Slot:
    """The slot of one page, from its request until it has its states."""

    __slots__ = ("_queue", "_timer", "begin")

    def __init__(self, queue: "ServingQueue", begin: Callable[[], None]) -> None:
        self._queue = queue
        self._timer: asyncio.TimerHandle | None = None  # runs while it has a place
        self.begin: Callable[[], None] | None = begin  # None: it has begun, or is given up

    def start(self) -> None:
        """Take a place, for `MAX_SERVED_S` at most."""
        begin, self.begin = self.begin, None
        self._timer = asyncio.get_running_loop().call_later(MAX_SERVED_S, self.end)
        if begin is not None:
            begin()

    def end(self) -> None:
        """Give the place back, or stop waiting for one; a second call does nothing."""
        self.begin = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._queue.pass_on()


class ServingQueue:
    """The places of one event loop for pages that are served, and the pages that wait for one."""

    def __init__(self, most: int = MAX_SERVED) -> None:
        self._free = most
        self._waiting: deque[Slot] = deque()

    def request(self, begin: Callable[[], None]) -> Slot:
        """Call `begin` when there is a place, perhaps at once; return the page's slot."""
        slot = Slot(self, begin)
        if self._free:
            self._free -= 1
            slot.start()
        else:
            self._waiting.append(slot)
        return slot

    def pass_on(self) -> None:
        """Give a place to the page that has waited longest."""
        while self._waiting:
            slot = self._waiting.popleft()
            if slot.begin is not None:
                slot.start()
                return
        self._free += 1
