"""Save changes by compare-and-swap on `rev`, several games in one transaction.

Swaps run in ascending id, because unsorted writers deadlock on PostgreSQL. Child rows are inserted
only for games whose swap won. A database error rolls back the whole batch; then each game gets its
own transaction, so that one bad change affects no other.

SQLite runs in this process: one prepared statement per row is cheapest. PostgreSQL gets a whole
batch in one statement, as JSON that it expands to rows, in one round trip with the BEGIN of the
transaction; with a statement for each table and five round trips, a batch of 20 changes took 1.15
times as much CPU time. Both bypass Django's cursors, which would rebuild each statement.
"""

import logging
from collections.abc import Collection, Sequence
from enum import Enum
from functools import cache
from typing import Any, Protocol

import msgspec
from django.db import DatabaseError, IntegrityError, connection, transaction
from msgspec.structs import astuple

from play.domain.change import Change
from play.storage.rows import (
    EndedRow,
    EntryRow,
    GameRow,
    Result,
    Row,
    SealRow,
    StepRow,
    Undoing,
    child_rows,
    revealed_games,
)
from telemetry.outage_log import is_connection_lost, note_outage
from telemetry.redaction import shorten_key

Statements = dict[type[Row], str]


class Writer(Protocol):
    """Writes rows inside a transaction. Raises the errors of the database's own driver."""

    def save(self, changes: Sequence[Change]) -> Collection[str]:
        """Update games, in ascending id, that are at the previous rev, and write their child rows.

        Return the heads of those updated.
        """

    def insert(self, rows: Sequence[Row]) -> None:
        """Insert rows of one table."""


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
        **{kind: insert_sql(kind) for kind in (StepRow, EntryRow, SealRow, EndedRow)},
        GameRow: f"UPDATE play_game SET {assignments} WHERE id = ?1 AND rev = ?2 - 1",
        Undoing: "UPDATE play_step SET undone = ?3 "
        "WHERE game_id = ?1 AND number >= ?2 AND undone IS NULL",
        Result: "UPDATE play_seat SET result = ?3, is_shown = ?4 WHERE game_id = ?1 AND role = ?2",
    }


def _postgres_statements() -> Statements:
    def insert_sql(kind: type[Row]) -> str:
        names = columns(kind)
        values = ", ".join(f"new.{name}" for name in names)
        return f"INSERT INTO {kind.table} ({', '.join(names)}) SELECT {values} FROM {rows(kind)}"

    def rows(kind: type[Row]) -> str:
        return f"json_populate_recordset(NULL::{kind.table}, %s) AS new"

    assignments = ", ".join(f"{column} = new.{column}" for column in columns(GameRow)[1:])
    return {
        **{
            kind: f"{insert_sql(kind)} {OF_WINNERS}"
            for kind in (StepRow, EntryRow, SealRow, EndedRow)
        },
        GameRow: f"UPDATE play_game SET {assignments} FROM locked JOIN {rows(GameRow)} "
        "ON new.id = locked.id WHERE play_game.id = locked.id "
        "AND play_game.rev = new.rev - 1 "
        "RETURNING play_game.id, play_game.head",
        Undoing: f"UPDATE play_step SET undone = new.undone FROM {rows(Undoing)} {OF_WINNERS} "
        "WHERE play_step.game_id = new.game_id AND play_step.number >= new.number "
        "AND play_step.undone IS NULL",
        Result: "UPDATE play_seat SET result = new.result, is_shown = new.is_shown "
        f"FROM {rows(Result)} {OF_WINNERS} "
        "WHERE play_seat.game_id = new.game_id AND play_seat.role = new.role",
    }


# Child rows of games whose swap was lost are not written.
OF_WINNERS = "JOIN swapped ON swapped.id = new.game_id"
SQLITE, POSTGRES = _sqlite_statements(), _postgres_statements()
# All parts see the database as of the start of the statement, except for rows passed by RETURNING.
# Writers lock their games in one order; else two of them could deadlock. A game that has changed
# while its lock was waited for is compared again, at its new rev.
BATCH_SQL = """
WITH locked AS MATERIALIZED (
SELECT id FROM play_game WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE),
swapped AS ({swap}){children}
SELECT ARRAY(SELECT head FROM swapped)
"""
DROP_SEALS = """DELETE FROM play_sealed USING swapped
WHERE play_sealed.game_id = swapped.id AND swapped.id = ANY(%s)"""


@cache
def _batch_sql(kinds: tuple[type[Row], ...], has_revealed: bool) -> str:
    """Return the statement for a batch with some kinds of child rows."""
    parts = [POSTGRES[kind] for kind in kinds] + [DROP_SEALS] * has_revealed
    children = "".join(f",\nchild_{number} AS ({part})" for number, part in enumerate(parts))
    return BATCH_SQL.format(swap=POSTGRES[GameRow], children=children)


class SqliteWriter:
    """Writes rows to SQLite."""

    def __init__(self) -> None:
        self._connection: Any = connection.connection

    def save(self, changes: Sequence[Change]) -> Collection[str]:
        heads = self.swap([GameRow.of(change) for change in changes])
        won = [change for change in changes if change.after.head in heads]
        if revealed := revealed_games(won):
            self.drop_seals(revealed)
        for rows in child_rows(won).values():
            self.insert(rows)
        return heads

    def swap(self, rows: Sequence[GameRow]) -> Collection[str]:
        """Update games that are at the previous rev; return the heads of those updated."""
        run, swap = self._connection.execute, SQLITE[GameRow]
        return {row.head for row in rows if run(swap, astuple(row)).rowcount == 1}

    def drop_seals(self, games: Sequence[int]) -> None:
        """Delete the sealed actions of some games."""
        self._connection.executemany(
            "DELETE FROM play_sealed WHERE game_id = ?", [(id,) for id in games]
        )

    def insert(self, rows: Sequence[Row]) -> None:
        self._connection.executemany(SQLITE[type(rows[0])], map(astuple, rows))


class PostgresWriter:
    """Writes rows to PostgreSQL."""

    def __init__(self) -> None:
        from psycopg import Cursor

        driver: Any = connection.connection
        driver.prepare_threshold = 0  # Django's cursors never prepare statements
        self._connection, self._cursor = driver, Cursor(driver)

    def save(self, changes: Sequence[Change]) -> Collection[str]:
        children, revealed = child_rows(changes), revealed_games(changes)
        values: list[object] = [[change.before.id for change in changes]]
        values.append(_as_json([GameRow.of(change) for change in changes]))
        values += map(_as_json, children.values())
        self._run(
            _batch_sql(tuple(children), bool(revealed)),
            [*values, revealed] if revealed else values,
        )
        ((heads,),) = self._cursor.fetchall()
        return set(heads)

    def insert(self, rows: Sequence[Row]) -> None:
        kind = type(rows[0])
        names = ", ".join(columns(kind))
        source = f"json_populate_recordset(NULL::{kind.table}, %s)"
        sql = f"INSERT INTO {kind.table} ({names}) SELECT {names} FROM {source}"
        self._run(sql, [_as_json(rows)])

    def _run(self, statement: str, values: Sequence[object] = ()) -> None:
        self._cursor.execute(statement, values, prepare=True)


def writer_of() -> Writer:
    """Return the writer for the database of the running transaction."""
    return PostgresWriter() if connection.vendor == "postgresql" else SqliteWriter()


def _as_json(rows: Sequence[Row]) -> str:
    return msgspec.json.encode(rows).decode()


log = logging.getLogger("quiver.play")


class Verdict(Enum):
    """The outcome of saving a change."""

    WON = "won"
    LOST = "lost"  # another change of the game came first: load it again
    TWICE = "twice"  # its action id, step or seal is stored already: load it again
    FAILED = "failed"  # the database could not write
    UNSURE = "unsure"  # the connection was lost: unknown whether it was committed


def commit(changes: Sequence[Change]) -> list[Verdict]:
    """Commit changes of different games together and return their verdicts in the same order.

    Raise the database's error if the connection is lost: then the outcome is unknown.
    """
    try:
        return _commit(changes)
    except DatabaseError as error:
        if _is_lost(error):
            raise
        return [_commit_alone(change) for change in changes]


def _is_lost(error: DatabaseError) -> bool:
    """Return whether an error means that the connection was lost or could not be made.

    Such an error comes from the client library without an SQLSTATE, or is the server's last
    message.
    """
    if connection.vendor == "sqlite":
        return False
    return is_connection_lost(getattr(error.__cause__, "sqlstate", None))


def _commit_alone(change: Change) -> Verdict:
    try:
        return _commit([change])[0]
    except IntegrityError:
        return Verdict.TWICE
    except DatabaseError as error:
        if _is_lost(error):
            raise
        if not note_outage(error, refused=1):
            log.exception(
                "a change of game %s could not be written",
                shorten_key(change.before.slug),
                extra={"event": "change_failed"},
            )
        return Verdict.FAILED


def _commit(changes: Sequence[Change]) -> list[Verdict]:
    with transaction.atomic(), connection.wrap_database_errors:
        won = writer_of().save(_in_order(changes))
    return [Verdict.WON if change.after.head in won else Verdict.LOST for change in changes]


def _in_order(changes: Sequence[Change]) -> Sequence[Change]:
    return sorted(changes, key=lambda change: change.before.id)
