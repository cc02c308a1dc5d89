"""Retry whole transactions when the database fails during one.

A function passed here must be safe to run twice. SQLite is not retried: it waits for locks by
itself, and its other failures persist.
"""

import logging
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

from play.domain.change import Change
from play.storage import save
from play.storage.save import Verdict
from telemetry import counters

T = TypeVar("T")
RETRY_DELAYS_S = (0.05, 0.2, 0.8)  # one delay per retry
FAILURES = (OperationalError, InterfaceError)
log = logging.getLogger("quiver.play")


def retry(transact: Callable[..., T], *args: object) -> T:
    """Run a transaction, and retry it up to three times on a new connection if the database fails.

    Inside a transaction it runs once, since that transaction has to begin again. If no connection
    could be had, the pool has waited already, and it is not retried.
    """
    for wait in RETRY_DELAYS_S:
        try:
            return transact(*args)
        except FAILURES as error:
            if connection.vendor == "sqlite" or connection.in_atomic_block or _is_away(error):
                raise
            counters.RETRIES.inc()
            log.debug("a transaction failed, retrying: %s", type(error).__name__)
            connection.close()
            time.sleep(wait)
    return transact(*args)


def _is_away(error: Exception) -> bool:
    """Return whether the pool got no connection in the time it waits for one."""
    return type(error.__cause__).__name__ == "PoolTimeout"


def commit(changes: Sequence[Change]) -> list[Verdict]:
    """Commit changes as `save.commit` does, with retries.

    If the connection was lost, a change may have been committed without an acknowledgement. Then
    its swap fails at the next try, or its session has ended since. The verdict `TWICE` says that
    its id may be stored and has to be looked up first.
    """
    is_unsure = False

    def once() -> list[Verdict]:
        nonlocal is_unsure
        try:
            return save.commit(changes)
        except FAILURES:
            is_unsure = True
            raise

    verdicts = retry(once)
    if not is_unsure:
        return verdicts
    return [Verdict.TWICE if verdict is Verdict.LOST else verdict for verdict in verdicts]
