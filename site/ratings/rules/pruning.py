"""Delete earlier generations that are no longer offered as public files.

A generation holds a row of about 150 bytes for each rated game. The current one is kept, and those
that were current within `KEPT_MS`, at most `MAX_KEPT` together; one that was replaced within the
last `READING_MS` is always kept, because somebody may be reading its pages.
"""

import logging

from django.db import transaction
from django.db.models import Max

from play.domain.clocks import DAY_MS, HOUR_MS, now
from play.storage import leases
from ratings.models import Generation, LeaderboardPass
from ratings.rules.generations import LEASE, LEASE_MS, CannotRefold, delete_unfinished, lock_current

KEPT_MS = 30 * DAY_MS
MAX_KEPT = 10  # with the current one
READING_MS = HOUR_MS
INTERVAL_S = 600.0  # between two looks
log = logging.getLogger("quiver.ratings")


def expired_generations(at: int) -> list[int]:
    """Return the numbers of the generations that are not kept at a time (epoch ms), ascending."""
    made = Generation.objects.filter(made__isnull=False).order_by("-pk").values_list("pk", "made")
    expired, replaced = [], None  # when the generation was replaced; None: it is the current one
    for place, (number, since) in enumerate(made):
        if replaced is not None:
            is_old = replaced <= at - KEPT_MS or place >= MAX_KEPT
            if is_old and replaced <= at - READING_MS:
                expired.append(number)
        replaced = since
    shown = set(
        LeaderboardPass.objects.filter(generation__in=expired).values_list("generation", flat=True)
    )
    return sorted(set(expired) - shown)  # a pass names its generation until the next one is made


def prune(process: str, at: int) -> int:
    """Delete the generations that are not kept, in short transactions; return how many.

    They can no longer be read from the first transaction on. If a process dies between two, the
    next rebuild or pruning deletes the rest. Does nothing while another process makes a generation.
    """
    if not expired_generations(at) and not _is_left_behind():
        return 0
    if not leases.take(LEASE, process, now(), LEASE_MS):
        return 0
    try:
        with transaction.atomic():
            lock_current()
            expired = expired_generations(at)
            Generation.objects.filter(pk__in=expired, is_current=False).update(made=None)
        delete_unfinished(process)
        return len(expired)
    except CannotRefold:  # another process has taken the lease over, and deletes the rest
        log.warning(
            "another process took over while old ratings were deleted",
            extra={"event": "ratings_pruning_taken_over"},
        )
        return 0
    finally:
        leases.give_back(LEASE, process)


def _is_left_behind() -> bool:
    """Return whether there are generations that are being made, or half deleted."""
    return Generation.objects.filter(made=None).exists()


def is_pruned(number: int) -> bool:
    """Return whether a generation was deleted: its number was given, and no row has it."""
    newest = Generation.objects.filter(made__isnull=False).aggregate(newest=Max("pk"))["newest"]
    if newest is None or not 0 < number < newest:
        return False
    return not Generation.objects.filter(pk=number, made__isnull=False).exists()


class PruningTask:
    """The deletion of old generations as a task of workers."""

    name = "ratings-pruning"

    def run(self, process: str, at: int) -> float:
        """Delete expired generations; return the seconds until the next call."""
        prune(process, at)
        return INTERVAL_S

    def give_back(self, process: str) -> None:
        """Hold nothing between two calls."""


TASK = PruningTask()
