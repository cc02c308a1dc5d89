"""Do what follows the end of a game: one job for each game, by one worker at a time.

The transaction that ends a game writes its row of `EndedGame`, and the row is deleted when all
follow-ups are done. These are functions that the setting ENDED_GAME_FOLLOW_UPS names, in order.
Each does its work at most once for a game, so a process may be killed at any moment, and all run
again.

By its documentation, django-tasks does not serve: a task is enqueued by an INSERT of its own, while
this row is part of the statement that commits a batch of games, and ratings need ended games in the
order of their ends, many at a time.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils.module_loading import import_string

from play.domain.clocks import HOUR_MS, SECOND_MS
from play.models import EndedGame
from play.storage import leases
from telemetry.outage_log import outage_kind

FollowUp = Callable[[Collection[int]], object]  # takes the ids of games, in the order of their ends
LEASE: Final = "ended-games"
LEASE_MS: Final = 5 * SECOND_MS
# On SQLite all processes are on one machine, and every commit makes web processes look.
EMBEDDED_LEASE_MS: Final = 20 * SECOND_MS
INTERVAL_S: Final = 1.0
STANDBY_INTERVAL_S: Final = 2.0  # of a process without the lease
GAMES_A_ROUND: Final = 20
MAX_RETRY_DELAY_MS: Final = HOUR_MS
log = logging.getLogger("quiver.play")


def run_follow_ups(at: int) -> int:
    """Run all follow-ups for the games that are due at `at` (epoch ms); return how many there were.

    At most `GAMES_A_ROUND`. A game for which one fails does not hold up others: it is tried
    again after a delay that doubles with each try.
    """
    rows = EndedGame.objects.filter(retry_at__lte=at).order_by("ended", "pk")[:GAMES_A_ROUND]
    tries = dict(rows.values_list("pk", "tries"))
    if not tries:
        return 0
    failed: set[int] = set()
    for path in settings.ENDED_GAME_FOLLOW_UPS:
        failed |= _run(import_string(path), path, list(tries))
    EndedGame.objects.filter(pk__in=tries.keys() - failed).delete()
    for game in failed:
        delay_ms = min(SECOND_MS << min(tries[game], 20), MAX_RETRY_DELAY_MS)
        EndedGame.objects.filter(pk=game).update(tries=F("tries") + 1, retry_at=at + delay_ms)
    return len(tries)


def _run(follow_up: FollowUp, path: str, games: Sequence[int]) -> set[int]:
    """Run a follow-up for some games, after an error for each alone; return those that failed.

    Raise errors of an outage of the database, after which all is tried again.
    """
    try:
        follow_up(games)
    except Exception as error:
        if outage_kind(error):
            raise
        if len(games) > 1:
            return set().union(*(_run(follow_up, path, [game]) for game in games))
        log.exception(
            "%s failed for ended game number %d; it is tried again later",
            path,
            games[0],
            extra={"event": "ended_game_follow_up_failed"},
        )
        return set(games)
    return set()


class EndedGamesTask:
    """The job as a `play.runtime.worker_tasks.WorkerTask`."""

    name = LEASE

    def run(self, process: str, at: int) -> float:
        """Do a round, if the process holds the lease or gets it; return the seconds to the next."""
        duration_ms = EMBEDDED_LEASE_MS if connection.vendor == "sqlite" else LEASE_MS
        if not leases.take(LEASE, process, at, duration_ms):
            return STANDBY_INTERVAL_S
        return 0.0 if run_follow_ups(at) == GAMES_A_ROUND else INTERVAL_S

    def give_back(self, process: str) -> None:
        """Give the lease back, so that another process need not wait for its end."""
        leases.give_back(LEASE, process)
