"""End sessions, and write the revocations that notify every process.

Three writes end all sessions of a user. The user's `era` grows, so that a row which reappears
(saved by a pending request, or restored from a backup) has a wrong hash. The row is deleted. A
revocation, written last, closes open sockets in every process.

A revocation stands for one session, for all sessions of a user but one, or for everybody's
sessions; sessions are named by the digests of their keys (see `sessions`). Each process closes the
sockets that such sessions have opened (see `play.runtime.session_watch`).
"""

import logging
import time
from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet

from accounts.models import Revocation, Session, User
from accounts.observers import observers

BATCH_ROWS = 1_000  # in one transaction, so that play goes on meanwhile
WRITERS_LOCK_ID = 0x51554956  # of PostgreSQL: ids are committed in order, so readers miss none
log = logging.getLogger("quiver.security")


def log_out_user(user_id: int) -> int:
    """End every session of a user; return their number. A guest cannot log in again."""
    with transaction.atomic():
        User.objects.filter(pk=user_id).update(era=F("era") + 1, born_of=None)
        count, _ = Session.objects.filter(user=user_id).delete()
        end_sessions(user_id)
    return count


def log_out_everybody(guests: bool = False) -> int:
    """End the sessions of all accounts, with `guests` also theirs; return their number.

    Sessions without a user end as well. All sockets are closed, because none knows whether its
    user is a guest; pages whose session goes on reconnect. It can be run again after an
    interruption.
    """
    users, sessions = User.objects.filter(is_bot=False), Session.objects.all()
    if not guests:
        kept = User.objects.filter(is_guest=True)
        users = users.filter(is_guest=False)
        sessions = sessions.exclude(user__in=kept.values("pk"))
    for keys in _batches(users):
        User.objects.filter(pk__in=keys).update(era=F("era") + 1, born_of=None)
    count = 0
    for keys in _batches(sessions):
        count += Session.objects.filter(pk__in=keys).delete()[0]
    write_revocation(everybody=True)
    return count


def _batches(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """Yield the primary keys of rows in ascending order, at most BATCH_ROWS at a time."""
    rows = rows.order_by("pk")
    keys = list(rows.values_list("pk", flat=True)[:BATCH_ROWS])
    while keys:
        yield keys
        keys = list(rows.filter(pk__gt=keys[-1]).values_list("pk", flat=True)[:BATCH_ROWS])


def delete_session(sender: object, request: Any, user: User | None = None, **about: Any) -> None:
    """Delete the session of a log-out, in the transaction of its revocation.

    Django would delete it only later; a socket could be opened with it in between.
    """
    digest = request.session.digest if request is not None else None
    if digest:
        with transaction.atomic():
            request.session.delete()
            end_session(digest)


def move_session(old: str | None, new: str | None) -> None:
    """Go on with a session under a new key, if there was one: tell observers, revoke the old one.

    The sockets of this process have the new digest then; those of other processes are closed, and
    their pages open new ones with the new key.
    """
    if old and new:
        for observer in observers():
            observer.session_moved(old, new)
        write_revocation(session=old)


def end_session(digest: str) -> None:
    """Tell observers of the end of a session, and revoke it; the caller deletes its row."""
    for observer in observers():
        observer.session_ended(digest)
    write_revocation(session=digest)


def end_sessions(user_id: int, keep: str = "") -> None:
    """Tell observers of the end of a user's sessions but `keep`, and revoke them."""
    for observer in observers():
        observer.sessions_ended(user_id, keep)
    write_revocation(user=user_id, keep=keep)


def write_revocation(
    session: str = "", user: int | None = None, keep: str = "", everybody: bool = False
) -> None:
    """Write a row. Other writers wait until the running transaction ends, so call it last.

    Pages whose session goes on reopen their sockets by themselves.
    """
    with transaction.atomic():
        _wait_for_writers()
        Revocation.objects.create(
            session=session, user=user, keep=keep, everybody=everybody, at=_now()
        )
    say = "all sessions revoked" if everybody else "sessions revoked"
    log.info(say, extra={"event": "revocation", "user": user})


def _wait_for_writers() -> None:
    """Take the lock of writers, which is held until the transaction ends.

    Does nothing on SQLite, which has one writer at a time.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITERS_LOCK_ID])


def forget_old(days: int = 7) -> None:
    """Delete rows that are older than any socket can be."""
    Revocation.objects.filter(at__lt=_now() - days * 24 * 3600 * 1000).delete()


def _now() -> int:
    return time.time_ns() // 1_000_000
