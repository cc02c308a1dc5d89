"""Rows of games as plain data, from either database."""

import sqlite3
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

Row = dict[str, Any]
TABLES = ("step", "sealed", "entry", "seat")


@dataclass
class GameRows:
    """The stored rows of one game, each table in the order of its ids."""

    game: Row
    steps: list[Row] = field(default_factory=list)  # also those that were taken back
    sealed: list[Row] = field(default_factory=list)
    entries: list[Row] = field(default_factory=list)
    seats: list[Row] = field(default_factory=list)


def read_rows(source: Path | str) -> dict[str, GameRows]:
    """The rows of every game by its slug; nothing is written. A damaged file fails."""
    tables = _of_sqlite(source) if isinstance(source, Path) else _of_postgres(source)
    games = {row["id"]: GameRows(row) for row in tables["game"]}
    names = {"step": "steps", "sealed": "sealed", "entry": "entries", "seat": "seats"}
    found: dict[tuple[int, str], list[Row]] = defaultdict(list)
    for table, name in names.items():
        for row in tables[table]:
            found[row["game_id"], name].append(row)
    for (game, name), rows in found.items():
        setattr(games[game], name, rows)
    return {each.game["slug"]: each for each in games.values()}


def _of_sqlite(file: Path) -> dict[str, list[Row]]:
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=20) as connection:
        connection.row_factory = sqlite3.Row
        assert [tuple(row) for row in connection.execute("PRAGMA integrity_check")] == [("ok",)]
        assert list(connection.execute("PRAGMA foreign_key_check")) == []
        connection.execute("BEGIN")  # all tables at one moment
        return {
            table: [
                dict(row) for row in connection.execute(f"SELECT * FROM play_{table} ORDER BY id")
            ]
            for table in ("game", *TABLES)
        }


def _of_postgres(url: str) -> dict[str, list[Row]]:
    with psycopg.connect(url, row_factory=dict_row) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return {
            table: connection.execute(f"SELECT * FROM play_{table} ORDER BY id").fetchall()
            for table in ("game", *TABLES)
        }
