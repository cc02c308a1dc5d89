"""The statements that write a batch of rows, for SQLite and for PostgreSQL.

SQLite is in this process: one prepared statement a row costs it least. To PostgreSQL a table's
rows go in one statement, as JSON, which it reads as rows of that table. Both are spoken to past
Django's cursors, which would copy each statement for each row.
"""

from collections.abc import Collection, Sequence
from typing import Any, Protocol

import msgspec
from django.db import connection
from msgspec.structs import astuple

from play.rows import EntryRow, GameRow, Result, Row, SealRow, TurnRow, Undoing

Statements = dict[type[Row], str]


class Pen(Protocol):
    """Writes rows, inside a transaction. Raises the errors of the database's own driver."""

    def swap(self, rows: Sequence[GameRow]) -> Collection[str]:
        """Puts games, in ascending id, in the place of what they were one rev before; the heads of
        those that were."""

    def drop_seals(self, games: Sequence[int]) -> None:
        """Deletes what is sealed in some games."""

    def write(self, rows: Sequence[Row]) -> None:
        """Adds rows of one table, takes turns back, or tells results."""


def columns(kind: type[Row]) -> tuple[str, ...]:
    """The columns that a kind of row sets."""
    return kind.__struct_fields__


def _sqlite() -> Statements:
    def added(kind: type[Row]) -> str:
        marks = ", ".join("?" for _ in columns(kind))
        return f"INSERT INTO {kind.table} ({', '.join(columns(kind))}) VALUES ({marks})"

    places = {column: f"?{place}" for place, column in enumerate(columns(GameRow), 1)}
    swapped = ", ".join(f"{column} = {place}" for column, place in places.items() if column != "id")
    return {
        **{kind: added(kind) for kind in (TurnRow, EntryRow, SealRow)},
        GameRow: f"UPDATE play_game SET {swapped} WHERE id = ?1 AND rev = ?2 - 1",
        Undoing: "UPDATE play_turn SET undone = ?3 "
        "WHERE game_id = ?1 AND number >= ?2 AND undone IS NULL",
        Result: "UPDATE play_seat SET result = ?3, is_shown = ?4 WHERE game_id = ?1 AND role = ?2",
    }


def _postgres() -> Statements:
    def added(kind: type[Row]) -> str:
        names = ", ".join(columns(kind))
        return f"INSERT INTO {kind.table} ({names}) SELECT {names} FROM {rows(kind)}"

    def rows(kind: type[Row]) -> str:
        return f"json_populate_recordset(NULL::{kind.table}, %s) AS new"

    swapped = ", ".join(f"{column} = new.{column}" for column in columns(GameRow)[1:])
    return {
        **{kind: added(kind) for kind in (TurnRow, EntryRow, SealRow)},
        GameRow: f"UPDATE play_game SET {swapped} FROM {rows(GameRow)} "
        "WHERE play_game.id = new.id AND play_game.rev = new.rev - 1 RETURNING play_game.head",
        Undoing: f"UPDATE play_turn SET undone = new.undone FROM {rows(Undoing)} "
        "WHERE play_turn.game_id = new.game_id AND play_turn.number >= new.number "
        "AND play_turn.undone IS NULL",
        Result: f"UPDATE play_seat SET result = new.result, is_shown = new.is_shown "
        f"FROM {rows(Result)} WHERE play_seat.game_id = new.game_id AND play_seat.role = new.role",
    }


SQLITE, POSTGRES = _sqlite(), _postgres()
# Whoever writes some games waits for them in one order: else two writers wait for each other.
IN_ORDER = "SELECT FROM play_game WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"


class SqlitePen:
    """Writes to SQLite."""

    def __init__(self) -> None:
        self._line: Any = connection.connection

    def swap(self, rows: Sequence[GameRow]) -> Collection[str]:
        run, swap = self._line.execute, SQLITE[GameRow]
        return {row.head for row in rows if run(swap, astuple(row)).rowcount == 1}

    def drop_seals(self, games: Sequence[int]) -> None:
        self._line.executemany("DELETE FROM play_sealed WHERE game_id = ?", [(id,) for id in games])

    def write(self, rows: Sequence[Row]) -> None:
        self._line.executemany(SQLITE[type(rows[0])], map(astuple, rows))


class PostgresPen:
    """Writes to PostgreSQL."""

    def __init__(self) -> None:
        from psycopg import Cursor

        line: Any = connection.connection
        line.prepare_threshold = 0  # Django's cursors prepare nothing all the same
        self._line, self._cursor = line, Cursor(line)

    def swap(self, rows: Sequence[GameRow]) -> Collection[str]:
        with self._line.pipeline():
            self._run(IN_ORDER, [row.id for row in rows])
            self._run(POSTGRES[GameRow], _as_json(rows))
        return {head for (head,) in self._cursor.fetchall()}

    def drop_seals(self, games: Sequence[int]) -> None:
        self._run("DELETE FROM play_sealed WHERE game_id = ANY(%s)", list(games))

    def write(self, rows: Sequence[Row]) -> None:
        self._run(POSTGRES[type(rows[0])], _as_json(rows))

    def _run(self, statement: str, value: object) -> None:
        self._cursor.execute(statement, [value], prepare=True)


def pen() -> Pen:
    """What writes to the database of the running transaction."""
    return PostgresPen() if connection.vendor == "postgresql" else SqlitePen()


def _as_json(rows: Sequence[Row]) -> str:
    return msgspec.json.encode(rows).decode()
