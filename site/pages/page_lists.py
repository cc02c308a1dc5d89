"""Lists of the front page and the watch page, read at most once a second for all visitors.

A page may therefore be a second late; its socket then sends what has changed since.
"""

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from play.domain.clocks import now
from play.models import Game
from puzzles.daily import day_of, rules_of_day
from ratings.ladder.boss import Boss, FirstWin, boss_at, first_win
from watch.finished_games import newest_finished, newest_results
from watch.public_lists import Lists, stored_lists

LIFE_S = 1.0
NUMBERS: Final = count(1)  # of the readings of this process


@dataclass(frozen=True, slots=True)
class Reading:
    """The lists of one rule set, or of all, as the database had them."""

    key: str  # of the rule set; empty: all
    read_at: float  # s, monotonic
    lists: Lists
    finished: Sequence[Game]
    results: Sequence[Game]  # only for all rule sets, else empty
    boss: Boss  # of the week
    boss_win: FirstWin | None  # None also for one rule set
    daily: str  # rules of the position of the day; empty without one, and for one rule set
    version: int = field(default_factory=NUMBERS.__next__)  # no other reading has it
    life_s: float = field(
        default_factory=lambda: LIFE_S
    )  # of the parts of pages that are drawn of it; 0: they expire at once

    @property
    def names(self) -> frozenset[str]:
        """The names of all people on the lists."""
        return frozenset(_names(self))

    def without(self, names: Collection[str], reader: str) -> "Reading":
        """Return the reading without what names some people, for one reader alone.

        See `Lists.without`. It has a version of its own, and what is drawn of it expires at once.
        """

        def is_shown(game: Game) -> bool:
            players = {seat.user.username for seat in game.seats.all()}
            return reader in players or players.isdisjoint(names)

        return replace(
            self,
            lists=self.lists.without(names, reader),
            finished=[game for game in self.finished if is_shown(game)],
            results=[game for game in self.results if is_shown(game)],
            boss_win=None if self.boss_win and self.boss_win.user in names else self.boss_win,
            version=next(NUMBERS),
            life_s=0,
        )


_newest: dict[str, Reading] = {}  # by key; threads share it, and two may read at the same time


def read_lists(key: str = "") -> Reading:
    """Return the lists of a rule set, of all by default, no older than `LIFE_S`."""
    newest = _newest.get(key)
    if newest is None or time.monotonic() - newest.read_at >= LIFE_S:
        newest = _newest[key] = _read(key)
    return newest


def _read(key: str) -> Reading:
    read_at, at = time.monotonic(), now()
    boss = boss_at(at)
    win, daily = (None, "") if key else (first_win(boss), rules_of_day(day_of(at)))
    results = [] if key else newest_results(at)
    return Reading(key, read_at, stored_lists(key), newest_finished(key), results, boss, win, daily)


def _names(reading: Reading) -> Iterator[str]:
    lists = reading.lists
    if reading.boss_win:
        yield reading.boss_win.user
    yield from (item["host"] for item in lists.lobbies)
    featured = [lists.featured.item] if lists.featured else []
    for item in (*lists.games, *lists.boards.values(), *featured):
        yield from (item["white"], item["black"])
    for game in (*reading.finished, *reading.results):
        yield from (seat.user.username for seat in game.seats.all())
