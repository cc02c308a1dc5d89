"""Receipts of accepted commands; the same for every repetition of a command."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from accounts.refusals import Refused
from games.core import Role
from play.domain.change import Change
from play.domain.commands import Act, Command
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState
from play.models import Entry, Sealed
from play.storage import load


class Receipt(Struct, frozen=True, gc=False, tag_field="t", tag="receipt"):
    """The ledger entry of an accepted command; sent to the page as it is."""

    game: str  # slug
    id: str  # of the action; empty for a change by the server
    rev: int
    at: int  # ms, when it was received
    lag: int  # ms credited for its transfer
    clock: Mapping[Role, int | None]  # ms that each role has left after it; None without a clock
    hash: str  # the head of the ledger with this entry
    commitment: str | None  # of a sealed action
    again: bool = False  # it had been accepted before
    # Of a claim that proved nothing: how many of the role have been refused, with this one.
    refused_claims: int | UnsetType = UNSET


def of_change(change: Change) -> Receipt:
    """Return the receipt of a change that has just been committed."""
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
        refused_claims=_refused_claims(change.kind, change.body),
    )


def recall(game: GameState, role: Role, command: Command) -> Receipt | None:
    """Return the receipt of an action id that a role has used before; None if it has not.

    Raise `Refused` if the id was used for another command. Steps that were taken back since then
    are compared as well, because they were accepted under that id.
    """
    entry = Entry.objects.filter(game=game.id, role=role, action_id=command.id).first()
    if entry is None:
        return None
    body = msgspec.json.decode(entry.body)
    if not command.makes(entry.kind) or (
        isinstance(command, Act) and not _is_same_action(entry, body, command)
    ):
        raise Refused(Reason.CONFLICT)
    return Receipt(
        game=game.slug,
        id=command.id,
        rev=entry.rev,
        at=entry.received_at,
        lag=entry.lag,
        clock=msgspec.json.decode(entry.clock),
        hash=entry.hash,
        commitment=body.get("commitment"),
        again=True,
        refused_claims=_refused_claims(entry.kind, body),
    )


def _refused_claims(kind: str, body: Mapping[str, Any]) -> int | UnsetType:
    """Return the number of a refused claim."""
    return body["number"] if kind == "claim-refused" else UNSET


def _is_same_action(entry: Entry, body: Mapping[str, Any], command: Act) -> bool:
    actions = body.get("actions") or [_sealed_action(entry, body["step"])]
    return (body["step"], actions) == (command.step, list(command.actions))


def _sealed_action(entry: Entry, number: int) -> str | None:
    """Return the action of an entry that has only its commitment.

    It comes from the step if that has resolved, else from the seal.
    """
    for step in load.steps_of(entry.game_id, entry.rev, number, number + 1):
        return msgspec.json.decode(step.joint, type=dict[str, str]).get(str(entry.role))
    seals = Sealed.objects.filter(game=entry.game_id, role=entry.role, number=number)
    return seals.values_list("action", flat=True).first()
