"""The answer to an accepted command, which is the same however often it is asked for."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from games.core import ROLES, Role
from play import reading
from play.change import Change
from play.commands import Act, Command
from play.live import Live
from play.models import Entry, Sealed
from play.refusals import Reason, Refused


class Receipt(Struct, frozen=True, gc=False, tag_field="t", tag="receipt"):
    """What stands in the ledger since a command was accepted; a frame for the page as it is."""

    game: str  # slug
    id: str  # of the action; empty for what the server itself has done
    rev: int
    at: int  # ms, when it was received
    lag: int  # ms credited for its way
    clock: Mapping[Role, int | None]  # ms that each role has left after it; None without a clock
    hash: str  # the head of the ledger with this entry
    commitment: str | None  # of what was sealed
    again: bool = False  # it had been accepted before


def of_change(change: Change) -> Receipt:
    """The receipt of what has just been committed."""
    commitment: Any = change.body.get("commitment")
    return Receipt(
        game=change.after.slug,
        id=change.action_id or "",
        rev=change.after.rev,
        at=change.received_at,
        lag=change.lag,
        clock=change.clock,
        hash=change.after.head,
        commitment=commitment,
    )


def recall(live: Live, role: Role, command: Command) -> Receipt | None:
    """The receipt of an action id that a role has used before; None if it has not.

    Raises `Refused` if it meant something else then. What was taken back since then is compared
    as well: it was said all the same.
    """
    entry = Entry.objects.filter(game=live.id, role=role, action_id=command.id).first()
    if entry is None:
        return None
    body = msgspec.json.decode(entry.body)
    if entry.kind != command.kind or (isinstance(command, Act) and not _same(entry, body, command)):
        raise Refused(Reason.CONFLICT)
    return Receipt(
        game=live.slug,
        id=command.id,
        rev=entry.rev,
        at=entry.received_at,
        lag=entry.lag,
        clock=msgspec.json.decode(entry.clock) or dict.fromkeys(ROLES),
        hash=entry.hash,
        commitment=body.get("commitment"),
        again=True,
    )


def _same(entry: Entry, body: Mapping[str, Any], command: Act) -> bool:
    return (body["turn"], _said(entry, body)) == (command.turn, list(command.actions))


def _said(entry: Entry, body: Mapping[str, Any]) -> list[str]:
    """The actions of an entry. Entries of old hold only their number, and those of sealed actions
    none: then they stand in the turns, or are still sealed."""
    actions = body.get("actions", 1)
    if isinstance(actions, list):
        return actions
    first, end = body["turn"], body["turn"] + actions
    joints = reading.turns_of(entry.game_id, entry.rev, first, end)
    done: list[str] = [msgspec.json.decode(turn.joint).get(entry.role) for turn in joints]
    seals = Sealed.objects.filter(game=entry.game_id, role=entry.role)
    return done + [seal.action for seal in seals.filter(number__gte=first, number__lt=end)]
