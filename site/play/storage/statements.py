"""SQL statements that write a batch of rows, for SQLite and PostgreSQL.

SQLite runs in this process: one prepared statement per row is cheapest. PostgreSQL gets all rows of
a table in one statement, as JSON that it expands to rows. Both bypass Django's cursors, which would
build each statement anew for each row.
"""

from collections.abc import Collection, Sequence
from typing import Any, Protocol

import msgspec
from django.db import connection
from msgspec.structs import astuple

from play.storage.rows import EntryRow, GameRow, Result, Row, SealRow, StepRow, Undoing

Statements = dict[type[Row], str]


class Writer(Protocol):
    """Writes rows inside a transaction. Raises the errors of the database's own driver."""

    def swap(self, rows: Sequence[GameRow]) -> Collection[str]:
        """Update games, in ascending id, that are at the previous rev.

        Return the heads of those updated.
        """

    def drop_seals(self, games: Sequence[int]) -> None:
        """Delete the sealed actions of some games."""

    def write(self, rows: Sequence[Row]) -> None:
        """Insert rows of one table, mark steps as taken back, or store results."""


def columns(kind: type[Row]) -> tuple[str, ...]:
    """Return the columns that a kind of row sets."""
    return kind.__struct_fields__


def _sqlite_statements() -> Statements:
    def insert_sql(kind: type[Row]) -> str:
        marks = ", ".join("?" for _ in columns(kind))
        return f"INSERT INTO {kind.table} ({', '.join(columns(kind))}) VALUES ({marks})"

    places = {column: f"?{place}" for place, column in enumerate(columns(GameRow), 1)}
    assignments = ", ".join(
        f"{column} = {place}" for column, place in places.items() if column != "id"
    )
    return {
        **{kind: insert_sql(kind) for kind in (StepRow, EntryRow, SealRow)},
        GameRow: f"UPDATE play_game SET {assignments} WHERE id = ?1 AND rev = ?2 - 1",
        Undoing: "UPDATE play_step SET undone = ?3 "
        "WHERE game_id = ?1 AND number >= ?2 AND undone IS NULL",
        Result: "UPDATE play_seat SET result = ?3, is_shown = ?4 WHERE game_id = ?1 AND role = ?2",
    }


def _postgres_statements() -> Statements:
    def insert_sql(kind: type[Row]) -> str:
        names = ", ".join(columns(kind))
        return f"INSERT INTO {kind.table} ({names}) SELECT {names} FROM {rows(kind)}"

    def rows(kind: type[Row]) -> str:
        return f"json_populate_recordset(NULL::{kind.table}, %s) AS new"

    assignments = ", ".join(f"{column} = new.{column}" for column in columns(GameRow)[1:])
    return {
        **{kind: insert_sql(kind) for kind in (StepRow, EntryRow, SealRow)},
        GameRow: f"UPDATE play_game SET {assignments} FROM {rows(GameRow)} "
        "WHERE play_game.id = new.id AND play_game.rev = new.rev - 1 RETURNING play_game.head",
        Undoing: f"UPDATE play_step SET undone = new.undone FROM {rows(Undoing)} "
        "WHERE play_step.game_id = new.game_id AND play_step.number >= new.number "
        "AND play_step.undone IS NULL",
        Result: f"UPDATE play_seat SET result = new.result, is_shown = new.is_shown "
        f"FROM {rows(Result)} WHERE play_seat.game_id = new.game_id AND play_seat.role = new.role",
    }


SQLITE, POSTGRES = _sqlite_statements(), _postgres_statements()
# Writers lock their games in one order; else two of them could deadlock.
LOCK_IN_ORDER = "SELECT FROM play_game WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"


class SqliteWriter:
    """Writes rows to SQLite."""

    def __init__(self) -> None:
        self._connection: Any = connection.connection

    def swap(self, rows: Sequence[GameRow]) -> Collection[str]:
        run, swap = self._connection.execute, SQLITE[GameRow]
        return {row.head for row in rows if run(swap, astuple(row)).rowcount == 1}

    def drop_seals(self, games: Sequence[int]) -> None:
        self._connection.executemany(
            "DELETE FROM play_sealed WHERE game_id = ?", [(id,) for id in games]
        )

    def write(self, rows: Sequence[Row]) -> None:
        self._connection.executemany(SQLITE[type(rows[0])], map(astuple, rows))


class PostgresWriter:
    """Writes rows to PostgreSQL."""

    def __init__(self) -> None:
        from psycopg import Cursor

        driver: Any = connection.connection
        driver.prepare_threshold = 0  # Django's cursors never prepare statements
        self._connection, self._cursor = driver, Cursor(driver)

    def swap(self, rows: Sequence[GameRow]) -> Collection[str]:
        with self._connection.pipeline():
            self._run(LOCK_IN_ORDER, [row.id for row in rows])
            self._run(POSTGRES[GameRow], _as_json(rows))
        return {head for (head,) in self._cursor.fetchall()}

    def drop_seals(self, games: Sequence[int]) -> None:
        self._run("DELETE FROM play_sealed WHERE game_id = ANY(%s)", list(games))

    def write(self, rows: Sequence[Row]) -> None:
        self._run(POSTGRES[type(rows[0])], _as_json(rows))

    def _run(self, statement: str, value: object) -> None:
        self._cursor.execute(statement, [value], prepare=True)


def writer_of() -> Writer:
    """Return the writer for the database of the running transaction."""
    return PostgresWriter() if connection.vendor == "postgresql" else SqliteWriter()


def _as_json(rows: Sequence[Row]) -> str:
    return msgspec.json.encode(rows).decode()
