"""End sessions for good: one user's, or everybody's.

Three things end a session. The user's `era` grows, so that a row which comes back (saved
by a request that was under way, or from an older copy of the table) has a wrong hash. The row is
deleted. A revocation, written last, closes open sockets in every process.
"""

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from accounts import revocations, signals
from accounts.models import Session, User

BATCH = 1_000  # rows in one transaction: play goes on meanwhile


def log_out_user(user_id: int) -> int:
    """End every session of a user; return how many there were. A guest cannot come back."""
    with transaction.atomic():
        User.objects.filter(pk=user_id).update(era=F("era") + 1, born_of=None)
        count, _ = Session.objects.filter(user=user_id).delete()
        signals.sessions_ended.send(sender=User, user_id=user_id, keep="")
    return count


def log_out_everybody(guests: bool = False) -> int:
    """End the sessions of all accounts, with `guests` also theirs; return how many there were.

    Sessions in which nobody is logged in end as well. All sockets are closed, because none knows
    whether its user is a guest; pages whose session goes on open theirs again. If this is
    interrupted, it can be run again.
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
    revocations.everybody_ended()
    return count


def _batches(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """The primary keys of rows in ascending order, at most BATCH at a time."""
    rows = rows.order_by("pk")
    keys = list(rows.values_list("pk", flat=True)[:BATCH])
    while keys:
        yield keys
        keys = list(rows.filter(pk__gt=keys[-1]).values_list("pk", flat=True)[:BATCH])
