"""Leases: locks that let one process at a time do a kind of periodic work.

A lease is a row that its holder extends; any process may take it once it has run out.
"""

from django.db import IntegrityError, transaction
from django.db.models import Q

from play.process_models import Lease


def take(name: str, process: str, at: int, duration_ms: int) -> bool:
    """Take or extend a lease at `at` (epoch ms); return whether the process holds it.

    It is extended only after half of it has passed, because each commit triggers a poll of all
    topics.
    """
    row = Lease.objects.filter(pk=name)
    if row.filter(process=process, until__gt=at + duration_ms // 2).exists():
        return True
    until = at + duration_ms
    if row.filter(Q(until__lt=at) | Q(process=process)).update(process=process, until=until):
        return True
    if row.exists():
        return False
    try:
        with transaction.atomic():
            Lease.objects.create(name=name, process=process, until=until)
    except IntegrityError:
        return False  # another process was faster
    return True


def give_back(name: str, process: str) -> None:
    """Give a lease back, so that another process need not wait for its end."""
    Lease.objects.filter(pk=name, process=process).update(until=0)
