"""Who empties the mailboxes of a process: everything that came into them in one turn of the event
loop goes out in the next, a receipt and the state after it in one go."""

import asyncio
from collections import deque
from typing import Protocol

from play.perloop import per_loop

ROUND = 100  # mailboxes that are emptied before the loop looks at anything else


class Box(Protocol):
    """What is called at."""

    def empty(self) -> None:
        """Sends what waits."""


class Postman:
    """Empties in the order in which they were filled; a crowd holds nobody up for longer than a
    round."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._filled: deque[Box] = deque()
        self._is_called = False

    def call(self, box: Box) -> None:
        """Has a mailbox emptied soon."""
        self._filled.append(box)
        self._set_out()

    def _set_out(self) -> None:
        if self._filled and not self._is_called:
            self._is_called = True
            self._loop.call_soon(self._round)

    def _round(self) -> None:
        self._is_called = False
        try:
            for _ in range(min(ROUND, len(self._filled))):
                self._filled.popleft().empty()
        finally:
            self._set_out()


postman = per_loop(Postman)
