"""Actions: each is sealed by its role, and a turn resolves when nobody is missing any more."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from games.core import Action, BadAction, Code, IllegalAction, Role, filled
from play import clocks
from play.change import Change, Resolved, changed, seated
from play.commands import Act
from play.endings import by_the_rules
from play.live import Live, Offer, Offered, played, sealed
from play.refusals import Reason, Refused


def act(live: Live, command: Act) -> Change:
    """Seals the actions of a role one after the other, resolving each turn that is complete."""
    role = seated(live, command)
    if command.turn != live.turn or command.takebacks not in (None, live.takebacks):
        raise Refused(Reason.STALE_TURN)
    if role in live.sealed:
        raise Refused(Reason.ALREADY_SEALED)
    if role not in live.control:
        raise Refused(Reason.NOT_IN_CONTROL)
    at = command.received_at
    lag = clocks.credit_of(live.clock, live.times, role, command.lag, at)
    if live.clock.kind != "none" and live.times.left_at(role, at - lag) < 0:
        raise Refused(Reason.TOO_LATE)

    after = live
    turns: list[Resolved] = []
    for index, text in enumerate(command.actions):
        if index and after.rules.goes(after.state) > live.rules.goes(live.state):
            raise Refused(Reason.NOT_IN_CONTROL, index=index)
        action = _legal(after, role, text, index)
        after, turn = _sealed(after, command, role, action, 0 if index else lag)
        if turn:
            turns.append(turn)
        elif index + 1 < len(command.actions):
            raise Refused(Reason.NOT_IN_CONTROL, index=index + 1)

    if after.offers:
        after = replace(after, offers=_outliving(after.offers, role))
    if ending := by_the_rules(after):
        after = replace(after, ending=ending)
    body = _said(after, command, role, turns)
    return changed(live, after, command, role, command.kind, body, lag, tuple(turns))


def _outliving(offers: Mapping[Offered, Offer], role: Role) -> Mapping[Offered, Offer]:
    """The offers that stand after an action of `role`: one offers a draw and plays on, but what a
    takeback would undo has changed."""
    draw = offers.get("draw")
    return {"draw": draw} if draw and draw.by == role else {}


def _sealed(
    live: Live, command: Act, role: Role, action: Action, lag: int
) -> tuple[Live, Resolved | None]:
    """The game with one more action sealed, and the turn if that completed it."""
    rules, at = live.rules, command.received_at
    spent = max(0, at - live.times.since) - lag
    seals = {**live.sealed, role: sealed(live, role, action, spent, command.salt)}
    times = clocks.stopped(live.times, role, at, lag)
    actions: dict[Role, Action] = {role: seal.action for role, seal in seals.items()}
    if live.control - actions.keys():
        return replace(live, sealed=seals, times=times), None
    goes = rules.goes(live.state)
    proofs = {role: seal.proof for role, seal in seals.items() if seal.proof}
    after = played(live, filled(rules, actions), proofs)
    ended = actions if rules.goes(after.state) > goes else ()
    times = clocks.resumed(live.clock, times, after.control, ended, at)
    resolved = Resolved(
        live.turn,
        {role: str(action) for role, action in actions.items()},
        {role: seal.spent for role, seal in seals.items()},
        proofs,
    )
    return replace(after, times=times), resolved


def _said(after: Live, command: Act, role: Role, turns: Sequence[Resolved]) -> dict[str, object]:
    """What the ledger keeps: the actions; of a sealed one the commitment alone until its turn
    resolves, and then also what opens it."""
    waiting = after.sealed.get(role)
    if waiting:
        assert waiting.proof is not None
        return {"turn": command.turn, "commitment": waiting.proof.commitment}
    (turn, *_) = turns
    if not turn.proofs:
        return {"turn": command.turn, "actions": list(command.actions)}
    opened = {r: {"action": turn.joint[r], "salt": proof.salt} for r, proof in turn.proofs.items()}
    return {
        "turn": command.turn,
        "commitment": turn.proofs[role].commitment,
        "reveal": opened,
    }


def _legal(live: Live, role: Role, text: str, index: int) -> Action:
    try:
        action = live.rules.parse(text)
        live.rules.check(live.state, role, action)
    except BadAction as error:
        raise Refused(Reason.BAD_ACTION, say=str(error), index=index) from None
    except IllegalAction as error:
        reason = Reason.NOT_IN_CONTROL if error.code == Code.NOT_IN_CONTROL else Reason.ILLEGAL
        raise Refused(
            reason, say=str(error), code=error.code, squares=error.squares, index=index
        ) from None
    return action
