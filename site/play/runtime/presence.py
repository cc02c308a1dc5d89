"""Presence: which pages of which users show which topics, in all web processes.

A page of a user shows a topic, visible or not, from its subscription until it leaves. The hub
registers the sockets of its process here, and whoever depends on who is there asks this object:
numbers and names of spectators, seats, hosts of lobbies, searchers, the people who are here now.

Each process writes one row: its sockets by topic and audience, and the users of its open pages. It
is written within a second of a change and repeated every five; the others look for rewritten rows
once a second, and leave out one that was not repeated for fifteen seconds. So a lost row only
delays, and a process that dies is forgotten. A process without a channel layer is alone: it writes
and reads no rows. No message of a socket costs a query.

What has to outlive the processes is written from here by periodic tasks: when somebody was last at
a seat (`seat_presence`), in their lobby or at their search.

A spectator is counted for everybody, and named to nobody whom it blocks or who blocks it. One who
may be named is counted under a key of its own beside its audience. The keys travel between
processes with the counts; each process reads the names itself (`viewer_names`).
"""

import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from play.domain import clocks
from play.process_models import ProcessPresence
from play.runtime.game_service import GameService
from play.runtime.open_sockets import every_open
from play.runtime.topics import Socket, Topic, TopicSource, topic_name

EXCHANGE_INTERVAL_S = 1.0
REPEAT_MS = 5_000  # after which a row without a change is written again
EXPIRY_MS = 15_000
MAX_NAMES = 30  # in one presence message, and keys that one process sends for a topic
KEY_PREFIX = "user:"
Counts = Mapping[str, Mapping[str, int]]  # by name of a topic and audience


class Row(NamedTuple):
    """The pages of a process, as read from its row."""

    at: int  # when it was written (epoch ms)
    counts: Counts
    users: frozenset[int]  # with an open page


NO_ROW = Row(0, {}, frozenset())
Rows = dict[str, Row]  # by process


class Presence:
    """The pages of this process, and those of the others as last read."""

    def __init__(self, games: GameService, sources: Mapping[str, TopicSource[Any]]) -> None:
        self._games = games
        self._sources = sources
        self._process = secrets.token_hex(8)
        self._sockets: defaultdict[str, dict[str, set[Socket]]] = defaultdict(dict)  # kind, ident
        self._left: dict[tuple[Topic, int], int] = {}  # when users closed their last page of them
        self._changed: set[Topic] = set()  # since the row of this process was written
        self._own = Row(0, {}, frozenset())  # as last written
        self._others: Rows = {}

    # Pages of this process.

    def add(self, topic: Topic, socket: Socket) -> None:
        """Register a page that shows a topic."""
        self._sockets[topic[0]].setdefault(topic[1], set()).add(socket)
        self._changed.add(topic)
        if socket.reader is not None:
            self._left.pop((topic, socket.reader), None)

    def remove(self, topic: Topic, socket: Socket) -> None:
        """Remove a page that shows a topic no longer."""
        kind, ident = topic
        sockets, user = self._sockets[kind][ident], socket.reader
        sockets.remove(socket)
        self._changed.add(topic)
        if not sockets:
            del self._sockets[kind][ident]
        if user is None or not self._sources[kind].follows_departures:
            return
        if all(other.reader != user for other in sockets):
            self._left[topic, user] = clocks.now()

    def note_change(self, topic: Topic) -> None:
        """Note that a page of a topic may be named from now on, or no longer."""
        self._changed.add(topic)

    def sockets(self, topic: Topic) -> Collection[Socket]:
        """Return the sockets of the pages that show a topic here."""
        return self._sockets[topic[0]].get(topic[1], ())

    def audiences(self, topic: Topic) -> Counter[str]:
        """Return how many pages show a topic here, by audience."""
        return Counter(socket.audience for socket in self.sockets(topic))

    def visible(self, topic: Topic) -> set[str]:
        """Return the audiences of which a page is visible here."""
        return {socket.audience for socket in self.sockets(topic) if socket.is_visible}

    def users(self, kind: str) -> set[tuple[str, int]]:
        """Return the users with pages of a kind of topic here, each with the ident of the topic."""
        return {
            (ident, socket.reader)
            for ident, sockets in self._sockets[kind].items()
            for socket in sockets
            if socket.reader is not None
        }

    def take_departed(self, kind: str, age_ms: int) -> dict[tuple[str, int], int]:
        """Remove and return who closed the last page of a topic here so long ago, and when.

        A page that is reloaded is closed for a moment: who has come back is not among them.
        """
        until = clocks.now() - age_ms
        due = [key for key, at in self._left.items() if key[0][0] == kind and at <= until]
        return {(topic[1], user): self._left.pop((topic, user)) for topic, user in due}

    # Pages of all processes.

    def everywhere(self, topic: Topic) -> Counter[str]:
        """Return how many pages show a topic in all processes, by audience.

        Viewers that may be named have a key each besides, see `count_named`.
        """
        return self._here(topic) + _add_up(self._others, topic_name(*topic))

    def users_elsewhere(self) -> frozenset[int]:
        """Return the users with an open page in another process; from any thread."""
        return frozenset().union(*(row.users for row in list(self._others.values())))

    async def exchange(self, is_alone: bool = False) -> dict[Topic, set[str]]:
        """Write the row of this process if it is new or due, and read those of the others.

        Return the topics whose counts elsewhere have changed, each with the audiences that no other
        process has any more. A process that `is_alone` has nothing to exchange.
        """
        if is_alone:
            self._changed.clear()
            return {}
        before = self._others
        await self._write_own(clocks.now())
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
        if self._own.at:
            await self._games.write_housekeeping(delete_row, self._process)

    async def _write_own(self, at: int) -> None:
        topics = {topic for topic in self._changed if self._sources[topic[0]].shows_people}
        self._changed.clear()
        fresh = {topic_name(*topic): self._here(topic) for topic in topics}
        counts = {name: each for name, each in {**self._own.counts, **fresh}.items() if each}
        row = Row(at, counts, open_users())
        if row[1:] != self._own[1:] or at - self._own.at >= REPEAT_MS:
            try:
                await self._games.write_housekeeping(write_row, self._process, row)
            except BaseException:
                self._changed |= topics
                raise
            self._own = row

    def _here(self, topic: Topic) -> Counter[str]:
        """Return the part of `everywhere` that is this process's."""
        viewers = count_named(socket.viewer for socket in self.sockets(topic))
        return self.audiences(topic) + viewers


def open_users() -> frozenset[int]:
    """Return the users with an open page in this process; from any thread."""
    users = {socket.permit.user for socket in every_open()}
    return frozenset(user for user in users if user is not None)


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


def _add_up(rows: Rows, name: str) -> Counter[str]:
    """Return the counts of a topic in all rows."""
    total = Counter[str]()
    for row in rows.values():
        total.update(row.counts.get(name, {}))
    return total


def _list_changed(before: Rows, after: Rows) -> set[str]:
    """Return the names of the topics whose counts differ in a row."""
    names: set[str] = set()
    for process in before.keys() | after.keys():
        old, new = before.get(process, NO_ROW).counts, after.get(process, NO_ROW).counts
        if old is not new:
            names.update(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    return names


def write_row(process: str, row: Row) -> None:
    """Write the row of a process, and delete expired ones."""
    ProcessPresence.objects.filter(at__lte=row.at - EXPIRY_MS).delete()
    values = {"at": row.at, "counts": row.counts, "users": sorted(row.users)}
    ProcessPresence.objects.update_or_create(process=process, defaults=values)


def read_rows(process: str, known: Rows) -> Rows:
    """Return the rows of the other processes; those that are `known` are not read again."""
    others = ProcessPresence.objects.exclude(process=process)
    times = dict(others.filter(at__gt=clocks.now() - EXPIRY_MS).values_list("process", "at"))
    same = {name: known[name] for name, at in times.items() if known.get(name, NO_ROW).at == at}
    rows = others.filter(process__in=times.keys() - same.keys())
    return same | {row.process: Row(row.at, row.counts, frozenset(row.users)) for row in rows}


def delete_row(process: str) -> None:
    """Delete the row of a process."""
    ProcessPresence.objects.filter(process=process).delete()
