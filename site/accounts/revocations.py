"""The only writer of revocations, by which every process learns that sessions have ended.

A row stands for one session, for all sessions of a user but one, or for everybody's sessions;
sessions are named by the digests of their keys (see `accounts.sessions`). Each process closes the
sockets that such sessions have opened; a write for a socket looks for newer rows in its own
transaction (see `play.permits`). So nothing is done for a session after its revocation's commit.
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
    """Delete the session that logs out, in the transaction that writes its revocation.

    Django would delete it a moment later; a socket could be opened with it in between.
    """
    digest = request.session.digest if request is not None else None
    if digest:
        with transaction.atomic():
            request.session.delete()
            signals.session_ended.send(sender=User, session=digest)


def session_moved(sender: object, old: str | None, **about: Any) -> None:
    """Revoke the old digest. The sockets of this process have the new one already; those of other
    processes are closed, and their pages open new ones with the new key."""
    _revoke(session=old or "")


def session_ended(sender: object, session: str | None, **about: Any) -> None:
    """One session is over."""
    _revoke(session=session or "")


def sessions_ended(sender: object, user_id: int, keep: str, **about: Any) -> None:
    """All sessions of a user but one are over."""
    _revoke(user=user_id, keep=keep)


def everybody_ended() -> None:
    """Revoke all sessions. Pages whose session goes on open their sockets again by themselves."""
    _revoke(everybody=True)


def _revoke(
    session: str = "", user: int | None = None, keep: str = "", everybody: bool = False
) -> None:
    """Writes a row. Other writers wait until the running transaction ends, and so do all actions
    in games: call it last in a transaction that waits for nothing."""
    if not (session or user is not None or everybody):
        return
    with transaction.atomic():
        wait_in_order()
        Revocation.objects.create(
            session=session, user=user, keep=keep, everybody=everybody, at=_now()
        )
    say = "all sessions revoked" if everybody else "sessions revoked"
    log.info(say, extra={"event": "revocation", "user": user})


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
