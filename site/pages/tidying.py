"""Delete expired sessions, closed lobbies without a game and guests who never played."""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from accounts import signals
from accounts.departure import forget_guests
from accounts.models import Session, User
from accounts.staff_sessions import is_staff_session
from lobby.services import forget_unplayed
from play.desk import desk

EVERY = 3600.0  # seconds between two sweeps of guests
SESSIONS_EVERY_S = 60.0  # the same of sessions: a socket of staff outlives its session by as much
BATCH = 1_000  # rows in one transaction: play goes on meanwhile


async def tidy() -> None:
    """Delete unplayed lobbies and forgotten guests, one small transaction after the other."""
    await _until_done(forget_lobbies)
    await _until_done(forget_guests)


async def tidy_sessions() -> None:
    """Delete sessions that have run out, one small transaction after the other."""
    await _until_done(forget_sessions)


def forget_sessions() -> int:
    """Delete some sessions that nobody can use any more, and close the sockets of staff among them;
    return how many."""
    old = Session.objects.filter(expire_date__lt=timezone.now())
    sessions = list(old[:BATCH])
    of_staff = [session.pk for session in sessions if is_staff_session(session)]
    with transaction.atomic():
        Session.objects.filter(pk__in=[session.pk for session in sessions]).delete()
        for key in of_staff:
            signals.session_ended.send(sender=User, session=key)
    return len(sessions)


def forget_lobbies() -> int:
    """Delete some closed lobbies in which nobody has played; return how many."""
    return forget_unplayed(BATCH)


async def _until_done(sweep: Callable[[], int]) -> None:
    while await desk().read(sweep):
        pass
