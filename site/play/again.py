"""Whole transactions are run again when the database fails in the middle of one.

Only those may be run that do the same when they are run twice. SQLite is not asked again: it waits
for a lock by itself, and its other failures last.
"""

import logging
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

from play import meters, store
from play.change import Change
from play.store import Verdict

T = TypeVar("T")
WAITS = (0.05, 0.2, 0.8)  # seconds before each further try
FAILURES = (OperationalError, InterfaceError)
log = logging.getLogger("quiver.play")


def again(transact: Callable[..., T], *args: object) -> T:
    """Runs a transaction, up to three times more if the database fails; each on a new connection.

    Inside a transaction it is run once: that one has to be begun anew. A database that nobody can
    connect to has been waited for already.
    """
    for wait in WAITS:
        try:
            return transact(*args)
        except FAILURES as error:
            if connection.vendor == "sqlite" or connection.in_atomic_block or _is_away(error):
                raise
            meters.RETRIES.inc()
            log.debug("the database failed, trying again: %s", type(error).__name__)
            connection.close()
            time.sleep(wait)
    return transact(*args)


def _is_away(error: Exception) -> bool:
    """Whether no connection could be had in all the time that the pool waits for one."""
    return type(error.__cause__).__name__ == "PoolTimeout"


def commit(changes: Sequence[Change]) -> list[Verdict]:
    """Commits changes as `store.commit` does, again if need be.

    Where the connection was lost, a change may stand although nobody was told so. Then its swap
    fails at the next try, or its session has ended since: the verdict is that its id may be there,
    to be looked up first.
    """
    is_unsure = False

    def once() -> list[Verdict]:
        nonlocal is_unsure
        try:
            return store.commit(changes)
        except FAILURES:
            is_unsure = True
            raise

    verdicts = again(once)
    if not is_unsure:
        return verdicts
    unsure = (Verdict.LOST, Verdict.REVOKED)
    return [Verdict.TWICE if verdict in unsure else verdict for verdict in verdicts]
