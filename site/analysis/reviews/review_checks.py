"""Leases of published reviews whose spot check is due, and the results of the checks."""

import secrets
from typing import Final

from django.db.models import F

from analysis.reviews.models import Review, ReviewQuerySet
from analysis.reviews.reviews import ENGINES, digest_of

CHECKED_POSITIONS: Final = 2
LEASE_MS: Final = 60_000  # extended with each position
MAX_TRIES: Final = 5  # a worker that dies or fails counts


def claim(worker: str, at: int) -> Review | None:
    """Return the review that has waited longest, leased to a worker; None if none waits.

    Reviews by another build of the engine cannot be checked.
    """
    builds = {digest_of(key) for key in ENGINES}
    free = Review.objects.unchecked().filter(
        digest__in=builds, game__rules__in=ENGINES, until__lt=at, tries__lt=MAX_TRIES
    )
    row = free.select_related("game").order_by("created", "pk").first()
    if row is None:
        return None
    # A review with more nodes may have taken its place.
    mine = Review.objects.unchecked().filter(pk=row.pk, until=row.until, created=row.created)
    taken = mine.update(worker=worker, until=at + LEASE_MS, tries=F("tries") + 1)
    return row if taken else None


def draw_positions(count: int) -> list[int]:
    """Return the unpredictable indices of some of `count` positions."""
    drawn = secrets.SystemRandom().sample(range(count), min(count, CHECKED_POSITIONS))
    return sorted(drawn)


def extend(row: Review, worker: str, at: int) -> bool:
    """Extend the lease of a worker; return whether it still has it."""
    return bool(_held(row, worker).update(until=at + LEASE_MS))


def save(row: Review, worker: str, positions: list[int]) -> None:
    """Note which positions were recomputed and equal, unless the worker has lost the lease."""
    _held(row, worker).update(checked=" ".join(map(str, positions)), worker="", until=0)


def discard(row: Review, worker: str) -> bool:
    """Delete a review that differs; return whether the worker still had the lease."""
    return bool(_held(row, worker).delete()[0])


def give_back(row: Review, worker: str, *, has_failed: bool) -> None:
    """End the lease of a worker; an interrupted run does not count as a try."""
    tries = F("tries") - (0 if has_failed else 1)
    _held(row, worker).update(worker="", until=0, tries=tries)


def _held(row: Review, worker: str) -> ReviewQuerySet:
    """Return the row of a review as a query that is empty once another has taken its place."""
    return Review.objects.leased_to(worker).filter(pk=row.pk, nodes=row.nodes, created=row.created)
