"""One web process for each database, unless all of them share Redis.

A lock beside an SQLite file, or one that a connection to PostgreSQL holds (see `lock_watch`); both
are freed when the process ends, however it does.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.db import connection

from config.lock_watch import STOPPED, DatabaseLock, LockWatch, connect

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


MIGRATION = 7_160_302  # number of this lock among PostgreSQL's advisory locks
_held: dict[Path, IO[str]] = {}
_watches: list[LockWatch] = []  # of the lock in PostgreSQL, once it is claimed


def claim_database(has_bus: bool) -> None:
    """Claims the site's database for this web process; again is harmless. Raises `Claimed`.

    Without a bus a process reaches its own sockets only, so a second one would show stale boards.
    """
    if connection.vendor == "sqlite":
        claim(Path(connection.settings_dict["NAME"]))
    elif not _watches:
        lock = DatabaseLock(is_shared=has_bus)
        if not lock.claim():
            raise Claimed(
                "Another server without REDIS_URL already runs on this database. "
                "Stop it, or give all of them the same REDIS_URL."
                if has_bus
                else "Another server already runs on this database. Stop it, or give all of them "
                "the same REDIS_URL, by which they hear of each other."
            )
        _watches.append(LockWatch(lock))


def watch_claim() -> None:
    """Begin to look after the claim, once; on SQLite the file system keeps it."""
    for watch in _watches:
        watch.ensure_started()


def is_claim_held() -> bool:
    """Whether this process still has its claim, as far as it knows."""
    return all(watch.is_held for watch in _watches)


def exit_if_claim_lost() -> None:
    """Raise SystemExit with a sentence if the process was stopped because it lost its claim."""
    if any(watch.is_stopped for watch in _watches):
        raise SystemExit(STOPPED)


@contextmanager
def migrating() -> Iterator[None]:
    """Lets one process at a time prepare the database and the static files."""
    if connection.vendor == "sqlite":
        yield
        return
    with connect() as line:
        line.execute("SET lock_timeout = 0")
        line.execute("SELECT pg_advisory_lock(%s)", [MIGRATION])
        yield


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
