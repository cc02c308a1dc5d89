"""Read the lists of the front page and the watch page, and compare a reading with the database."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from django.db import connection

from ladder.boss import Boss, FirstWin, boss_at, first_win
from lobby.listed_games import Stamp, read_stamp
from lobby.public_lists import Lists, stored_lists
from page_cache.redraws import Redraws
from pages.finished_games import newest_finished, newest_results
from play.domain.clocks import now
from play.models import Game
from puzzles.daily import day_of, rules_of_day

MAX_AGE_MS: Final = 5_000
MAX_ATTEMPTS: Final = 3  # at a reading during which people are renamed
NAMES_SQL: Final = "SELECT username, is_active FROM accounts_user WHERE username IN ({}) ORDER BY 1"
Names = tuple[tuple[Any, ...], ...]


class State(Enum):
    """A reading compared with the current database."""

    CURRENT = "current"
    MOVED = "moved"  # a running game has changed, and nothing else
    CHANGED = "changed"  # something else has, or the reading is too old


@dataclass(frozen=True, slots=True)
class Finished:
    """The finished games of a reading, which moves in running games do not change."""

    at: int  # epoch ms
    games: Sequence[Game]
    results: Sequence[Game]  # only for all rule sets, else empty
    boss: Boss  # of the week
    boss_win: FirstWin | None  # None also for one rule set
    daily: str  # rules of the position of the day; empty without one, and for one rule set

    @property
    def all_games(self) -> tuple[Game, ...]:
        """The finished games and the results."""
        return (*self.games, *self.results)


@dataclass(frozen=True, slots=True)
class Reading:
    """The lists of one rule set, or of all, as the database had them."""

    number: int  # no other reading of this process has it
    key: str  # of the rule set; empty: all
    at: int  # epoch ms
    stamp: Stamp
    names: Names  # of the people on it, with whether they are active
    lists: Lists
    finished: Finished
    redraws: "Redraws[Reading]"  # the pages that requests have asked for

    @property
    def hosts(self) -> frozenset[str]:
        """The names of the hosts of the listed lobbies."""
        return frozenset(item["host"] for item in self.lists.lobbies)

    def without(self, names: Collection[str], reader: str) -> "Reading":
        """Return the reading without what names some people (see `Lists.without`)."""

        def is_shown(game: Game) -> bool:
            players = {seat.user.username for seat in game.seats.all()}
            return reader in players or players.isdisjoint(names)

        win = self.finished.boss_win
        finished = replace(
            self.finished,
            games=[game for game in self.finished.games if is_shown(game)],
            results=[game for game in self.finished.results if is_shown(game)],
            boss_win=None if win and win.user in names else win,
        )
        return replace(self, lists=self.lists.without(names, reader), finished=finished)

    @property
    def age_ms(self) -> int:
        """The milliseconds since it was read; negative after the clock was set back."""
        return now() - self.at


def read_lists(key: str, number: int, previous: Reading | None) -> Reading:
    """Return a new reading; read again if somebody on it was renamed or deleted meanwhile.

    It takes the finished games of a previous reading while these hold.
    """
    for _ in range(MAX_ATTEMPTS):
        reading = _read_once(key, number, previous)
        if _names_hold(reading):
            break
        previous = None  # its games hold former names
    return reading


def compare(reading: Reading) -> State:
    """Compare a reading with the database, in two queries."""
    if not 0 <= reading.age_ms < MAX_AGE_MS:
        return State.CHANGED
    stamp = read_stamp()
    if not reading.stamp.has_only_moved(stamp):
        return State.CHANGED
    if _read_names(name for name, _ in reading.names) != reading.names:
        return State.CHANGED
    return State.CURRENT if stamp == reading.stamp else State.MOVED


def _read_once(key: str, number: int, previous: Reading | None) -> Reading:
    """Return a new reading. The stamp is read first, so that a later change is noticed."""
    at, stamp = now(), read_stamp()
    lists = stored_lists(key)
    if previous and previous.stamp.last_end == stamp.last_end and _is_recent(previous.finished, at):
        finished = previous.finished
    else:
        finished = _read_finished(key, at)
    names = _read_names(_named(lists, finished))
    redraws = previous.redraws.recent() if previous else Redraws[Reading]()
    return Reading(number, key, at, stamp, names, lists, finished, redraws)


def _read_finished(key: str, at: int) -> Finished:
    games, results = newest_finished(key), [] if key else newest_results(at)
    boss = boss_at(at)
    win, position = (None, "") if key else (first_win(boss), rules_of_day(day_of(at)))
    return Finished(at, games, results, boss, win, position)


def _is_recent(finished: Finished, at: int) -> bool:
    return 0 <= at - finished.at < MAX_AGE_MS


def _names_hold(reading: Reading) -> bool:
    """Return whether the names, which are read last, are those of the lists.

    Only live games name people who are not active.
    """
    is_active = {name: bool(active) for name, active in reading.names}
    games = reading.finished.all_games
    shown = {*reading.hosts, *(seat.user.username for game in games for seat in game.seats.all())}
    named = set(_named(reading.lists, reading.finished))
    return named <= is_active.keys() and all(is_active[name] for name in shown)


def _named(lists: Lists, finished: Finished) -> Iterator[str]:
    """Yield the names of all people on the lists, in the games, and in the boss's defeat."""
    if finished.boss_win:
        yield finished.boss_win.user
    yield from (item["host"] for item in lists.lobbies)
    items = [
        *lists.games,
        *lists.boards.values(),
        *([lists.featured.item] if lists.featured else []),
    ]
    for item in items:
        yield from (item["white"], item["black"])
    for game in finished.all_games:
        yield from (seat.user.username for seat in game.seats.all())


def _read_names(names: Iterable[str]) -> Names:
    """Return the names that belong to users, in order, with whether they are active.

    Plain SQL, because each view asks.
    """
    asked = sorted(set(names))
    if not asked:
        return ()
    with connection.cursor() as cursor:
        cursor.execute(NAMES_SQL.format(", ".join(["%s"] * len(asked))), asked)
        return tuple(tuple(row) for row in cursor.fetchall())
