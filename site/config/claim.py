"""One web process for each database, unless all of them share Redis.

A lock beside an SQLite file, or one that a connection to PostgreSQL holds; both are freed when the
process ends, however it does.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.db import connection

if os.name == "nt":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Claimed(RuntimeError):
    """Another web process has this database."""


WEB, MIGRATION = 7_160_301, 7_160_302  # numbers of our locks among PostgreSQL's advisory ones
ALONE = "SELECT pg_try_advisory_lock(%s)"
SHARED = "SELECT pg_try_advisory_lock_shared(%s)"
_held: dict[Path, IO[str]] = {}
_lines: list[Any] = []  # connections that hold locks for as long as this process lives


def claim_database(has_bus: bool) -> None:
    """Claims the site's database for this web process; again is harmless. Raises `Claimed`.

    Without a bus a process reaches its own sockets only, so a second one would show stale boards.
    """
    if connection.vendor == "sqlite":
        claim(Path(connection.settings_dict["NAME"]))
    elif not _lines:
        line = _line()
        if not line.execute(SHARED if has_bus else ALONE, [WEB]).fetchone()[0]:
            line.close()
            raise Claimed(
                "Another server without REDIS_URL already runs on this database. "
                "Stop it, or give all of them the same REDIS_URL."
                if has_bus
                else "Another server already runs on this database. Stop it, or give all of them "
                "the same REDIS_URL, by which they hear of each other."
            )
        _lines.append(line)


@contextmanager
def migrating() -> Iterator[None]:
    """Lets one process at a time prepare the database and the static files."""
    if connection.vendor == "sqlite":
        yield
        return
    with _line() as line:
        line.execute("SET lock_timeout = 0")
        line.execute("SELECT pg_advisory_lock(%s)", [MIGRATION])
        yield


def _line() -> Any:
    """A connection to PostgreSQL beside the pool. Raises Django's DatabaseError."""
    import psycopg

    with connection.wrap_database_errors:
        return psycopg.connect(**connection.get_connection_params(), autocommit=True)


def claim(database: Path) -> None:
    """Claims a database file for this process; again is harmless. Raises `Claimed`."""
    path = database.with_name(f"{database.name}.lock")
    if path in _held:
        return
    file = path.open("a+", encoding="ascii")
    try:
        _lock(file)
    except OSError:
        file.close()
        raise Claimed(
            f"Another server already runs on the database {database}. "
            "Stop it first, or give this one a folder of its own: QUIVER_DATA=/some/folder."
        ) from None
    _held[path] = file
