"""A change of a game, whoever asked for it: what was before, what comes after, and its entry.

Here the ledger grows: the entry's text is chained to the last, and the game carries the new head.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from games.core import ROLES, Role
from games.ledger import chained, framed
from play import clocks
from play.clocks import Clock, Times
from play.commands import Command
from play.live import Live, Proof
from play.permit import Permit
from play.refusals import Reason, Refused

ENCODER = msgspec.json.Encoder(order="deterministic")


class Resolved(Struct, frozen=True, gc=False):
    """A turn for the record: canonical actions and ms spent of the roles that decided."""

    number: int
    joint: Mapping[Role, str]
    spent: Mapping[Role, int]
    proofs: Mapping[Role, Proof]  # of what was sealed in secret; else empty


class Change(Struct, frozen=True, gc=False):
    """A game before and after a command, and what the database has to keep of it."""

    before: Live
    after: Live
    kind: str
    role: Role | None
    action_id: str | None
    received_at: int
    lag: int  # ms credited to the role for the way of its message
    clock: Mapping[Role, int | None]  # as in `clock_of`
    clock_text: str
    body: Mapping[str, object]  # never an action that is still sealed
    body_text: str
    turns: tuple[Resolved, ...] = ()
    undone: int | None = None  # turns from this number on are taken back
    permit: Permit | None = None  # must not have been revoked when this is committed


def as_json(value: object) -> str:
    """The text of a value for a column; of plain values, the one that the ledger goes by."""
    return ENCODER.encode(value).decode()


def seated(live: Live, command: Command) -> Role:
    """The role of whoever asks. Raises `Refused` for others, and after the end."""
    role = live.role_of(command.user)
    if role is None:
        raise Refused(Reason.NOT_SEATED)
    if live.ending:
        raise Refused(Reason.OVER)
    return role


def need_time(live: Live, at: int) -> None:
    """Raises `Refused` if a flag is about to fall."""
    limit = clocks.deadline(live.clock, live.times)
    if limit is not None and limit < at:
        raise Refused(Reason.TOO_LATE)


def clock_of(clock: Clock, times: Times, at: int) -> dict[Role, int | None]:
    """Milliseconds that each role has left at a moment, as an entry keeps it; None without a
    clock."""
    if clock.kind == "none":
        return dict.fromkeys(ROLES)
    return {role: max(0, times.left_at(role, at)) for role in ROLES}


def changed(
    before: Live,
    after: Live,
    command: Any,
    role: Role | None,
    kind: str,
    body: Mapping[str, object] | None = None,
    lag: int = 0,
    turns: tuple[Resolved, ...] = (),
    undone: int | None = None,
) -> Change:
    """The change from one value of a game to the next, with its entry chained to the last."""
    at, content = command.received_at, dict(body or {})
    if after.ending:
        after = _stilled(after, at)
        content["result"] = result_of(after)
    rev, id = before.rev + 1, getattr(command, "id", None)
    clock = clock_of(after.clock, after.times, at)
    texts = as_json(clock), as_json(content)
    text = framed(before.slug, rev, kind, role, id, at, lag, *texts)
    return Change(
        before=before,
        after=replace(after, rev=rev, changed=at, head=chained(before.head, text)),
        kind=kind,
        role=role,
        action_id=id,
        received_at=at,
        lag=lag,
        clock=clock,
        clock_text=texts[0],
        body=content,
        body_text=texts[1],
        turns=turns,
        undone=undone,
        permit=getattr(command, "permit", None),
    )


def result_of(live: Live) -> dict[str, object] | None:
    """The result as the entry that ends a game keeps it."""
    end = live.ending
    if end is None:
        return None
    return {"winner": end.winner, "goals": dict(end.goals), "reason": end.reason}


def _stilled(live: Live, at: int) -> Live:
    """After the end no clock runs and nothing is offered; what is sealed stays so for ever."""
    return replace(live, times=clocks.halted(live.times, at), offers={}, ended=at)
