"""Workers: heartbeats, leases of seats, and queries for their games and levels.

One conditional update grants a lease, so two workers never hold the same one. Workers on machines
whose clocks differ by more than a second may both think about a step; it is played once.
"""

import os
import secrets
import socket
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q, QuerySet

from accounts.models import User
from bots.models import LEASE_MS, Lease, Worker
from games.core import Role
from play.models import Entry, Game

FORGET_AFTER_MS = 3_600_000  # after its last heartbeat a worker's row is deleted
# PostgreSQL may commit entries out of the order of their ids: so many are read again.
OVERLAP_ENTRIES = 500


class Row(NamedTuple):
    """A game of computer players."""

    slug: str
    rev: int
    is_exhibition: bool
    is_running: bool


def new_name() -> str:
    """Return a unique name for this process."""
    return f"{socket.gethostname()[:32]}-{os.getpid()}-{secrets.token_hex(4)}"


def write_heartbeat(name: str, is_warm: bool, has_numba: bool, at: int) -> bool:
    """Write a worker's heartbeat; return whether it is the eldest, which runs the exhibitions.

    The first heartbeat of a worker deletes the rows of workers that crashed long ago.
    """
    beat = {"at": at, "is_warm": is_warm, "has_numba": has_numba}
    if Worker.objects.update_or_create(name=name, defaults=beat)[1]:
        Worker.objects.filter(at__lt=at - FORGET_AFTER_MS).delete()
    eldest = Worker.objects.alive(at).order_by("pk").values_list("name", flat=True).first()
    return eldest == name


def remove_worker(name: str) -> None:
    """Delete the row of a worker that ends."""
    Worker.objects.filter(name=name).delete()


def games_with_computers() -> list[Row]:
    """Return the running games of computer players, the most urgent first."""
    games = Game.objects.with_computers().order_by(
        F("exhibition").asc(nulls_first=True), F("deadline").asc(nulls_last=True), "changed"
    )
    return _rows_of(games)


def changed_games(after: int) -> list[Row]:
    """Return the games of computer players that have one of the newest ledger entries.

    These are the entries with an id above `after`, and the last `OVERLAP_ENTRIES` before. Games
    that have ended are among them.
    """
    entries = Entry.objects.filter(pk__gt=after - OVERLAP_ENTRIES)
    return _rows_of(Game.objects.filter(has_bot=True, pk__in=entries.values("game")))


def newest_entry() -> int:
    """Return the id of the newest ledger entry of all games; 0 before the first."""
    return Entry.objects.aggregate(newest=Max("pk"))["newest"] or 0


def _rows_of(games: QuerySet[Game]) -> list[Row]:
    rows = games.values_list("slug", "rev", "exhibition", "ended")
    return [Row(slug, rev, shown is not None, ended is None) for slug, rev, shown, ended in rows]


def levels() -> dict[int, int]:
    """Return the level of each computer player, by user."""
    bots = User.objects.filter(is_bot=True).exclude(level=None)
    return dict(bots.values_list("pk", "level"))  # type: ignore[arg-type]


def claim(game: int, role: Role, worker: str, at: int) -> int | None:
    """Lease a seat that is free, or whose lease has expired, at `at` (epoch ms).

    A lease under the worker's own name is left from before the worker died and was restarted.
    Returns how many leases of the seat were lost in a row since its last action; None if another
    worker holds it.
    """
    seat = Lease.objects.filter(game=game, role=role)
    if not seat.exists():
        try:
            with transaction.atomic():
                Lease.objects.create(game_id=game, role=role, worker=worker, until=at + LEASE_MS)
        except IntegrityError:
            return None  # another worker was faster, or the game was deleted
        return 0
    is_left = Q(until__lt=at) | Q(worker=worker)
    if not seat.filter(is_left).update(worker=worker, until=at + LEASE_MS, left=F("left") + 1):
        return None
    return Lease.objects.get(game=game, role=role).left


def held_by_others(worker: str, at: int) -> set[tuple[int, str]]:
    """Return the seats, by game and role, that other workers hold at `at` (epoch ms)."""
    leases = Lease.objects.filter(until__gte=at).exclude(worker=worker)
    return {(game, role) for game, role in leases.values_list("game", "role")}


def lease_end(game: int, role: Role) -> int:
    """Return when the lease of a seat ends (epoch ms); 0 if there is none."""
    until = Lease.objects.filter(game=game, role=role).values_list("until", flat=True)
    return until.first() or 0


def renew(game: int, role: Role, worker: str, at: int) -> bool:
    """Extend a worker's lease; return whether the worker still holds it."""
    own = Lease.objects.filter(game=game, role=role, worker=worker)
    return bool(own.update(until=at + LEASE_MS))


def give_back(game: int, role: Role, worker: str) -> None:
    """Delete a worker's lease of a seat."""
    Lease.objects.filter(game=game, role=role, worker=worker).delete()
