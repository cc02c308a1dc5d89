"""The workers as the database knows them, and what there is for them to look at."""

import os
import secrets
import socket

from django.db.models import F

from accounts.models import User
from bots.models import Worker
from play.models import Game

FORGOTTEN = 3_600_000  # ms after its last heartbeat at which a worker's row is deleted
Row = tuple[str, int, bool]  # slug, rev, whether it is an exhibition


def new_name() -> str:
    """A name for this process that no other has."""
    return f"{socket.gethostname()[:32]}-{os.getpid()}-{secrets.token_hex(4)}"


def beat(name: str, is_warm: bool, has_numba: bool, at: int) -> bool:
    """Says that a worker is alive; whether it is the eldest: that one looks after exhibitions.

    The first time it deletes the rows of those that ended long ago without a word.
    """
    beat = {"at": at, "is_warm": is_warm, "has_numba": has_numba}
    if Worker.objects.update_or_create(name=name, defaults=beat)[1]:
        Worker.objects.filter(at__lt=at - FORGOTTEN).delete()
    eldest = Worker.objects.alive(at).order_by("pk").values_list("name", flat=True).first()
    return eldest == name


def leave(name: str) -> None:
    """Says that a worker ends."""
    Worker.objects.filter(name=name).delete()


def games_with_computers() -> list[Row]:
    """What has to be looked at, the most urgent first."""
    games = Game.objects.with_computers().order_by(
        F("exhibition").asc(nulls_first=True), F("deadline").asc(nulls_last=True), "changed"
    )
    rows = games.values_list("slug", "rev", "exhibition")
    return [(slug, rev, exhibition is not None) for slug, rev, exhibition in rows]


def levels() -> dict[int, int]:
    """The level of each computer player, by user."""
    bots = User.objects.filter(is_bot=True).exclude(level=None)
    return dict(bots.values_list("pk", "level"))  # type: ignore[arg-type]
