"""Who thinks for which seat. One statement decides it, so two workers never both get one.

Machines whose clocks differ by more than a second may think a turn twice; it is played once all
the same.
"""

from django.db import IntegrityError, transaction
from django.db.models import F, Q

from bots.models import LEASE, Lease
from games.core import Role


def claim(game: int, role: Role, worker: str, at: int) -> int | None:
    """Takes a seat that is free, or was left by a worker that is not heard of any more; one that
    finds a seat under its own name had died and was started again. How many have left it so since
    something was last played; None if it is taken."""
    seat = Lease.objects.filter(game=game, role=role)
    if not seat.exists():
        try:
            with transaction.atomic():
                Lease.objects.create(game_id=game, role=role, worker=worker, until=at + LEASE)
        except IntegrityError:
            return None  # another was faster, or the game has been erased
        return 0
    is_left = Q(until__lt=at) | Q(worker=worker)
    if not seat.filter(is_left).update(worker=worker, until=at + LEASE, left=F("left") + 1):
        return None
    return Lease.objects.get(game=game, role=role).left


def taken_until(game: int, role: Role) -> int:
    """The moment (epoch ms) until which a seat is somebody's; 0 if it is nobody's."""
    until = Lease.objects.filter(game=game, role=role).values_list("until", flat=True)
    return until.first() or 0


def renew(game: int, role: Role, worker: str, at: int) -> bool:
    """Says that the worker still thinks for a seat; whether it is still the worker's."""
    own = Lease.objects.filter(game=game, role=role, worker=worker)
    return bool(own.update(until=at + LEASE))


def give_back(game: int, role: Role, worker: str) -> None:
    """Frees a seat that is the worker's."""
    Lease.objects.filter(game=game, role=role, worker=worker).delete()
