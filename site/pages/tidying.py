"""What is swept out now and then: sessions that have run out, guests who never played."""

from collections.abc import Callable

from django.utils import timezone

from accounts.departure import forget_guests
from accounts.models import Session
from play.desk import desk

EVERY = 3600.0  # seconds
BATCH = 1_000  # rows in one transaction: play goes on meanwhile


async def tidy() -> None:
    """Sweeps, one small transaction after the other."""
    sweepers: tuple[Callable[[], int], ...] = (forget_sessions, forget_guests)
    for sweep in sweepers:
        while await desk().read(sweep):
            pass


def forget_sessions() -> int:
    """Deletes some sessions that nobody can use any more; how many."""
    old = Session.objects.filter(expire_date__lt=timezone.now())
    keys = list(old.values_list("pk", flat=True)[:BATCH])
    Session.objects.filter(pk__in=keys).delete()
    return len(keys)
