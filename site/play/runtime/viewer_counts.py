"""Counts of the sockets of other web processes, by rows that expire.

Each process has a row with the counts of its topics. It is written within a second of a change and
repeated every five; the others look for rewritten rows once a second, and leave out one that was
not repeated for fifteen seconds. A process without a channel layer writes and reads nothing.
"""

import secrets
from collections import Counter
from collections.abc import Mapping

from play.domain import clocks
from play.process_models import ProcessViewers
from play.runtime.game_service import GameService
from play.runtime.topics import Topic, topic_name

EXCHANGE_INTERVAL_S = 1.0
REPEAT_MS = 5_000  # after which a row without a change is written again
EXPIRY_MS = 15_000
Counts = Mapping[str, Mapping[str, int]]  # by name of a topic and audience
Rows = dict[str, tuple[int, Counts]]  # by process: when its row was written (epoch ms), its counts
NO_ROW: tuple[int, Counts] = (0, {})


class ViewerCounts:
    """The counts that other processes have written, as last read."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._process = secrets.token_hex(8)
        self._own: dict[str, Counter[str]] = {}
        self._is_changed = False  # since the row of this process was written
        self._written_at = 0  # epoch ms
        self._others: Rows = {}

    def elsewhere(self, topic: Topic) -> Counter[str]:
        """Return how many sockets of other processes look at a topic, by audience."""
        return _add_up(self._others, topic_name(*topic))

    def update_own(self, topic: Topic, counts: Counter[str]) -> None:
        """Set the counts of a topic in this process; they are written at the next exchange."""
        name = topic_name(*topic)
        if self._own.get(name, Counter()) != counts:
            self._is_changed = True
        if counts:
            self._own[name] = counts
        else:
            self._own.pop(name, None)

    async def exchange(self) -> dict[Topic, set[str]]:
        """Write the counts of this process if they are new or due, and read those of the others.

        Return the topics whose counts elsewhere have changed, each with the audiences that no other
        process has any more.
        """
        at, before = clocks.now(), self._others
        if self._is_changed or at - self._written_at >= REPEAT_MS:
            self._is_changed = False
            await self._games.write_housekeeping(write_row, self._process, dict(self._own), at)
            self._written_at = at
        after = await self._games.run_in_db_thread(read_rows, self._process, before)
        self._others = after
        changed = {}
        for name in _list_changed(before, after):
            kind, _, ident = name.partition(":")
            gone = _add_up(before, name).keys() - _add_up(after, name).keys()
            changed[kind, ident] = set(gone)
        return changed

    async def delete(self) -> None:
        """Delete the row of this process, which is about to end."""
        if self._written_at:
            await self._games.write_housekeeping(delete_row, self._process)


def _add_up(rows: Rows, name: str) -> Counter[str]:
    """Return the counts of a topic in all rows."""
    total = Counter[str]()
    for _, counts in rows.values():
        total.update(counts.get(name, {}))
    return total


def _list_changed(before: Rows, after: Rows) -> set[str]:
    """Return the names of the topics whose counts differ in a row."""
    names: set[str] = set()
    for process in before.keys() | after.keys():
        (_, old), (_, new) = before.get(process, NO_ROW), after.get(process, NO_ROW)
        if old is not new:
            names.update(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    return names


def write_row(process: str, counts: Counts, at: int) -> None:
    """Write the row of a process at `at` (epoch ms), and delete expired ones."""
    ProcessViewers.objects.filter(at__lte=at - EXPIRY_MS).delete()
    row = {"at": at, "counts": counts}
    ProcessViewers.objects.update_or_create(process=process, defaults=row)


def read_rows(process: str, known: Rows) -> Rows:
    """Return the rows of the other processes; those that are `known` are not read again."""
    others = ProcessViewers.objects.exclude(process=process)
    times = dict(others.filter(at__gt=clocks.now() - EXPIRY_MS).values_list("process", "at"))
    same = {name: known[name] for name, at in times.items() if known.get(name, NO_ROW)[0] == at}
    rows = others.filter(process__in=times.keys() - same.keys())
    return same | {row.process: (row.at, row.counts) for row in rows}


def delete_row(process: str) -> None:
    """Delete the row of a process."""
    ProcessViewers.objects.filter(process=process).delete()
