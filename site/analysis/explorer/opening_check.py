"""Compare the stored counts with the counted games; read-only.

The games are folded into a temporary file of SQLite, so that memory does not grow with them. Then
the counts are compared in parts, each under the lock of the generation, after the games that were
counted meanwhile: so workers go on between two parts.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from analysis.explorer.counting import (
    BOARD_RULES,
    count_ended_games,
    lock_generation,
    present_generation,
    read_counted,
)
from analysis.explorer.groups import NOT_COUNTED
from analysis.explorer.models import OpeningGame, OpeningTurn
from analysis.explorer.opening_rows import Count, Key, rows_of

GAMES_A_BATCH: Final = 500
ROWS_A_PART: Final = 50_000  # about; for so many the lock is held at a time
KEYS: Final = 2**64
SCHEMA: Final = """
CREATE TABLE expected (position INTEGER, players TEXT, turn TEXT, white INTEGER, draws INTEGER,
    black INTEGER, last_game INTEGER)
"""
ADD_SQL: Final = "INSERT INTO expected VALUES (?, ?, ?, ?, ?, ?, ?)"
PART_SQL: Final = """
SELECT position, players, turn, sum(white), sum(draws), sum(black), max(last_game) FROM expected
WHERE position BETWEEN ? AND ? GROUP BY position, players, turn
"""


class CountsDiffer(Exception):
    """A count differs from the games; `str` is an English sentence that names the first one."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Counts that are right."""

    generation: int
    games: int  # examined, those that do not count among them
    rows: int


def count_all() -> int:
    """Count all games that are pending; return how many there were."""
    total = 0
    while found := count_ended_games():
        total += len(found)
    return total


def check_counts() -> Checked:
    """Compare all counts with the games that were counted. Raise CountsDiffer."""
    generation = present_generation()
    earlier = OpeningGame.objects.exclude(generation=generation)
    if earlier.filter(game__rules__in=BOARD_RULES).exists():
        raise CountsDiffer("A rebuild has not ended yet. Run --rebuild, or wait, and check again.")
    with closing(sqlite3.connect("")) as expected:
        expected.execute(SCHEMA)
        done = _fold(expected, 0)
        expected.execute("CREATE INDEX by_position ON expected (position)")
        rows = 0
        for first, last in _parts(OpeningTurn.objects.count()):
            with transaction.atomic():
                if lock_generation() != generation:
                    raise CountsDiffer("A rebuild has begun meanwhile. Check again.")
                done = _fold(expected, done)
                rows += _compare(expected, first, last)
    return Checked(generation, OpeningGame.objects.filter(pk__lte=done).count(), rows)


def _fold(expected: sqlite3.Connection, after: int) -> int:
    """Fold the games that were counted after a row of `OpeningGame`; return the last such row."""
    games = OpeningGame.objects.filter(pk__gt=after).select_related("game").order_by("pk")
    while batch := list(games.filter(pk__gt=after)[:GAMES_A_BATCH]):
        groups = {row.game: row.group for row in batch if row.group != NOT_COUNTED}
        rows = rows_of(read_counted({g: groups[g] for g in groups if g.rules in BOARD_RULES}))
        expected.executemany(ADD_SQL, ((*key, *map(int, count)) for key, count in rows.items()))
        after = batch[-1].pk
    return after


def _parts(rows: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of positions that cover all, each with about `ROWS_A_PART` rows."""
    parts = rows // ROWS_A_PART + 1
    for part in range(parts):
        yield KEYS * part // parts - KEYS // 2, KEYS * (part + 1) // parts - KEYS // 2 - 1


def _compare(expected: sqlite3.Connection, first: int, last: int) -> int:
    """Compare the counts of a range of positions; return the number of rows."""
    right = {Key(*row[:3]): Count(*row[3:]) for row in expected.execute(PART_SQL, (first, last))}
    columns = ("position", "group", "turn", "white", "draws", "black", "last_game")
    stored = OpeningTurn.objects.filter(position__gte=first, position__lte=last)
    found = {Key(*row[:3]): Count(*row[3:]) for row in stored.values_list(*columns)}
    if found != right:
        key = min(key for key in found.keys() | right.keys() if found.get(key) != right.get(key))
        raise CountsDiffer(
            f"{key.turn} by {key.group or 'nobody'} in position {key.position}: stored is "
            f"{found.get(key)}, right is {right.get(key)}. Run --rebuild."
        )
    return len(found)
