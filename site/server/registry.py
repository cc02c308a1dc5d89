"""Connections of this process: bounded counts, and a visit of each every two seconds.

A visit sends a ping, checks deadlines and looks at unread bytes; of an idle connection it does so
only twice a minute.
"""

import asyncio
import time
from collections import Counter as Counts
from typing import Final, Protocol

from prometheus_client import Counter

REFUSED = Counter(
    "quiver_refused_connections", "Connections refused or given up, by reason", ["reason"]
)
SWEEP_INTERVAL_S: Final = 2.0
SLICE: Final = 500  # connections that are visited in one iteration of the event loop
STALL_S: Final = 4.0  # a longer time between two sweeps means that this process was blocked


class Quota:
    """Bounded counts per visitor and in total. An empty name counts in the total only."""

    def __init__(self, most_of_one: int, most: int | None = None) -> None:
        self._most_of_one = most_of_one
        self._most = most
        self._held: Counts[str] = Counts()
        self._total = 0

    def take(self, name: str) -> bool:
        """Count one more of a visitor, unless that is too many; return whether it was counted."""
        if self._most is not None and self._total >= self._most:
            return False
        if name:
            if self._held[name] >= self._most_of_one:
                return False
            self._held[name] += 1
        self._total += 1
        return True

    def give_back(self, name: str) -> None:
        """Count one less of a visitor."""
        self._total -= 1
        if name:
            self._held[name] -= 1
            if not self._held[name]:
                del self._held[name]  # keep no visitor who holds none


class PendingRequests:
    """Number of HTTP requests in progress in this process; handshakes leave room for them."""

    count = 0


REQUESTS: Final = PendingRequests()


class SweptConnection(Protocol):
    """Interface of a connection for the registry."""

    def check(self, now: float, has_stalled: bool) -> None:
        """Send a ping if one is due, and close the connection on a timeout.

        `now` is of `time.monotonic`; `has_stalled` says that this process was blocked, so that
        delays are not the peer's.
        """

    def cancel(self) -> "asyncio.Task[None] | None":
        """Cancel the application; return its task if it still runs."""


class ConnectionRegistry:
    """The connections of one event loop, from the handshake to their end."""

    def __init__(self) -> None:
        self._connections: set[SweptConnection] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._swept_at = 0.0

    def add(self, connection: SweptConnection) -> None:
        """Visit a connection from now on; call it in the event loop."""
        self._connections.add(connection)
        if self._timer is None:
            self._swept_at = time.monotonic()
            self._schedule()

    def discard(self, connection: SweptConnection) -> None:
        """Stop visiting a connection."""
        self._connections.discard(connection)

    def __len__(self) -> int:
        """Return how many connections there are."""
        return len(self._connections)

    async def cancel_all(self) -> None:
        """Cancel every application, and wait until all have ended."""
        tasks = [task for each in list(self._connections) if (task := each.cancel()) is not None]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _schedule(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(SWEEP_INTERVAL_S, self._sweep)

    def _sweep(self) -> None:
        now = time.monotonic()
        has_stalled, self._swept_at = now - self._swept_at > STALL_S, now
        self._visit(list(self._connections), now, has_stalled)

    def _visit(self, connections: list[SweptConnection], now: float, has_stalled: bool) -> None:
        """Visit some connections, and the others in later iterations of the event loop."""
        try:
            for connection in connections[:SLICE]:
                connection.check(now, has_stalled)
        finally:
            if rest := connections[SLICE:]:
                asyncio.get_running_loop().call_soon(self._visit, rest, now, has_stalled)
            elif self._connections:
                self._schedule()
            else:
                self._timer = None
