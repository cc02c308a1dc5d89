"""Writes changes to the database: compare-and-swap on `rev`, several games in one transaction.

The swaps go in ascending id, because unsorted writers deadlock on PostgreSQL. Child rows are
inserted only for games whose swap won. Any database error rolls the whole batch back; then each
game gets a transaction of its own, so that one bad change harms no other.
"""

import logging
from collections.abc import Collection, Sequence
from enum import Enum

from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.outage_log import is_connection_lost, note_outage
from accounts.redaction import shorten_key
from play import revoked
from play.change import Change
from play.rows import EntryRow, GameRow, Result, SealRow, TurnRow, Undoing
from play.statements import pen

log = logging.getLogger("quiver.play")


class Verdict(Enum):
    """What became of a change."""

    WON = "won"
    LOST = "lost"  # another change of the game came first: read again
    TWICE = "twice"  # its action id, turn or seal is already there: read again
    FAILED = "failed"  # the database could not write
    UNSURE = "unsure"  # the connection was lost: it stands or it does not
    REVOKED = "revoked"  # the session of who sent it has ended


def commit(changes: Sequence[Change]) -> list[Verdict]:
    """Commits changes of different games together; the verdicts stand in the same order.

    Raises the database's error if the connection is lost: then nobody knows what was committed.
    """
    try:
        return _commit(changes)
    except DatabaseError as error:
        if _is_lost(error):
            raise
        return [_alone(change) for change in changes]


def _is_lost(error: DatabaseError) -> bool:
    """Whether an error means that the connection is no more, or that there was none to be had.

    Such a one is told by the client, and bears no code, or is the server's last word.
    """
    if connection.vendor == "sqlite":
        return False
    return is_connection_lost(getattr(error.__cause__, "sqlstate", None))


def _alone(change: Change) -> Verdict:
    try:
        return _commit([change])[0]
    except IntegrityError:
        return Verdict.TWICE
    except DatabaseError as error:
        if _is_lost(error):
            raise
        if not note_outage(error, refused=1):
            log.exception("a change of %s could not be written", shorten_key(change.before.slug))
        return Verdict.FAILED


def _commit(changes: Sequence[Change]) -> list[Verdict]:
    with transaction.atomic(), connection.wrap_database_errors:
        ended = revoked.ended([change.permit for change in changes])
        standing = [change for index, change in enumerate(changes) if index not in ended]
        won = _written(sorted(standing, key=lambda change: change.before.id))
    verdicts = [Verdict.WON if change.after.head in won else Verdict.LOST for change in changes]
    for index in ended:
        verdicts[index] = Verdict.REVOKED
    return verdicts


def _written(changes: Sequence[Change]) -> Collection[str]:
    """Swaps games, and adds to those whose swap has won what their changes made; their heads."""
    if not changes:
        return ()
    write = pen()
    heads = write.swap([GameRow.of(change) for change in changes])
    won = [change for change in changes if change.after.head in heads]
    if revealed := [change.before.id for change in won if _reveals(change)]:
        write.drop_seals(revealed)
    for rows in (
        [row for change in won for row in Undoing.all_of(change)],
        [row for change in won for row in TurnRow.all_of(change)],
        [row for change in won for row in SealRow.all_of(change)],
        [EntryRow.of(change) for change in won],
        [row for change in won for row in Result.all_of(change)],
    ):
        if rows:
            write.write(rows)
    return heads


def _reveals(change: Change) -> bool:
    """Whether seals that waited before are in a turn now; else they stay, even at the end."""
    return bool(change.before.sealed) and change.after.turn > change.before.turn
