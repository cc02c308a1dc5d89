"""Spectators of games: counts over all web processes by rows that expire; names and ratings.

Each process has a row with the counts of its topics. It is written within a second of a change and
repeated every five; the others look for rewritten rows once a second, and leave out one that was
not repeated for fifteen seconds. A process without a channel layer writes and reads nothing.

A spectator is counted for everybody, and named to nobody whom it blocks or who blocks it. One who
may be named is counted under a key of its own beside its audience. The keys travel
between processes with the counts; each process reads names and ratings itself.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from accounts.models import User
from accounts.people.blocks import blocked_ids_of
from play.domain import clocks
from play.process_models import ProcessViewers
from play.rating_source import NO_TEXTS, PoolTexts, rating_source
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


MAX_NAMES = 30  # in one presence message, and keys that one process sends for a topic
MAX_CACHED_NAMES = 5_000
RATINGS_KEPT_MS = 10 * 60 * 1000  # after which they are read again, with the name
KEY_PREFIX = "user:"


@dataclass(frozen=True, slots=True)
class Viewer:
    """A spectator as read at a time (epoch ms)."""

    name: str  # empty: deleted
    ratings: PoolTexts
    blocked: frozenset[int]  # users whom it blocks or who block it: the name is hidden from them
    at: int


def count_named(users: Iterable[int | None]) -> Counter[str]:
    """Return the keys of viewers that may be named (None: may not); the lowest `MAX_NAMES` ids."""
    named = sorted({user for user in users if user is not None})[:MAX_NAMES]
    return Counter({f"{KEY_PREFIX}{user}": 1 for user in named})


def named_users(counts: Counter[str]) -> list[int]:
    """Return the ids of the viewers that counts have keys of, at most `MAX_NAMES`, ascending.

    Keys come from other processes too; those that are no ids are ignored.
    """
    ids = (key.removeprefix(KEY_PREFIX) for key in counts if key.startswith(KEY_PREFIX))
    return sorted(int(text) for text in ids if text.isascii() and text.isdecimal())[:MAX_NAMES]


class ViewerNames:
    """The names and ratings of viewers that one process has read."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._viewers: dict[int, Viewer] = {}

    def unknown(self, counts: Counter[str]) -> set[int]:
        """Return the named viewers who have not been read lately."""
        oldest = clocks.now() - RATINGS_KEPT_MS
        return {
            user
            for user in named_users(counts)
            if (viewer := self._viewers.get(user)) is None or viewer.at < oldest
        }

    async def learn(self, users: set[int]) -> None:
        """Read the names and ratings of users."""
        if len(self._viewers) + len(users) > MAX_CACHED_NAMES:
            self._viewers.clear()
        self._viewers.update(await self._games.run_in_db_thread(_read_viewers, users))

    def forget(self, user: int) -> None:
        """Read the name of a user again at its next use."""
        self._viewers.pop(user, None)

    def hidden(self, counts: Counter[str]) -> frozenset[tuple[int, int]]:
        """Return the pairs of a reader and a viewer whose name the reader is not shown."""
        return frozenset(
            (reader, user)
            for user in named_users(counts)
            if (viewer := self._viewers.get(user)) is not None
            for reader in viewer.blocked
        )

    def shown(self, counts: Counter[str], pool: str) -> dict[str, str]:
        """Return the names to show, sorted without regard to case, each with its rating in a pool.

        The rating is empty for those who have none there.
        """
        found = (self._viewers.get(user) for user in named_users(counts))
        named = [viewer for viewer in found if viewer is not None and viewer.name]
        named.sort(key=lambda viewer: viewer.name.lower())
        return {viewer.name: viewer.ratings.get(pool, "") for viewer in named}


def _read_viewers(users: set[int]) -> dict[int, Viewer]:
    """Read users in a few queries; those who are not found have no name."""
    names = dict(User.objects.filter(pk__in=users).values_list("pk", "username"))
    ratings = rating_source().read_people(users)
    blocked, at = blocked_ids_of(users), clocks.now()
    return {
        user: Viewer(
            names.get(user, ""),
            ratings.get(user, NO_TEXTS),
            frozenset(blocked.get(user, ())),
            at,
        )
        for user in users
    }
