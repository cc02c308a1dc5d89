"""Rows of rated games and standings as plain values, and the statements that write many of them.

Django's own `bulk_create` takes as long for a row of fourteen columns as the fold of its game.
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

from django.db import connection

from games.rating.entries import SideNumbers
from games.rating.standing import Numbers
from ratings.models import FittedAdvantage, RatedGame, Standing


class RatedGameRow(NamedTuple):
    """A row of `RatedGame`."""

    generation_id: int
    entry_id: int
    white_rating_before: int
    white_deviation_before: int
    white_volatility_before: int
    black_rating_before: int
    black_deviation_before: int
    black_volatility_before: int
    white_rating_after: int
    white_deviation_after: int
    white_volatility_after: int
    black_rating_after: int
    black_deviation_after: int
    black_volatility_after: int

    @classmethod
    def of(cls, generation: int, seq: int, before: SideNumbers, after: SideNumbers) -> Self:
        """Return the row of a game's entry in a generation."""
        return cls(generation, seq, *before.white, *before.black, *after.white, *after.black)

    @property
    def numbers(self) -> tuple[SideNumbers, SideNumbers]:
        """Both sides' numbers before and after the game."""
        triples = [Numbers(*self[n : n + 3]) for n in range(2, len(self), 3)]
        return SideNumbers(*triples[:2]), SideNumbers(*triples[2:])


class AdvantageRow(NamedTuple):
    """A row of `FittedAdvantage`."""

    generation_id: int
    entry_id: int
    rules: str
    advantage: int


class StandingRow(NamedTuple):
    """A row of `Standing`."""

    generation_id: int
    person_id: int
    rules: str
    speed: str
    rating: int
    deviation: int
    volatility: int
    at: int
    games: int
    peak: int | None


ADVANTAGE_COLUMNS = tuple(AdvantageRow.__annotations__)
RATED_GAME_COLUMNS = tuple(RatedGameRow.__annotations__)
STANDING_COLUMNS = tuple(StandingRow.__annotations__)
KEY = ("generation_id", "person_id", "rules", "speed")  # unique columns of standings


def insert_rated_games(rows: Iterable[RatedGameRow]) -> None:
    """Insert rated games."""
    insert_rows(RatedGame._meta.db_table, RATED_GAME_COLUMNS, rows)


def insert_advantages(rows: Iterable[AdvantageRow]) -> None:
    """Insert fitted advantages."""
    insert_rows(FittedAdvantage._meta.db_table, ADVANTAGE_COLUMNS, rows)


def insert_rows(
    table: str, columns: tuple[str, ...], rows: Iterable[tuple[int | str | None, ...]]
) -> None:
    """Insert rows of plain values into a table, in order."""
    _execute(_insert_sql(table, columns), rows)


def save_standings(rows: Iterable[StandingRow]) -> None:
    """Insert standings, or replace those of the same person and pool."""
    insert = _insert_sql(Standing._meta.db_table, STANDING_COLUMNS)
    values = (column for column in STANDING_COLUMNS if column not in KEY)
    changes = ", ".join(f'"{column}" = excluded."{column}"' for column in values)
    _execute(f"{insert} ON CONFLICT ({', '.join(KEY)}) DO UPDATE SET {changes}", rows)


def _insert_sql(table: str, columns: tuple[str, ...]) -> str:
    names = ", ".join(f'"{column}"' for column in columns)
    return f"INSERT INTO {table} ({names}) VALUES ({', '.join(['%s'] * len(columns))})"


def _execute(sql: str, rows: Iterable[tuple[int | str | None, ...]]) -> None:
    if values := list(rows):
        with connection.cursor() as cursor:
            cursor.executemany(sql, values)
