"""What the database has of revocations, for those who write for a socket."""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from accounts import revocations
from play.permit import Permit, Revoked
from play.refusals import Reason, Refused

NEWER = """
SELECT id, session, "user", keep, everybody FROM accounts_revocation WHERE id > %s ORDER BY id"""
# One round trip, but two statements: a single one would see only what had been committed before it
# began to wait.
NEWER_IN_ORDER = f"SELECT pg_advisory_xact_lock_shared({revocations.ORDER});{NEWER}"
NEWEST = "SELECT COALESCE(MAX(id), 0) FROM accounts_revocation"


def ended(permits: Sequence[Permit | None]) -> set[int]:
    """The indices of permits that have been revoked. Until the running transaction has ended,
    nobody commits another revocation."""
    held = [permit for permit in permits if permit is not None]
    if not held:
        return set()
    rows = _newer_in_order(min(permit.since for permit in held))
    return {
        index
        for index, permit in enumerate(permits)
        if permit is not None and any(row.ends(permit) for row in rows)
    }


def demand(permit: Permit) -> None:
    """Raises Refused for a permit that has been revoked; inside the transaction of a write."""
    if ended([permit]):
        raise Refused(Reason.SIGNED_OUT)


def newer(since: int) -> list[Revoked]:
    """The revocations after one, the oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(NEWER, [since])
        return _rows(cursor)


def newest() -> int:
    """The id of the newest revocation; 0 before the first."""
    with connection.cursor() as cursor:
        cursor.execute(NEWEST)
        return int(cursor.fetchone()[0])


def _newer_in_order(since: int) -> list[Revoked]:
    """The same, once those who write revocations have committed; until the running transaction
    ends they wait in turn. SQLite has one writer at a time anyway."""
    if connection.vendor != "postgresql":
        return newer(since)
    with connection.cursor() as cursor:
        cursor.execute(NEWER_IN_ORDER, [since])
        cursor.nextset()
        return _rows(cursor)


def _rows(cursor: Any) -> list[Revoked]:
    return [
        Revoked(id, session, user, keep, bool(everybody))  # SQLite has no booleans
        for id, session, user, keep, everybody in cursor.fetchall()
    ]
