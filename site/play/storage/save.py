"""Save changes by compare-and-swap on `rev`, several games in one transaction.

Swaps run in ascending id, because unsorted writers deadlock on PostgreSQL. Child rows are inserted
only for games whose swap won. A database error rolls back the whole batch; then each game gets its
own transaction, so that one bad change affects no other.
"""

import logging
from collections.abc import Sequence
from enum import Enum

from django.db import DatabaseError, IntegrityError, connection, transaction

from play.domain.change import Change
from play.storage.statements import writer_of
from telemetry.outage_log import is_connection_lost, note_outage
from telemetry.redaction import shorten_key

log = logging.getLogger("quiver.play")


class Verdict(Enum):
    """The outcome of saving a change."""

    WON = "won"
    LOST = "lost"  # another change of the game came first: load it again
    TWICE = "twice"  # its action id, step or seal is stored already: load it again
    FAILED = "failed"  # the database could not write
    UNSURE = "unsure"  # the connection was lost: unknown whether it was committed


def commit(changes: Sequence[Change]) -> list[Verdict]:
    """Commit changes of different games together and return their verdicts in the same order.

    Raise the database's error if the connection is lost: then the outcome is unknown.
    """
    try:
        return _commit(changes)
    except DatabaseError as error:
        if _is_lost(error):
            raise
        return [_commit_alone(change) for change in changes]


def _is_lost(error: DatabaseError) -> bool:
    """Return whether an error means that the connection was lost or could not be made.

    Such an error comes from the client library without an SQLSTATE, or is the server's last
    message.
    """
    if connection.vendor == "sqlite":
        return False
    return is_connection_lost(getattr(error.__cause__, "sqlstate", None))


def _commit_alone(change: Change) -> Verdict:
    try:
        return _commit([change])[0]
    except IntegrityError:
        return Verdict.TWICE
    except DatabaseError as error:
        if _is_lost(error):
            raise
        if not note_outage(error, refused=1):
            log.exception(
                "a change of game %s could not be written",
                shorten_key(change.before.slug),
                extra={"event": "change_failed"},
            )
        return Verdict.FAILED


def _commit(changes: Sequence[Change]) -> list[Verdict]:
    with transaction.atomic(), connection.wrap_database_errors:
        won = writer_of().save(_in_order(changes))
    return [Verdict.WON if change.after.head in won else Verdict.LOST for change in changes]


def _in_order(changes: Sequence[Change]) -> Sequence[Change]:
    return sorted(changes, key=lambda change: change.before.id)
