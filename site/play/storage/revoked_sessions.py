"""Read session revocations, for writes on behalf of a socket."""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from accounts import revocations
from play.domain.refusals import Reason, Refused
from play.domain.socket_session import Revoked, SocketSession

NEWER_SQL = """
SELECT id, session, "user", keep, everybody FROM accounts_revocation WHERE id > %s ORDER BY id"""
# One round trip, but two statements: a single one would see only rows committed before it began to
# wait for the lock.
LOCK_SQL = f"SELECT pg_advisory_xact_lock_shared({revocations.REVOCATION_LOCK_ID})"
NEWER_IN_ORDER_SQL = f"{LOCK_SQL};{NEWER_SQL}"
NEWEST_SQL = "SELECT COALESCE(MAX(id), 0) FROM accounts_revocation"


def revoked_indices(permits: Sequence[SocketSession | None]) -> set[int]:
    """Return the indices of permissions that have been revoked.

    No other revocation is committed until the running transaction has ended.
    """
    held = [permit for permit in permits if permit is not None]
    if not held:
        return set()
    rows = _newer_in_order(min(permit.since for permit in held))
    return {
        index
        for index, permit in enumerate(permits)
        if permit is not None and any(row.ends(permit) for row in rows)
    }


def require_unrevoked(permit: SocketSession) -> None:
    """Raise `Refused` for a revoked permission; call it inside the transaction of a write."""
    if revoked_indices([permit]):
        raise Refused(Reason.SIGNED_OUT)


def newer(since: int) -> list[Revoked]:
    """Return the revocations with an id above `since`, the oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(NEWER_SQL, [since])
        return _rows(cursor)


def newest() -> int:
    """Return the id of the newest revocation; 0 before the first."""
    with connection.cursor() as cursor:
        cursor.execute(NEWEST_SQL)
        return int(cursor.fetchone()[0])


def _newer_in_order(since: int) -> list[Revoked]:
    """Return `newer(since)` after waiting for running writers of revocations.

    New writers wait until the running transaction ends. SQLite has only one writer at a time.
    """
    if connection.vendor != "postgresql":
        return newer(since)
    with connection.cursor() as cursor:
        cursor.execute(NEWER_IN_ORDER_SQL, [since])
        cursor.nextset()
        return _rows(cursor)


def _rows(cursor: Any) -> list[Revoked]:
    return [
        Revoked(id, session, user, keep, bool(everybody))  # SQLite has no booleans
        for id, session, user, keep, everybody in cursor.fetchall()
    ]
