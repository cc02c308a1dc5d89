"""Animations of ended games: the queue of requests, and the finished animations.

A game has one row, for the hash of its newest entry; with another hash it is made again.
"""

from typing import Literal

from django.db.models import F, Q

from bots.models import Animation
from play.domain.game_state import GameState

State = Literal["made", "waiting", "failed"]
MAX_WAITING = 20  # games; above that nothing more is queued
MAX_TRIES = 2  # a worker that dies or fails counts
LEASE_MS = 120_000  # another worker may take it after that
WAIT_LIMIT_MS = 3_600_000  # older requests are abandoned
KEPT_MS = 30 * 24 * 3_600_000
MAX_KEPT_BYTES = 64_000_000  # of all games


class QueueFull(Exception):
    """Too many games wait for their animation."""


def state_of(game: GameState, at: int) -> State | None:
    """Return the state of the game's animation at `at` (epoch ms); None if not requested.

    An animation made at another hash does not count.
    """
    row = Animation.objects.filter(game=game.id, head=game.head).defer("webp").first()
    if row is None:
        return None
    if row.made is not None:
        return "made"
    is_being_made = row.worker != "" and row.until >= at
    return "failed" if row.tries >= MAX_TRIES and not is_being_made else "waiting"


def queue(game: GameState, at: int) -> None:
    """Queue a game at `at` (epoch ms). Raises QueueFull."""
    if Animation.objects.waiting().filter(tries__lt=MAX_TRIES).count() >= MAX_WAITING:
        raise QueueFull
    fresh = {"head": game.head, "asked": at, "made": None, "webp": b"", "size": 0}
    free = {"tries": 0, "worker": "", "until": 0}
    Animation.objects.update_or_create(game_id=game.id, defaults={**fresh, **free})


def read(game: GameState) -> bytes | None:
    """Return the animation of the game as it stands; None if it has not been made."""
    row = Animation.objects.filter(game=game.id, head=game.head, made__isnull=False).first()
    return bytes(row.webp) if row else None


def claim(worker: str, at: int) -> Animation | None:
    """Return the game that has waited longest, leased to a worker; None if none waits."""
    free = Animation.objects.waiting().filter(until__lt=at, tries__lt=MAX_TRIES)
    for row in free.select_related("game").defer("webp").order_by("asked")[:1]:
        mine = free.filter(pk=row.pk, head=row.head)
        if mine.update(worker=worker, until=at + LEASE_MS, tries=F("tries") + 1):
            return row
    return None


def save(row: Animation, worker: str, webp: bytes, at: int) -> None:
    """Store an animation, unless another worker has the lease or the game has changed."""
    own = Animation.objects.filter(pk=row.pk, head=row.head, worker=worker)
    own.update(made=at, webp=webp, size=len(webp), worker="", until=0)


def give_back(row: Animation, worker: str, *, has_failed: bool) -> None:
    """End the lease of a worker; an interrupted run does not count as a try."""
    own = Animation.objects.filter(pk=row.pk, worker=worker)
    own.update(worker="", until=0, tries=F("tries") - (0 if has_failed else 1))


def forget_old(at: int) -> None:
    """Delete expired animations, and the oldest above `MAX_KEPT_BYTES`."""
    unwanted = Q(made=None, asked__lt=at - WAIT_LIMIT_MS) | Q(made__lt=at - KEPT_MS)
    Animation.objects.filter(unwanted).delete()
    total, doomed = 0, []
    for pk, size in Animation.objects.order_by("-made", "-pk").values_list("pk", "size"):
        total += size
        if total > MAX_KEPT_BYTES and size:
            doomed.append(pk)
    Animation.objects.filter(pk__in=doomed).delete()
