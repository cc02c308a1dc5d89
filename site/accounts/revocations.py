"""THE ONLY WRITER of revocations: what every process has to learn of sessions that have ended.

A row stands for one session, or for all sessions of a user but one. Sockets that such a session
has opened are closed by the process that holds them; who writes for a socket looks for newer rows
in the transaction of the write (see `play.permits`). So nothing is done for a session after the
commit of its revocation.
"""

import logging
import time
from typing import Any

from django.db import connection, transaction

from accounts import signals
from accounts.models import Revocation, User

ORDER = 0x51554956  # PostgreSQL's advisory lock: writers alone, those who look for rows together
log = logging.getLogger("quiver.security")


def logged_out(sender: object, request: Any, user: User | None = None, **about: Any) -> None:
    """Django's log-out: the session goes in the same transaction as its revocation is written.

    Django would delete it a moment later; a socket could be opened with it in between.
    """
    key = request.session.session_key if request is not None else None
    if key:
        with transaction.atomic():
            request.session.delete(key)
            signals.session_ended.send(sender=User, session=key)


def session_moved(sender: object, old: str | None, **about: Any) -> None:
    """The old key is worth nothing any more. This process has given its sockets the new one
    already; those of other processes come back with it."""
    _revoke(session=old or "")


def session_ended(sender: object, session: str | None, **about: Any) -> None:
    """One session is over."""
    _revoke(session=session or "")


def sessions_ended(sender: object, user_id: int, keep: str, **about: Any) -> None:
    """All sessions of a user but one are over."""
    _revoke(user=user_id, keep=keep)


def _revoke(session: str = "", user: int | None = None, keep: str = "") -> None:
    """Writes a row. Other writers wait until the running transaction ends, and so do all actions
    in games: call it last in a transaction that waits for nothing."""
    if not session and user is None:
        return
    with transaction.atomic():
        wait_in_order()
        Revocation.objects.create(session=session, user=user, keep=keep, at=_now())
    log.info("sessions revoked", extra={"event": "revocation", "user": user})


def wait_in_order() -> None:
    """Waits until those who write, or look for, revocations have committed; until the transaction
    ends they wait in turn. SQLite has one writer at a time anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ORDER])


def forget_old(days: int = 7) -> None:
    """Deletes rows that no socket can be older than."""
    Revocation.objects.filter(at__lt=_now() - days * 24 * 3600 * 1000).delete()


def _now() -> int:
    return time.time_ns() // 1_000_000
