"""Build the change of a game: state before and after, and the ledger entry.

The text of the entry is chained to the previous entry, and the game carries the new head.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from accounts.refusals import Refused
from games.core import ROLES, Role
from games.ledger import chain_hash, frame_entry
from play.domain import clocks
from play.domain.clocks import Clock, Times
from play.domain.commands import Envelope, ServerCommand
from play.domain.game_refusals import Reason
from play.domain.game_state import NO_SHOW, GameState, Proof

ENCODER = msgspec.json.Encoder(order="deterministic")


class StepRecord(Struct, frozen=True, gc=False):
    """A resolved step as stored: canonical actions and ms spent of the roles in control."""

    number: int
    joint: Mapping[Role, str]
    spent: Mapping[Role, int]
    proofs: Mapping[Role, Proof]  # of sealed actions; else empty
    is_ahead: bool = False  # a conditional reply, played by the server
    earned: int = 0  # ms, the increment of a turn that this step completed (sequential games)


class Change(Struct, frozen=True, gc=False):
    """A game before and after a command, with the data to store."""

    before: GameState
    after: GameState
    kind: str
    role: Role | None
    action_id: str | None
    received_at: int
    lag: int  # ms credited to the role for the transfer of its message
    clock: Mapping[Role, int | None]  # as in `clock_of`
    clock_text: str
    body: Mapping[str, object]  # without actions that are still sealed
    body_text: str
    steps: tuple[StepRecord, ...] = ()
    undone: int | None = None  # steps from this number on are taken back


def as_json(value: object) -> str:
    """Return a value as deterministic JSON.

    It is stored in columns, and the hashes of the ledger cover it.
    """
    return ENCODER.encode(value).decode()


def require_seat(game: GameState, envelope: Envelope[Any]) -> Role:
    """Return the role of the sender.

    Raise `Refused` if the user has no seat or the game is over.
    """
    role = game.role_of(envelope.user)
    if role is None:
        raise Refused(Reason.NOT_SEATED)
    if game.ending:
        raise Refused(Reason.NO_SHOW if game.ending.reason == NO_SHOW else Reason.OVER)
    return role


def require_time(game: GameState, at: int) -> None:
    """Raise `Refused` if the deadline has passed and the flag is about to fall."""
    limit = clocks.flag_deadline(game.clock, game.times)
    if limit is not None and limit < at:
        raise Refused(Reason.TOO_LATE)


def clock_of(clock: Clock, times: Times, at: int) -> dict[Role, int | None]:
    """Return the ms that each role has left at `at`; None without a clock.

    The ledger entries store this value.
    """
    if clock.kind == "none":
        return dict.fromkeys(ROLES)
    return {role: max(0, times.left_at(role, at)) for role in ROLES}


def make_change(
    before: GameState,
    after: GameState,
    command: Envelope[Any] | ServerCommand,
    role: Role | None,
    kind: str,
    body: Mapping[str, object] | None = None,
    lag: int = 0,
    steps: tuple[StepRecord, ...] = (),
    undone: int | None = None,
) -> Change:
    """Return the change between two states of a game, with its entry chained to the last one."""
    at, content = command.received_at, dict(body or {})
    if after.ending:
        after = _stop_clocks(after, at)
        content["result"] = result_of(after)
    sent = command if isinstance(command, Envelope) else None
    rev, id = before.rev + 1, sent.command.id if sent else None
    clock = clock_of(after.clock, after.times, at)
    texts = as_json(clock), as_json(content)
    text = frame_entry(before.slug, rev, kind, role, id, at, lag, *texts)
    return Change(
        before=before,
        after=replace(after, rev=rev, actor=role, changed=at, head=chain_hash(before.head, text)),
        kind=kind,
        role=role,
        action_id=id,
        received_at=at,
        lag=lag,
        clock=clock,
        clock_text=texts[0],
        body=content,
        body_text=texts[1],
        steps=steps,
        undone=undone,
    )


def result_of(game: GameState) -> dict[str, object] | None:
    """Return the result as the last entry of a game stores it; None while the game runs."""
    end = game.ending
    if end is None:
        return None
    return {"winner": end.winner, "goals": dict(end.goals), "reason": end.reason}


def _stop_clocks(game: GameState, at: int) -> GameState:
    """Return the ended game: no clock runs and no offer stands. Seals stay secret for ever."""
    return replace(game, times=clocks.halt_clocks(game.times, at), offers={}, ended=at)
