"""Synchronise the clock of each process with the database's: clocks of machines may differ.

SQLite runs on one machine, whose wall clock at the start is used.
"""

import logging

from django.db import connection

from play.domain import clocks
from play.runtime.game_service import GameService
from play.storage import last_seen

SYNC_INTERVAL_S = 5.0
MAX_DRIFT_MS = 500  # tolerated difference of the clocks
MAX_QUERY_MS = 200  # a slower answer is too inexact
MAX_TRIES = 5
NOW_SQL = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
log = logging.getLogger("quiver.play")


def clock_drift_ms() -> int | None:
    """Return how many ms the database's clock is ahead.

    Return None if the database has no clock of its own, or answers too slowly to tell.
    """
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")  # connect first: that time is not part of the answer
        before = clocks.now()
        cursor.execute(NOW_SQL)
        (there,) = cursor.fetchone()
        after = clocks.now()
    if after - before > MAX_QUERY_MS:
        return None
    return int(there) - (before + after) // 2


async def set_clock(games: GameService) -> None:
    """Set the clock of this process before anything uses it. Raise the database's errors."""
    for _ in range(MAX_TRIES):
        ahead = await games.run_in_db_thread(clock_drift_ms)
        if ahead is None:
            continue
        if abs(ahead) > MAX_DRIFT_MS:
            log.warning(
                "the machine's clock is %d ms ahead of the database's, which is used",
                -ahead,
                extra={"event": "clock_drift"},
            )
        clocks.CLOCK.set_by(ahead, is_first=True)
        last_seen.STARTED += ahead
        return


async def adjust_clock(games: GameService) -> None:
    """Correct the clock of this process if it has drifted; a periodic task of web processes."""
    ahead = await games.run_in_db_thread(clock_drift_ms)
    if ahead is not None and abs(ahead) > MAX_DRIFT_MS:
        log.error(
            "the clock of this process was %d ms ahead of the database's; corrected",
            -ahead,
            extra={"event": "clock_drift"},
        )
        clocks.CLOCK.set_by(ahead)
