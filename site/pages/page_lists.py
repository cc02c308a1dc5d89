"""Read the lists of the front page and the watch page once for many views of a process.

A reading is current while the database says the same of games, lobbies and the people named on it;
so a process sees at once what another one has committed. Presence and time alone are noticed after
seconds, as on the lists that sockets send. While many games move, readings are limited by
`READS_PER_S`, because each costs as much as twenty views; a page's socket sends what is newer.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection

from ladder.boss import Boss, FirstWin, boss_at, first_win
from lobby.listed_games import read_stamp
from lobby.public_lists import Lists, stored_lists
from pages.finished_games import newest_finished, newest_results
from play.domain.clocks import now
from play.models import Game

MAX_AGE_MS: Final = 5_000
READS_PER_S: Final = 4.0
MAX_READS_AT_ONCE: Final = 8
MAX_ATTEMPTS: Final = 3  # at a reading during which people are renamed
NAMES_SQL: Final = "SELECT username, is_active FROM accounts_user WHERE username IN ({}) ORDER BY 1"
Names = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The lists of one rule set, or of all, as the database had them."""

    number: int  # no other reading of this process has it
    key: str  # of the rule set; empty: all
    at: int  # epoch ms
    stamp: tuple[Any, ...]
    names: Names  # of the people on it, with whether they are active
    lists: Lists
    finished: Sequence[Game]  # empty but on the watch page
    results: Sequence[Game]
    boss: Boss  # of the week
    boss_win: FirstWin | None  # None also on the watch page

    @property
    def hosts(self) -> frozenset[str]:
        """The names of the hosts of the listed lobbies."""
        return frozenset(item["host"] for item in self.lists.lobbies)


class PageLists:
    """The newest reading of each rule set. Threads share it."""

    def __init__(self) -> None:
        self._latest: dict[str, Reading] = {}
        self._number = 0
        self._lock = threading.Lock()
        self._budget = float(MAX_READS_AT_ONCE)
        self._refilled = time.monotonic()

    def read(self, key: str = "") -> Reading:
        """Return a current reading; while they are limited, one of the last seconds.

        `key`: of a rule set; empty for all.
        """
        latest = self._latest.get(key)
        if latest is not None and _is_current(latest):
            return latest
        with self._lock:  # others wait for the same reading
            newest = self._latest.get(key)
            is_newer = newest is not latest and newest is not None and _is_current(newest)
            if newest is not None and (is_newer or not self._may_read(newest)):
                return newest
            self._number += 1
            self._latest[key] = latest = _read(key, self._number)
            return latest

    def _may_read(self, latest: Reading) -> bool:
        """Return whether to read again now, and count it; a reading that is too old always."""
        at = time.monotonic()
        grown = self._budget + READS_PER_S * (at - self._refilled)
        self._budget, self._refilled = min(float(MAX_READS_AT_ONCE), grown), at
        if self._budget < 1 and _is_fresh(latest):
            return False
        self._budget -= 1
        return True

    def clear(self) -> None:
        """Forget all readings, and that they were limited."""
        with self._lock:
            self._latest.clear()
            self._budget = float(MAX_READS_AT_ONCE)


PAGE_LISTS: Final = PageLists()


def _read(key: str, number: int) -> Reading:
    """Return a new reading; read again if somebody on it was renamed or deleted meanwhile."""
    for _ in range(MAX_ATTEMPTS):
        reading = _read_once(key, number)
        if _names_hold(reading):
            break
    return reading


def _read_once(key: str, number: int) -> Reading:
    """Return a new reading. The stamp is read first, so that a later change is noticed."""
    at, stamp = now(), read_stamp()
    lists = stored_lists(key)
    finished, results = newest_finished(key), [] if key else newest_results(at)
    boss = boss_at(at)
    win = None if key else first_win(boss)
    names = _read_names(_named(lists, (*finished, *results), win))
    return Reading(number, key, at, stamp, names, lists, finished, results, boss, win)


def _names_hold(reading: Reading) -> bool:
    """Return whether the names, which are read last, are those of the lists.

    Only live games name people who are not active.
    """
    is_active = {name: bool(active) for name, active in reading.names}
    games = (*reading.finished, *reading.results)
    shown = {*reading.hosts, *(seat.user.username for game in games for seat in game.seats.all())}
    named = set(_named(reading.lists, games, reading.boss_win))
    return named <= is_active.keys() and all(is_active[name] for name in shown)


def _is_fresh(reading: Reading) -> bool:
    return 0 <= now() - reading.at < MAX_AGE_MS


def _is_current(reading: Reading) -> bool:
    """Return whether nothing of a reading has changed in the database, in two queries."""
    if not _is_fresh(reading) or read_stamp() != reading.stamp:
        return False
    return _read_names(name for name, _ in reading.names) == reading.names


def _named(lists: Lists, games: Iterable[Game], win: FirstWin | None) -> Iterator[str]:
    """Yield the names of all people on the lists, in the games, and in the boss's defeat."""
    if win:
        yield win.user
    yield from (item["host"] for item in lists.lobbies)
    items = [
        *lists.games,
        *lists.boards.values(),
        *([lists.featured.item] if lists.featured else []),
    ]
    for item in items:
        yield from (item["white"], item["black"])
    for game in games:
        yield from (seat.user.username for seat in game.seats.all())


def _read_names(names: Iterable[str]) -> Names:
    """Return those of these names that users have, in order, with whether they are active.

    Plain SQL, because each view asks.
    """
    asked = sorted(set(names))
    if not asked:
        return ()
    with connection.cursor() as cursor:
        cursor.execute(NAMES_SQL.format(", ".join(["%s"] * len(asked))), asked)
        return tuple(tuple(row) for row in cursor.fetchall())
