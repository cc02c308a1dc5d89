"""Allow one web process for each database, unless all web processes share Redis.

The lock is on a file beside the SQLite file, or an advisory lock that a connection to PostgreSQL
holds. Both are freed when the process ends, even if it is killed.

PostgreSQL's lock lives as long as its connection, so a restart of PostgreSQL frees it. A thread
checks the connection every second and claims the lock again. If another process has claimed it
meanwhile, this one stops with a non-zero exit status, because the two would not get each other's
changes.
"""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.db import DatabaseError, connection

from telemetry.outage_log import note_outage

WEB_LOCK_ID = 7_160_301  # number of this lock among PostgreSQL's advisory locks
ALONE = "SELECT pg_try_advisory_lock(%s)"
SHARED = "SELECT pg_try_advisory_lock_shared(%s)"
SESSION = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
THAT_SESSION = "FROM pg_stat_activity WHERE pid = %s AND backend_start = %s"
CHECK_INTERVAL_S = 1.0
SESSION_END_TIMEOUT_S = 2.0  # for PostgreSQL to end the session that held the lock before
STOP_TIMEOUT_S = 40.0  # for an orderly stop, after which the process is ended at once
STOPPED = "Another web process has claimed the database, so this one has stopped."
log = logging.getLogger("quiver.database")


def connect() -> Any:
    """Return a psycopg connection beside the pool, in autocommit. Raises DatabaseError."""
    import psycopg

    with connection.wrap_database_errors:
        return psycopg.connect(**connection.get_connection_params(), autocommit=True)


class DatabaseLock:
    """An advisory lock of PostgreSQL: exclusive, or shared by processes with the same Redis."""

    def __init__(self, is_shared: bool) -> None:
        self.is_shared = is_shared
        self.is_held = False
        self._connection: Any = None
        self._session: tuple[Any, Any] | None = None  # pid and start of the last holder

    def claim(self) -> bool:
        """Try to get the lock on a new connection; return whether this process has it now.

        First ends the session that held it before: after a broken network it may still be there.
        Raises Django's DatabaseError, also while that session is still ending.
        """
        fresh = connect()
        with connection.wrap_database_errors:
            try:
                self._end_old_session(fresh)
                is_held = fresh.execute(
                    SHARED if self.is_shared else ALONE, [WEB_LOCK_ID]
                ).fetchone()[0]
                session = fresh.execute(SESSION).fetchone()
            except BaseException:
                fresh.close()
                raise
        if not is_held:
            fresh.close()
            return False
        self._connection, self._session, self.is_held = fresh, session, True
        return True

    def check(self) -> bool:
        """Return whether the connection that holds the lock still works; close it if not."""
        if not self.is_held:
            return False
        try:
            with connection.wrap_database_errors:
                self._connection.execute("SELECT 1")
        except DatabaseError:
            self.is_held = False
            self._connection.close()
        return self.is_held

    def _end_old_session(self, fresh: Any) -> None:
        if self._session is None:
            return
        fresh.execute(f"SELECT pg_terminate_backend(pid) {THAT_SESSION}", self._session)
        by = time.monotonic() + SESSION_END_TIMEOUT_S
        while fresh.execute(f"SELECT 1 {THAT_SESSION}", self._session).fetchone():
            if time.monotonic() > by:
                raise DatabaseError("the session that held the lock before has not ended yet")
            time.sleep(0.05)


class LockWatch:
    """Checks a lock in a thread of its own: a dead network blocks a query for seconds."""

    def __init__(self, lock: DatabaseLock) -> None:
        self._lock = lock
        self._lost_at: float | None = None  # seconds, monotonic
        self._thread: threading.Thread | None = None
        self._is_failure_logged = False  # since the lock was lost
        self.is_stopped = False  # another process has the lock, and this one has to stop

    @property
    def is_held(self) -> bool:
        """Whether the lock was held at the last check."""
        return self._lock.is_held

    def ensure_started(self) -> None:
        """Start the thread, once; it does not keep the process from ending."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="quiver-lock", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while not self.is_stopped:
            time.sleep(CHECK_INTERVAL_S)
            if not self._lock.check():
                self._claim_again()
        time.sleep(STOP_TIMEOUT_S)
        log.critical("This process did not stop in time and is ended.", extra={"event": "lock_end"})
        os._exit(1)

    def _claim_again(self) -> None:
        if self._lost_at is None:
            self._lost_at = time.monotonic()
        try:
            is_claimed = self._lock.claim()
        except Exception as error:  # any error: the watch goes on
            if not note_outage(error) and not self._is_failure_logged:
                self._is_failure_logged = True
                log.exception(
                    "The lock of the database cannot be claimed; trying every second.",
                    extra={"event": "lock_not_claimed"},
                )
            return
        if not is_claimed:
            self._stop()
            return
        log.warning(
            "The connection that held the lock of the database was cut. "
            "The lock was claimed again %.1f s after that was noticed.",
            time.monotonic() - self._lost_at,
            extra={"event": "lock_claimed_again"},
        )
        self._lost_at, self._is_failure_logged = None, False

    def _stop(self) -> None:
        """Stop this process by SIGTERM; `STOPPED` is its last message."""
        self.is_stopped = True
        log.critical(
            "The lock of the database was lost when its connection was cut, and another web "
            "process has claimed it. This one stops: without the same REDIS_URL both would show "
            "stale boards. Start one of them only, or give all of them the same REDIS_URL.",
            extra={"event": "lock_lost"},
        )
        os.kill(os.getpid(), signal.SIGTERM)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Claimed(RuntimeError):
    """Another web process has claimed this database."""


MIGRATION_LOCK_ID = 7_160_302  # number of this lock among PostgreSQL's advisory locks
_held: dict[Path, IO[str]] = {}
_watches: list[LockWatch] = []  # of the lock in PostgreSQL, once it is claimed


def claim_database(has_layer: bool) -> None:
    """Claim the site's database for this web process; a second call does nothing. Raises `Claimed`.

    Without a channel layer a process reaches its own sockets only: a second one would show stale
    boards.
    """
    if connection.vendor == "sqlite":
        claim(Path(connection.settings_dict["NAME"]))
    elif not _watches:
        lock = DatabaseLock(is_shared=has_layer)
        if not lock.claim():
            raise Claimed(
                "Another server without REDIS_URL already runs on this database. "
                "Stop it, or give all of them the same REDIS_URL."
                if has_layer
                else "Another server already runs on this database. Stop it, or give all of them "
                "the same REDIS_URL, by which they hear of each other."
            )
        _watches.append(LockWatch(lock))


def watch_claim() -> None:
    """Begin to watch the claim, once; on SQLite the file system keeps it."""
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
def hold_migration_lock() -> Iterator[None]:
    """Hold the lock under which one process at a time prepares the database and static files."""
    if connection.vendor == "sqlite":
        yield
        return
    with connect() as session:
        session.execute("SET lock_timeout = 0")
        session.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK_ID])
        yield


def claim(database: Path) -> None:
    """Claim a database file for this process; a second call does nothing. Raises `Claimed`."""
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
