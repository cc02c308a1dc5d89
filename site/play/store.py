"""Writes changes to the database: compare-and-swap on `rev`, several games in one transaction.

The swaps go in ascending id, because unsorted writers deadlock on PostgreSQL. Child rows are
inserted only for games whose swap won. Any database error rolls the whole batch back; then each
game gets a transaction of its own, so that one bad change harms no other.
"""

from collections.abc import Sequence
from enum import Enum

import msgspec
from django.db import DatabaseError, IntegrityError, connection, transaction

from games.ledger import text_of
from play import clocks, revoked
from play.change import Change
from play.live import Seal

Row = tuple[str | int | None, ...]


class Verdict(Enum):
    """What became of a change."""

    WON = "won"
    LOST = "lost"  # another change of the game came first: read again
    TWICE = "twice"  # its action id, turn or seal is already there: read again
    FAILED = "failed"  # the database could not write
    UNSURE = "unsure"  # the connection was lost: it stands or it does not
    REVOKED = "revoked"  # the session of who sent it has ended


# Classes and codes of PostgreSQL's errors after which it hangs up: lost lines, its own shut-down, a
# transaction in which nothing was said for too long.
LAST_WORDS = ("08", "57P", "25P03")
SWAP = """
UPDATE play_game SET rev = %s, head = %s, turn = %s, position = %s, times = %s, deadline = %s,
    offers = %s, takebacks = %s, winner = %s, reason = %s, goals = %s, changed = %s, ended = %s
WHERE id = %s AND rev = %s"""
ADD_TURN = """
INSERT INTO play_turn (game_id, number, joint, at, spent, seals) VALUES (%s, %s, %s, %s, %s, %s)
"""
ADD_ENTRY = """
INSERT INTO play_entry (game_id, rev, kind, role, action_id, received_at, lag, clock, body, hash)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
ADD_SEAL = """
INSERT INTO play_sealed (game_id, number, role, action, salt, spent, at)
VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
UNDO = "UPDATE play_turn SET undone = %s WHERE game_id = %s AND number >= %s AND undone IS NULL"
DROP_SEALS = "DELETE FROM play_sealed WHERE game_id = %s"


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


def as_json(value: object) -> str:
    """The text of a value for a column."""
    return msgspec.json.encode(value, order="deterministic").decode()


def _is_lost(error: DatabaseError) -> bool:
    """Whether an error means that the connection is no more, or that there was none to be had.

    Such a one is told by the client, and bears no code, or is the server's last word.
    """
    if connection.vendor == "sqlite":
        return False
    code = getattr(error.__cause__, "sqlstate", None)
    return code is None or code.startswith(LAST_WORDS)


def _alone(change: Change) -> Verdict:
    try:
        return _commit([change])[0]
    except IntegrityError:
        return Verdict.TWICE
    except DatabaseError as error:
        if _is_lost(error):
            raise
        return Verdict.FAILED


def _commit(changes: Sequence[Change]) -> list[Verdict]:
    verdicts = [Verdict.LOST] * len(changes)
    won = []
    with transaction.atomic(), connection.cursor() as cursor:
        ended = revoked.ended([change.permit for change in changes])
        for index in sorted(range(len(changes)), key=lambda i: changes[i].before.id):
            if index in ended:
                verdicts[index] = Verdict.REVOKED
                continue
            cursor.execute(SWAP, _swap(changes[index]))
            if cursor.rowcount == 1:
                verdicts[index] = Verdict.WON
                won.append(changes[index])
        statements: list[tuple[str, list[Row]]] = [
            (DROP_SEALS, [(change.before.id,) for change in won if _reveals(change)]),
            (UNDO, [_undoing(change) for change in won if change.undone is not None]),
            (ADD_TURN, [row for change in won for row in _turns(change)]),
            (ADD_SEAL, [row for change in won for row in _seals(change)]),
            (ADD_ENTRY, [_entry(change) for change in won]),
        ]
        for statement, rows in statements:
            if rows:
                cursor.executemany(statement, rows)
    return verdicts


def _swap(change: Change) -> Row:
    game, ending = change.after, change.after.ending
    return (
        game.rev,
        game.head,
        game.turn,
        game.rules.write(game.state),
        as_json(game.times),
        clocks.deadline(game.clock, game.times),
        as_json(game.offers),
        game.takebacks,
        (ending and ending.winner) or "",
        ending.reason if ending else "",
        as_json(ending.goals) if ending else "",
        change.received_at,
        game.ended,
        game.id,
        change.before.rev,
    )


def _turns(change: Change) -> list[Row]:
    return [
        (
            change.before.id,
            turn.number,
            as_json(turn.joint),
            change.received_at,
            as_json(turn.spent),
            as_json(turn.proofs),
        )
        for turn in change.turns
    ]


def _undoing(change: Change) -> Row:
    return (change.after.rev, change.before.id, change.undone)


def _reveals(change: Change) -> bool:
    """Whether seals that waited before are in a turn now; else they stay, even at the end."""
    return bool(change.before.sealed) and change.after.turn > change.before.turn


def _seals(change: Change) -> list[Row]:
    """The seal that the change made, if it still waits."""
    game = change.after
    return [
        (game.id, game.turn, role, str(seal.action), _salt(seal), seal.spent, change.received_at)
        for role, seal in game.sealed.items()
        if role not in change.before.sealed
    ]


def _salt(seal: Seal) -> str:
    return seal.proof.salt if seal.proof else ""


def _entry(change: Change) -> Row:
    return (
        change.before.id,
        change.after.rev,
        change.kind,
        change.role,
        change.action_id,
        change.received_at,
        change.lag,
        text_of(change.clock),
        text_of(change.body),
        change.after.head,
    )
