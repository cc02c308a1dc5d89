"""Select the ended games that a periodic task examines: the newest in each round, now and then all.

A game may be committed later than it ended, while the database fails for instance. Rounds look at
games that ended within `RECENT_MS`; what ended earlier is found when a process begins, and once in
that time. The task itself leaves out games that it has dealt with.
"""

from dataclasses import dataclass, field
from typing import Final

RECENT_MS: Final = 10 * 60 * 1000


@dataclass
class EndedSearch:
    """The place of a task in its search of all games; nothing is lost with it."""

    skipped: set[int] = field(default_factory=set)  # rows that could not be read; each logged once
    _searched_all: int = 0  # when all games were searched (epoch ms)
    _searched_from: int = 0  # end of the last game that a search of all has found (epoch ms)
    _is_full: bool = False  # the round that goes on is part of a search of all

    def begin(self, at: int) -> int:
        """Begin a round at a time (epoch ms); return the earliest end (epoch ms) to look at."""
        self._is_full = at - self._searched_all >= RECENT_MS
        return self._searched_from if self._is_full else at - RECENT_MS

    def end(self, at: int, last_ended: int | None) -> bool:
        """End the round that began at `at`; return whether the next one is due at once.

        `last_ended` is the end of the last game found if the round was full, so that there may be
        more, else None.
        """
        if last_ended is not None:
            if self._is_full:
                self._searched_from = last_ended  # not from the first game for each round
            return True
        if self._is_full:
            self._searched_all, self._searched_from = at, 0
        return False

    def restart(self) -> None:
        """Search all games in the next round: another process has worked meanwhile."""
        self._searched_all = self._searched_from = 0
