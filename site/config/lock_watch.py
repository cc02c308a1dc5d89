"""Keep the PostgreSQL lock of this web process, or stop the process.

The lock lives as long as its connection, so a restart of PostgreSQL frees it. A thread looks at the
connection every second and claims the lock again. If another process has claimed it meanwhile, the
two would not hear of each other's changes: this one stops, with a non-zero exit status.
"""

import logging
import os
import signal
import threading
import time
from typing import Any

from django.db import DatabaseError, connection

from accounts.outage_log import note_outage

WEB = 7_160_301  # number of this lock among PostgreSQL's advisory locks
ALONE = "SELECT pg_try_advisory_lock(%s)"
SHARED = "SELECT pg_try_advisory_lock_shared(%s)"
SESSION = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
THAT_SESSION = "FROM pg_stat_activity WHERE pid = %s AND backend_start = %s"
EVERY_S = 1.0  # between two looks at the connection
ENDING_S = 2.0  # for PostgreSQL to end the session that held the lock before
STOPPING_S = 40.0  # for an orderly stop, after which the process is ended at once
STOPPED = "Another web process has claimed the database, so this one has stopped."
log = logging.getLogger("quiver.database")


def connect() -> Any:
    """Return a psycopg connection beside the pool, in autocommit. Raises DatabaseError."""
    import psycopg

    with connection.wrap_database_errors:
        return psycopg.connect(**connection.get_connection_params(), autocommit=True)


class DatabaseLock:
    """An advisory lock of PostgreSQL: of one process alone, or shared by those with one Redis."""

    def __init__(self, is_shared: bool) -> None:
        self.is_shared = is_shared
        self.is_held = False
        self._line: Any = None
        self._session: tuple[Any, Any] | None = None  # pid and start of the one that held it last

    def claim(self) -> bool:
        """Try to get the lock on a new connection; return whether this process has it now.

        First ends the session that held it before: after a broken network it may still be there.
        Raises Django's DatabaseError, also while that session is still ending.
        """
        line = connect()
        with connection.wrap_database_errors:
            try:
                self._end_old_session(line)
                is_held = line.execute(SHARED if self.is_shared else ALONE, [WEB]).fetchone()[0]
                session = line.execute(SESSION).fetchone()
            except BaseException:
                line.close()
                raise
        if not is_held:
            line.close()
            return False
        self._line, self._session, self.is_held = line, session, True
        return True

    def check(self) -> bool:
        """Return whether the connection that holds the lock still works; close it if not."""
        if not self.is_held:
            return False
        try:
            with connection.wrap_database_errors:
                self._line.execute("SELECT 1")
        except DatabaseError:
            self.is_held = False
            self._line.close()
        return self.is_held

    def _end_old_session(self, line: Any) -> None:
        if self._session is None:
            return
        line.execute(f"SELECT pg_terminate_backend(pid) {THAT_SESSION}", self._session)
        by = time.monotonic() + ENDING_S
        while line.execute(f"SELECT 1 {THAT_SESSION}", self._session).fetchone():
            if time.monotonic() > by:
                raise DatabaseError("the session that held the lock before has not ended yet")
            time.sleep(0.05)


class LockWatch:
    """Looks after a lock in a thread of its own: a dead network blocks a query for seconds."""

    def __init__(self, lock: DatabaseLock) -> None:
        self._lock = lock
        self._lost_at: float | None = None  # seconds, monotonic
        self._thread: threading.Thread | None = None
        self._is_failure_logged = False  # since the lock was lost
        self.is_stopped = False  # another process has the lock, and this one is told to stop

    @property
    def is_held(self) -> bool:
        """Whether the lock was held at the last look."""
        return self._lock.is_held

    def ensure_started(self) -> None:
        """Start the thread, once; it does not keep the process from ending."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="quiver-lock", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while not self.is_stopped:
            time.sleep(EVERY_S)
            if not self._lock.check():
                self._claim_again()
        time.sleep(STOPPING_S)
        log.critical("This process did not stop in time and is ended.", extra={"event": "lock_end"})
        os._exit(1)

    def _claim_again(self) -> None:
        if self._lost_at is None:
            self._lost_at = time.monotonic()
        try:
            is_claimed = self._lock.claim()
        except Exception as error:  # whatever it is: the watch goes on
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
        """Stop this process as its server does on SIGTERM; `STOPPED` says why at the end."""
        self.is_stopped = True
        log.critical(
            "The lock of the database was lost when its connection was cut, and another web "
            "process has claimed it. This one stops: without the same REDIS_URL both would show "
            "stale boards. Start one of them only, or give all of them the same REDIS_URL.",
            extra={"event": "lock_lost"},
        )
        os.kill(os.getpid(), signal.SIGTERM)
