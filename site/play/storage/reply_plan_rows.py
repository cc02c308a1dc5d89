"""Reads and writes conditional replies; they are secret like seals, and no log holds them.

A row belongs to the open step for which it was saved. It is replaced and deleted by
compare-and-swap on `at`, which grows with every change of the row.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.refusals import Refused
from games.core import Role
from play.domain.change import as_json
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState
from play.domain.reply_plans import Lines, Reply, Turn, reply_to
from play.models import Game, ReplyPlan, Seat, Step
from play.storage import load

MAX_DUE = 500  # plans examined together


class Plan(NamedTuple):
    """The stored conditional replies of a role."""

    game: int
    role: Role
    step: int
    takebacks: int
    at: int  # ms; another value after every change
    lines: Lines

    def __repr__(self) -> str:
        return f"Plan(game={self.game}, role={self.role!r}, step={self.step})"


class Due(NamedTuple):
    """The next thing to do about a plan: play `reply`, keep the `rest`, or drop it."""

    reply: Reply | None = None
    rest: Plan | None = None  # the plan without the replies already played
    is_stale: bool = False


def read(game: int, role: str) -> Plan | None:
    """Return the plan of a role; None if it has none."""
    row = ReplyPlan.objects.filter(game=game, role=role).first()
    return _plan_of(row) if row else None


def plans_of(games: Sequence[int]) -> dict[int, list[Plan]]:
    """Return the plans of both roles by game, with one query; games without plans are left out."""
    found: defaultdict[int, list[Plan]] = defaultdict(list)
    for row in ReplyPlan.objects.filter(game__in=games):
        found[row.game_id].append(_plan_of(row))
    return found


def revs(slugs: Sequence[str]) -> dict[tuple[str, str], int]:
    """Return when each plan of some games was changed, by slug and role."""
    rows = ReplyPlan.objects.filter(game__slug__in=slugs)
    return {(slug, role): at for slug, role, at in rows.values_list("game__slug", "role", "at")}


def due_games() -> list[str]:
    """Return the slugs of games that have moved on since a plan was saved, or have ended."""
    is_current = Q(game__step=F("step"), game__takebacks=F("takebacks"), game__ended__isnull=True)
    rows = ReplyPlan.objects.filter(~is_current).order_by("pk")
    return list(dict.fromkeys(rows.values_list("game__slug", flat=True)[:MAX_DUE]))


def replace_plan(game: GameState, role: Role, lines: Lines, at: int) -> None:
    """Replace the plan of a role for the open step of a game; without lines, delete it.

    Raise `Refused` if the game has moved on since it was read.
    """
    with transaction.atomic():
        # Locked, so that an action of the opponent is committed either before or after.
        row = Game.objects.select_for_update(no_key=True).filter(pk=game.id).first()
        if row is None or (row.step, row.takebacks, row.ended) != (game.step, game.takebacks, None):
            raise Refused(Reason.STALE_STEP)
        plans = ReplyPlan.objects.filter(game=game.id, role=role)
        before = plans.values_list("at", flat=True).first()
        if not lines:
            plans.delete()
            return
        values = {
            "step": game.step,
            "takebacks": game.takebacks,
            "lines": as_json(lines),
            "at": at if before is None else max(at, before + 1),
        }
        ReplyPlan.objects.update_or_create(game_id=game.id, role=role, defaults=values)


def drop(plan: Plan) -> bool:
    """Delete a plan unless it was changed meanwhile; return whether it was deleted."""
    return bool(_same(plan).delete()[0])


def carry_on(plan: Plan, step: int, rest: Lines) -> bool:
    """Keep the rest of a plan for a later step, unless it was changed meanwhile."""
    if not rest:
        return drop(plan)
    return bool(_same(plan).update(step=step, lines=as_json(rest), at=plan.at + 1))


def judge(game: GameState, plan: Plan) -> Due:
    """Return the next thing to do about a plan, from the steps since it was saved.

    The replies among them that were played ahead are followed; an own turn made by hand, a
    takeback, the end of the game, and a turn that no line expects make the plan stale.
    """
    if game.ending or plan.takebacks != game.takebacks or not _is_active(game, plan.role):
        return Due(is_stale=True)
    if plan.step == game.step:
        return Due()
    steps = load.steps_of(game.id, game.rev, plan.step, game.step)
    base = load.rewind_to(game, plan.step)
    while True:
        theirs, mine = _first_turns(steps, plan.role)
        if mine and not mine[0].is_ahead:
            return Due(is_stale=True)
        if not mine and plan.role not in game.control:
            return Due()  # the opponent's turn goes on
        reply = reply_to(game.rules, base.state, plan.role, plan.lines, _actions(theirs))
        if reply is None:
            return Due(is_stale=True)
        if not mine:
            return Due(reply)
        # The reply was played, and the process died before it had noted the rest.
        number = mine[-1].number + 1
        plan = plan._replace(step=number, lines=reply.rest)
        if not plan.lines:
            return Due(is_stale=True)
        if number == game.step:
            return Due(rest=plan)
        base, steps = load.rewind_to(game, number), steps[len(theirs) + len(mine) :]


def _first_turns(steps: Sequence[Step], role: Role) -> tuple[list[Step], list[Step]]:
    """Return the first turn of the opponent in some steps, and the own turn after it."""
    theirs: list[Step] = []
    mine: list[Step] = []
    for step in steps:
        is_own = role in msgspec.json.decode(step.joint)
        if not is_own and mine:
            break
        (mine if is_own else theirs).append(step)
    return theirs, mine


def _actions(steps: Sequence[Step]) -> Turn:
    return tuple(
        text
        for step in steps
        for text in msgspec.json.decode(step.joint, type=dict[str, str]).values()
    )


def _is_active(game: GameState, role: Role) -> bool:
    """Return whether the player of a role is neither suspended nor deleted."""
    return Seat.objects.filter(game=game.id, role=role, user__is_active=True).exists()


def _same(plan: Plan) -> QuerySet[ReplyPlan]:
    return ReplyPlan.objects.filter(game=plan.game, role=plan.role, at=plan.at)


def _plan_of(row: ReplyPlan) -> Plan:
    lines = msgspec.json.decode(row.lines, type=Lines)
    role: Role = "white" if row.role == "white" else "black"
    return Plan(row.game_id, role, row.step, row.takebacks, row.at, lines)
