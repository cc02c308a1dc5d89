"""Counts of turns as plain values: made from games, added up, and written by one statement."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.db import connection

from analysis.explorer.groups import EVERYONE
from analysis.explorer.models import OpeningTurn
from games.opening_keys import PlayedTurn

TABLE: Final = OpeningTurn._meta.db_table
COLUMNS: Final = ("position", '"group"', "turn", "white", "draws", "black", "last_game")
CHANGES: Final = f"""
ON CONFLICT (position, "group", turn) DO UPDATE SET
    white = {TABLE}.white + excluded.white,
    draws = {TABLE}.draws + excluded.draws,
    black = {TABLE}.black + excluded.black,
    last_game = CASE WHEN excluded.last_game > {TABLE}.last_game
        THEN excluded.last_game ELSE {TABLE}.last_game END
"""
POSTGRES_SQL: Final = f"""
INSERT INTO {TABLE} ({", ".join(COLUMNS)})
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[],
    %s::integer[], %s::integer[], %s::integer[], %s::bigint[])
{CHANGES}
"""
SQLITE_SQL: Final = f"""
INSERT INTO {TABLE} ({", ".join(COLUMNS)}) VALUES (%s, %s, %s, %s, %s, %s, %s)
{CHANGES}
"""


class Key(NamedTuple):
    """The key of a row."""

    position: int
    group: str
    turn: str


class Count(NamedTuple):
    """The values of a row."""

    white: int
    draws: int
    black: int
    last_game: int

    def plus(self, other: "Count") -> "Count":
        """Return the values of both together."""
        return Count(
            self.white + other.white,
            self.draws + other.draws,
            self.black + other.black,
            max(self.last_game, other.last_game),
        )


class CountedGame(NamedTuple):
    """A game that counts: its id, group and winner (empty: a draw), and its first turns."""

    game: int
    group: str
    winner: str
    turns: Sequence[PlayedTurn]


def rows_of(games: Iterable[CountedGame]) -> dict[Key, Count]:
    """Return the counts of some games: a row for the group and one for all games."""
    rows: dict[Key, Count] = {}
    for game in games:
        one = Count(game.winner == "white", not game.winner, game.winner == "black", game.game)
        for group in (game.group, EVERYONE):
            for position, turn in game.turns:
                key = Key(position, group, turn)
                rows[key] = rows[key].plus(one) if key in rows else one
    return rows


def add_rows(rows: Mapping[Key, Count]) -> None:
    """Add counts to those that are stored.

    Rows are written in one order, so that no two processes wait for each other.
    """
    values: list[tuple[int | str, ...]] = [(*key, *map(int, rows[key])) for key in sorted(rows)]
    if not values:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRES_SQL, [list(column) for column in zip(*values, strict=True)])
        else:
            cursor.executemany(SQLITE_SQL, values)


def delete_rows() -> None:
    """Delete all counts."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {TABLE}")  # of millions of rows a DELETE takes minutes
    else:
        OpeningTurn.objects.all().delete()
