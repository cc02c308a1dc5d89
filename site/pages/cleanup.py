"""Deletion of expired sessions, old searches, sightings and claims, unplayed lobbies, guests."""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from accounts.account_service import forget_guests
from accounts.login import revocations
from accounts.login.staff_access import is_staff_session
from accounts.models import Session
from accounts.people.name_claims import delete_old_claims
from lobby.lobbies.lobby_service import delete_unplayed
from lobby.pairing.pairing_round import delete_old
from play.domain.clocks import now
from play.runtime.game_service import GameService
from play.runtime.runtime import Runtime
from ratings.fair_play.sightings import delete_old_sightings

GUESTS_INTERVAL_S = 3600.0
# A staff socket may outlive its session by this interval.
SESSIONS_INTERVAL_S = 60.0
BATCH_ROWS = 1_000  # per transaction, so that play is not delayed


async def cleanup(runtime: Runtime) -> None:
    """Deletes old searches and sightings, unplayed lobbies, unused guests, old claims of names."""
    await runtime.games.run_in_db_thread(delete_old, now())
    await _until_done(runtime.games, delete_old_sightings)
    await _until_done(runtime.games, delete_lobbies)
    await _until_done(runtime.games, forget_guests)
    await _until_done(runtime.games, delete_old_claims)


async def cleanup_sessions(runtime: Runtime) -> None:
    """Deletes expired sessions, in small transactions."""
    await _until_done(runtime.games, delete_sessions)


def delete_sessions() -> int:
    """Deletes some expired sessions; returns how many.

    Sockets of staff sessions among them are closed.
    """
    old = Session.objects.filter(expire_date__lt=timezone.now())
    sessions = list(old[:BATCH_ROWS])
    of_staff = [session.pk for session in sessions if is_staff_session(session)]
    with transaction.atomic():
        Session.objects.filter(pk__in=[session.pk for session in sessions]).delete()
        for key in of_staff:
            revocations.end_session(key)
    return len(sessions)


def delete_lobbies() -> int:
    """Deletes some closed lobbies without a game; returns how many were examined."""
    return delete_unplayed(BATCH_ROWS)


async def _until_done(games: GameService, sweep: Callable[[], int]) -> None:
    while await games.run_in_db_thread(sweep):
        pass
