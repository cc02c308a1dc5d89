"""Flush the send queues of a process in the next iteration of the event loop.

Everything queued in one iteration is written in the next, so a receipt and the state after it are
sent together.
"""

import asyncio
from collections import deque
from typing import Protocol

QUEUES_PER_ROUND = 100  # queues flushed in one iteration of the loop


class Queue(Protocol):
    """A queue that can be flushed."""

    def empty(self) -> None:
        """Send what waits."""


class SendScheduler:
    """Flushes queues in the order in which they were filled, a bounded number per iteration."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pending: deque[Queue] = deque()
        self._is_scheduled = False

    def call(self, queue: Queue) -> None:
        """Schedule a queue to be flushed."""
        self._pending.append(queue)
        self._schedule()

    def _schedule(self) -> None:
        if self._pending and not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._flush_round)

    def _flush_round(self) -> None:
        self._is_scheduled = False
        try:
            for _ in range(min(QUEUES_PER_ROUND, len(self._pending))):
                self._pending.popleft().empty()
        finally:
            self._schedule()
