"""Decide what a command changes in a game: pure, without database, clock or randomness.

Each decider takes a game and a command in its envelope, or a check by the server, and returns the
change or raises `Refused`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from accounts.refusals import Refused
from games.core import Action, BadAction, Code, IllegalAction, Role, Rules, fill_noop
from play.domain import clocks
from play.domain.change import Change, StepRecord, make_change, require_seat
from play.domain.commands import (
    Abort,
    Act,
    Claim,
    ClaimDecided,
    CountNow,
    Credit,
    Draw,
    Envelope,
    Flag,
    Holiday,
    Idle,
    PlayedAhead,
    Resign,
    ServerCommand,
    Shown,
    Takeback,
)
from play.domain.endings import (
    abort,
    claim,
    claim_decided,
    count_body,
    count_now,
    find_ending,
    flag,
    idle,
    resign,
    show,
)
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState, Offer, Offered, apply_joint, make_seal
from play.domain.holidays import holiday
from play.domain.offers import draw, takeback


def decide_act(game: GameState, envelope: Envelope[Act]) -> Change:
    """Seal the actions of a role in order and resolve each step that becomes complete."""
    command, role = envelope.command, require_seat(game, envelope)
    if command.step != game.step or command.takebacks not in (None, game.takebacks):
        raise Refused(Reason.STALE_STEP)
    if role in game.sealed:
        raise Refused(Reason.ALREADY_SEALED)
    if role not in game.control:
        raise Refused(Reason.NOT_IN_CONTROL)
    at = envelope.received_at
    lag = clocks.lag_credit(game.clock, game.times, role, envelope.lag, at)
    if game.clock.kind != "none" and game.times.remaining_at(role, at - lag) < 0:
        raise Refused(Reason.TOO_LATE)

    after = game
    steps: list[StepRecord] = []
    for index, text in enumerate(command.actions):
        if index and after.rules.turns(after.state) > game.rules.turns(game.state):
            raise Refused(Reason.NOT_IN_CONTROL, index=index)
        action = parse_legal(after.rules, after.state, role, text, index)
        after, step = _seal_action(after, envelope, role, action, 0 if index else lag)
        if step:
            steps.append(step)
        elif index + 1 < len(command.actions):
            raise Refused(Reason.NOT_IN_CONTROL, index=index + 1)

    if after.offers:
        after = replace(after, offers=_remaining_offers(after.offers, role))
    if ending := find_ending(after):
        after = replace(after, ending=ending)
    body = _ledger_body(after, command, role, steps)
    return make_change(game, after, envelope, role, command.kind, body, lag, tuple(steps))


def _remaining_offers(offers: Mapping[Offered, Offer], role: Role) -> Mapping[Offered, Offer]:
    """Return the offers that stand after an action of `role`.

    A draw offer of the same role stays open. A takeback offer is dropped, because the action
    changes the turn that it would undo.
    """
    draw = offers.get("draw")
    return {"draw": draw} if draw and draw.by == role else {}


def _seal_action(
    game: GameState, envelope: Envelope[Act], role: Role, action: Action, lag: int
) -> tuple[GameState, StepRecord | None]:
    """Return the game with one more sealed action, and the step if the action completed it."""
    rules, at = game.rules, envelope.received_at
    spent = game.times.elapsed(role, at) - lag
    seals = {**game.sealed, role: make_seal(game, role, action, spent, envelope.salt)}
    times = clocks.stop_clock(game.times, role, at, lag)
    actions: dict[Role, Action] = {role: seal.action for role, seal in seals.items()}
    if game.control - actions.keys():
        return replace(game, sealed=seals, times=times), None
    turns = rules.turns(game.state)
    proofs = {role: seal.proof for role, seal in seals.items() if seal.proof}
    times_spent = {role: seal.spent for role, seal in seals.items()}
    is_ahead = isinstance(envelope.command, PlayedAhead)
    after = apply_joint(game, fill_noop(rules, actions), proofs, times_spent, is_ahead)
    ended = actions if rules.turns(after.state) > turns else ()
    is_earning = ended and not rules.is_simultaneous
    earned = clocks.turn_increment(game.clock, times, role) if is_earning else 0
    times = clocks.resume_clocks(game.clock, times, after.control, ended, at)
    resolved = StepRecord(
        game.step,
        {role: str(action) for role, action in actions.items()},
        times_spent,
        proofs,
        is_ahead,
        earned,
    )
    return replace(after, times=times), resolved


def _ledger_body(
    after: GameState, command: Act, role: Role, steps: Sequence[StepRecord]
) -> dict[str, object]:
    """Return the body of the ledger entry.

    It has the actions. Of a secret action it has only the commitment until the step resolves, and
    then the action and salt of every role.
    """
    waiting = after.sealed.get(role)
    if waiting:
        assert waiting.proof is not None
        return {"step": command.step, "commitment": waiting.proof.commitment}
    (step, *_) = steps
    if not step.proofs:
        ahead = {"ahead": True} if isinstance(command, PlayedAhead) else {}
        actions = list(command.actions)
        return {"step": command.step, "actions": actions, **ahead, **count_body(after)}
    opened = {r: {"action": step.joint[r], "salt": proof.salt} for r, proof in step.proofs.items()}
    return {
        "step": command.step,
        "commitment": step.proofs[role].commitment,
        "reveal": opened,
    }


def parse_legal(rules: Rules[Any], state: Any, role: Role, text: str, index: int) -> Action:
    """Return the action of a text if it is legal for a role in a state.

    Raise `Refused` with `index`, the place of the action among those that were sent.
    """
    try:
        action = rules.parse(text)
        rules.check(state, role, action)
    except BadAction as error:
        raise Refused(Reason.BAD_ACTION, say=str(error), index=index) from None
    except IllegalAction as error:
        reason = Reason.NOT_IN_CONTROL if error.code == Code.NOT_IN_CONTROL else Reason.ILLEGAL
        raise Refused(
            reason, say=str(error), code=error.code, squares=error.squares, index=index
        ) from None
    return action


def credit(game: GameState, command: Credit) -> Change:
    """Return the change that credits the time in which no server ran.

    A server ran when this game last changed, so time that was credited before is not credited
    again.
    """
    down_since = max(command.down_since, game.changed)
    times = clocks.credit_downtime(game.times, down_since, command.received_at)
    gift = times.since - game.times.since
    if game.ending or game.clock.kind == "none" or gift <= 0:
        raise Refused(Reason.OVER, say="No clock of this game ran.")
    return make_change(game, replace(game, times=times), command, None, "credit", {"ms": gift})


DECIDERS: Mapping[type, Callable[[GameState, Any], Change]] = {
    Act: decide_act,
    PlayedAhead: decide_act,
    Resign: resign,
    Draw: draw,
    Takeback: takeback,
    Abort: abort,
    Claim: claim,
    CountNow: count_now,
    ClaimDecided: claim_decided,
    Shown: show,
    Flag: flag,
    Holiday: holiday,
    Idle: idle,
    Credit: credit,
}


def decide(game: GameState, command: Envelope[Any] | ServerCommand) -> Change:
    """Return the change that a command makes. Raise `Refused` if it makes none."""
    asked = command.command if isinstance(command, Envelope) else command
    return DECIDERS[type(asked)](game, command)


def clamp_received_at(
    game: GameState, command: Envelope[Any] | ServerCommand
) -> Envelope[Any] | ServerCommand:
    """Return the command, received no sooner than the game's last change.

    A command that had to wait comes after time that was credited meanwhile, and is not charged for
    it.
    """
    if isinstance(command, Envelope) and command.received_at < game.changed:
        return replace(command, received_at=game.changed)
    return command
