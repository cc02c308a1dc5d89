"""All processes go by the clock of the database: machines' own may differ by hours.

On SQLite there is one machine, and its wall clock at the start is right.
"""

import logging

from django.db import connection

from play import clocks, seen
from play.desk import desk

EVERY = 5.0  # seconds between two comparisons
MOST = 500  # ms that may lie between the clocks
SLOW = 200  # ms for an answer, after which it says too little
TRIES = 5
NOW = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
log = logging.getLogger("quiver.play")


def drift() -> int | None:
    """By how many ms the database's clock is ahead; None if it has none, or answers slowly."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")  # what it takes to connect is no part of the answer
        before = clocks.now()
        cursor.execute(NOW)
        (there,) = cursor.fetchone()
        after = clocks.now()
    if after - before > SLOW:
        return None
    return int(there) - (before + after) // 2


async def begin() -> None:
    """Sets the clock of this process before anybody goes by it. Raises the database's errors."""
    for _ in range(TRIES):
        ahead = await desk().read(drift)
        if ahead is None:
            continue
        if abs(ahead) > MOST:
            log.warning("this machine's clock differs by %d ms from the database's", -ahead)
        clocks.PIECE.set_by(ahead, is_first=True)
        seen.STARTED += ahead
        return


async def steer() -> None:
    """The chore of every web process: sets its clock when it has drifted away."""
    ahead = await desk().read(drift)
    if ahead is not None and abs(ahead) > MOST:
        log.error("the clock of this process is off by %d ms; it is set", -ahead)
        clocks.PIECE.set_by(ahead)
