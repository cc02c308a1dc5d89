"""Periodic work on ended games as a task of workers: by one process at a time, under a lease.

The lease only saves work. A task does nothing twice if several processes run it at once, and may be
killed at any moment.
"""

from abc import ABC, abstractmethod
from typing import Final

from play.domain.clocks import SECOND_MS
from play.storage import leases
from play.storage.ended_search import EndedSearch

LEASE_MS: Final = 30 * SECOND_MS


class EndedGamesTask(ABC):
    """A `play.runtime.worker_tasks.WorkerTask` that deals with each game once it has ended."""

    name: str  # of the task and of its lease
    interval_s: float  # between two rounds

    def __init__(self) -> None:
        self._search = EndedSearch()

    @abstractmethod
    def do_round(self, since: int, skipped: set[int]) -> int | None:
        """Deal with games that ended at `since` (epoch ms) or later, oldest first.

        `skipped` holds the rows that could not be read in earlier rounds; the round leaves them out
        and adds those that it cannot read. Return the end of the last game if the round was full,
        so that there may be more, else None.
        """

    def lease_ms(self) -> int:
        """Return for how long a process holds the lease."""
        return LEASE_MS

    def standby_interval_s(self) -> float:
        """Return the seconds between two calls in a process without the lease."""
        return self.interval_s

    def run(self, process: str, at: int) -> float:
        """Do a round at `at` (epoch ms), if the process holds the lease or gets it.

        Return the seconds until the next call; 0 while rounds are full.
        """
        if not leases.take(self.name, process, at, self.lease_ms()):
            self._search.restart()
            return self.standby_interval_s()
        last_ended = self.do_round(self._search.begin(at), self._search.skipped)
        return 0.0 if self._search.end(at, last_ended) else self.interval_s

    def give_back(self, process: str) -> None:
        """Give the lease back, so that another process need not wait for its end."""
        self._search.restart()
        leases.give_back(self.name, process)
