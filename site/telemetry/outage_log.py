"""Log the beginning and the end of an outage of the database or of Redis.

All code that fails during an outage reports here instead of logging by itself, so that the log of a
process has two lines for it, however many requests and background tasks failed.
"""

import logging
import threading
import time

from django.db import DatabaseError, InterfaceError, OperationalError

QUIET_S = 5.0  # seconds without a failure after which a working database ends the outage
SQLITE_BUGS = (1, 21)  # primary result codes of SQLite: wrong SQL or a missing table, misuse
SQLITE_KINDS = {
    5: "locked",
    6: "locked",
    8: "read_only",
    10: "io_error",
    11: "corrupt",
    13: "disk_full",
    14: "cannot_open",
    26: "corrupt",
}
POSTGRES_KINDS = {"53100": "disk_full", "25006": "read_only", "55P03": "locked", "53300": "busy"}
# Classes and codes of PostgreSQL's errors after which the connection is closed: it was lost, the
# server shuts down, the transaction was idle for too long.
CONNECTION_LOST = ("08", "57P", "25P03")
# PostgreSQL's codes that psycopg maps to InternalError although the server failed: the
# transaction is read-only, or it was ended because it was idle.
SERVER_STATES = ("25006", "25P03")
ADVICE = {
    "disk_full": "Free space on the disk of the database.",
    "locked": "End the program that keeps the database locked.",
    "read_only": "Make the database writable for the user who runs the site.",
    "cannot_open": "Check that the data folder is there, and who may write in it.",
    "io_error": "Check the disk of the database.",
    "corrupt": "Stop the site and restore the database from a backup.",
    "busy": "Raise max_connections of PostgreSQL, or lower QUIVER_POOL.",
    "unreachable": "Check that the database server runs, and DATABASE_URL.",
    "layer": "Check that Redis runs, and REDIS_URL. Until then pages show changes of other web "
    "processes a second late.",
    "redis": "Check that Redis runs, and REDIS_URL. Until then each process limits by itself.",
}


class OutageLog:
    """The outage of one service, as this process sees it. All methods may be called by any thread.

    `name` begins the events (`database_unavailable`, `database_available`), `title` the messages.
    """

    def __init__(self, title: str, name: str, logger: str) -> None:
        self._title = title
        self._events = f"{name}_unavailable", f"{name}_available"
        self._log = logging.getLogger(logger)
        self._lock = threading.Lock()
        self._began = 0.0  # seconds on the monotonic clock
        self._failed = 0.0  # the same, of the newest failure
        self._refused = 0
        self.kind = ""  # key of ADVICE, of the newest failure
        self.is_open = False  # logged as begun, not yet as ended
        self.is_failing = False  # the newest report was a failure

    def fail(self, kind: str, error: BaseException, refused: int = 0) -> None:
        """Count a failure that refused so many requests; log it if it is the first one.

        `kind` is a key of ADVICE. Of the error only the class is logged: its text may name hosts.
        """
        with self._lock:
            self._failed, self.kind, self.is_failing = time.monotonic(), kind, True
            is_first = not self.is_open
            if is_first:
                self.is_open, self._began, self._refused = True, self._failed, 0
            self._refused += refused
        if is_first:
            self._log.error(
                "%s is unavailable (%s, %s). %s Further failures are not logged until it is back.",
                self._title,
                kind,
                type(error).__name__,
                ADVICE[kind],
                extra={"event": self._events[0], "kind": kind},
            )

    def refuse(self) -> None:
        """Count a request that was refused without asking the service."""
        with self._lock:
            self._refused += 1

    def succeed(self, quiet_s: float = 0.0) -> None:
        """Report that the service works, which ends an outage that has had no failure for `quiet_s`
        seconds; that is logged."""
        with self._lock:
            now, self.is_failing = time.monotonic(), False
            if not self.is_open or now - self._failed < quiet_s:
                return
            self.is_open = False
            seconds, refused = now - self._began, self._refused
        self._log.warning(
            "%s is available again after %.1f s. Requests refused meanwhile: %d.",
            self._title,
            seconds,
            refused,
            extra={"event": self._events[1]},
        )


DATABASE = OutageLog("The database", "database", "quiver.database")
LAYER = OutageLog("The channel layer", "layer", "quiver.play")
REDIS = OutageLog("Redis", "redis", "quiver.config")


def note_outage(error: BaseException, refused: int = 0) -> bool:
    """Report an error if it is an outage of the database; return whether it is.

    The caller logs all other errors, which are bugs.
    """
    kind = outage_kind(error)
    if kind:
        DATABASE.fail(kind, error, refused)
    return bool(kind)


def outage_kind(error: BaseException) -> str:
    """Return why the database is unavailable, a key of ADVICE; empty if the error is a bug.

    SQLite raises OperationalError for wrong SQL and missing tables too, and a plain DatabaseError
    for a damaged file.
    """
    if not isinstance(error, DatabaseError | InterfaceError):
        return ""
    is_operational = isinstance(error, OperationalError | InterfaceError)
    sqlite_code = getattr(error.__cause__, "sqlite_errorcode", None)
    if sqlite_code is not None:
        code = sqlite_code & 0xFF
        if code in SQLITE_BUGS:
            return ""
        return SQLITE_KINDS.get(code, "io_error" if is_operational else "")
    sqlstate = getattr(error.__cause__, "sqlstate", None)
    if not is_operational and sqlstate not in SERVER_STATES:
        return ""
    if sqlstate in POSTGRES_KINDS:
        return POSTGRES_KINDS[sqlstate]
    # A deadlock or a query that was cancelled is no outage: the server works.
    return "unreachable" if is_connection_lost(sqlstate) else ""


def is_connection_lost(sqlstate: str | None) -> bool:
    """Return whether the connection is gone after an error of PostgreSQL; None is an error without
    a code, which psycopg raises when the server does not answer."""
    return sqlstate is None or sqlstate.startswith(CONNECTION_LOST)
