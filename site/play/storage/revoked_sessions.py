"""Read session revocations, to close the sockets that ended sessions have opened."""

from typing import Any

from django.db import connection

from play.domain.socket_session import Revoked

NEWER_SQL = """
SELECT id, session, "user", keep, everybody FROM accounts_revocation WHERE id > %s ORDER BY id"""
NEWEST_SQL = "SELECT COALESCE(MAX(id), 0) FROM accounts_revocation"


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


def _rows(cursor: Any) -> list[Revoked]:
    return [
        Revoked(id, session, user, keep, bool(everybody))  # SQLite has no booleans
        for id, session, user, keep, everybody in cursor.fetchall()
    ]
