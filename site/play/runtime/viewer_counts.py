"""Counts of the sockets of other web processes, by rows that expire.

Each process has a row with the counts of its topics. It is written within a second of a change and
repeated every five; the others look for rewritten rows once a second, and leave out one that was
not repeated for fifteen seconds. A process without others writes and reads nothing.
"""

import secrets
from collections import Counter
from collections.abc import Mapping

from play.domain import clocks
from play.models import ProcessViewers
from play.runtime.game_service import GameService
from play.runtime.topics import Topic, topic_name

EXCHANGE_INTERVAL_S = 1.0
REPEAT_MS = 5_000  # after which a row without a change is written again
EXPIRY_MS = 15_000
Counts = Mapping[str, Mapping[str, int]]  # by name of a topic and audience
Rows = dict[str, tuple[int, Counts]]  # by process: when its row was written (epoch ms), its counts


class ViewerCounts:
    """The counts that other processes have written, as last read."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._process = secrets.token_hex(8)
        self._written: Counts = {}
        self._written_at = 0  # epoch ms
        self._others: Rows = {}

    def elsewhere(self, topic: Topic) -> Counter[str]:
        """Return how many sockets of other processes look at a topic, by audience."""
        name, total = topic_name(*topic), Counter[str]()
        for _, counts in self._others.values():
            total.update(counts.get(name, {}))
        return total

    async def exchange(self, here: Counts) -> None:
        """Write the counts of this process if they are new or due, and read those of the others."""
        at = clocks.now()
        if here != self._written or at - self._written_at >= REPEAT_MS:
            await self._games.write_housekeeping(write_row, self._process, here, at)
            self._written, self._written_at = here, at
        self._others = await self._games.run_in_db_thread(read_rows, self._process, self._others)

    async def delete(self) -> None:
        """Delete the row of this process, which is about to end."""
        if self._written_at:
            await self._games.write_housekeeping(delete_row, self._process)


def write_row(process: str, counts: Counts, at: int) -> None:
    """Write the row of a process at `at` (epoch ms), and delete expired ones."""
    ProcessViewers.objects.filter(at__lte=at - EXPIRY_MS).delete()
    row = {"at": at, "counts": counts}
    ProcessViewers.objects.update_or_create(process=process, defaults=row)


def read_rows(process: str, known: Rows) -> Rows:
    """Return the rows of the other processes; those that are `known` are not read again."""
    others = ProcessViewers.objects.exclude(process=process)
    times = dict(others.filter(at__gt=clocks.now() - EXPIRY_MS).values_list("process", "at"))
    same = {name: known[name] for name, at in times.items() if known.get(name, (0,))[0] == at}
    rows = others.filter(process__in=times.keys() - same.keys())
    return same | {row.process: (row.at, row.counts) for row in rows}


def delete_row(process: str) -> None:
    """Delete the row of a process."""
    ProcessViewers.objects.filter(process=process).delete()
