"""Audit of entries of actions: seals, resolved steps and their legality."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.audit import results
from games.audit.clock_times import RUNNING_KINDS
from games.audit.counts import result_by_limit
from games.audit.entries import Broken, ParsedEntry
from games.audit.game_record import GameRecord, PlayedStep, Seal
from games.audit.results import Result
from games.core import ROLES, Action, BadAction, IllegalAction, Role, advance, assemble_joint
from games.ledger import commitment


def act(record: GameRecord, entry: ParsedEntry) -> Result | None:
    """Apply an entry of a role that acted; return the result if it ended the game."""
    role, rules = record.role_of(entry), record.rules
    if entry.body.get("step") != len(record.steps):
        raise Broken(
            f"it is for step {entry.body.get('step')}, but step {len(record.steps)} is next"
        )
    if role not in rules.control(record.state) or role in record.waiting:
        raise Broken(f"{role} is not in control")
    if rules.is_simultaneous:
        _seal(record, entry, role)
    else:
        _play(record, entry, role)
    offers = record.offers.items()
    record.offers = {
        what: offer for what, offer in offers if what == "draw" and offer["by"] == role
    }
    by_rules = results.result_by_rules(rules, record.state)
    return by_rules or result_by_limit(record, entry)


def _play(record: GameRecord, entry: ParsedEntry, role: Role) -> None:
    """Play the actions of a turn, or of a part of it."""
    _check_ahead(record, entry, role)
    turns, lag = record.rules.turns(record.state), entry.lag
    for text in _texts(entry):
        if record.rules.turns(record.state) > turns or role not in record.rules.control(
            record.state
        ):
            raise Broken("it has more actions than a turn")
        spent = _stop_clock(record, entry, role, lag)
        lag = 0  # credited with the first action
        _resolve(record, entry, {role: text}, {role: spent}, {})


def _check_ahead(record: GameRecord, entry: ParsedEntry, role: Role) -> None:
    """Check an entry that says it is a conditional reply: it answers a turn in a slow game."""
    if "ahead" not in entry.body:
        return
    if entry.body["ahead"] is not True:
        record.complain(entry, "it says something else than that it was played ahead")
    if record.times.kind in RUNNING_KINDS:
        record.complain(entry, "a move is played ahead in a game with a running clock")
    if not record.steps or role in record.steps[-1].joint:
        record.complain(entry, f"{role} plays ahead, but answers no move")


def _texts(entry: ParsedEntry) -> list[str]:
    actions = entry.body.get("actions")
    texts = list(actions) if isinstance(actions, list) else []
    if not texts or not all(type(text) is str for text in texts):
        raise Broken("the entry does not say what was played")
    return texts


def _seal(record: GameRecord, entry: ParsedEntry, role: Role) -> None:
    """Record a sealed action; the second one reveals both."""
    made, reveal = entry.body.get("commitment"), entry.body.get("reveal")
    if not isinstance(made, str):
        raise Broken("the commitment is missing")
    seal = Seal(made, _stop_clock(record, entry, role, entry.lag), entry.at)
    seals = {**record.waiting, role: seal}
    if len(seals) < len(ROLES):
        record.waiting = seals
        if reveal is not None:
            raise Broken("an action is revealed before the other role has sealed")
        return
    record.waiting = {}
    spent = {r: each.spent for r, each in seals.items()}
    opened = _open_seals(record, entry, seals, reveal)
    proofs = {
        r: {"salt": opened[r]["salt"], "commitment": _commitment(record, r, opened[r])}
        for r in ROLES
    }
    _resolve(record, entry, {r: opened[r]["action"] for r in ROLES}, spent, proofs)


def _open_seals(
    record: GameRecord, entry: ParsedEntry, seals: Mapping[Role, Seal], reveal: Any
) -> Mapping[Role, Mapping[str, str]]:
    """Return the revealed actions and salts, each compared with its commitment."""
    if not isinstance(reveal, dict) or reveal.keys() != set(ROLES):
        raise Broken("both roles have sealed, but nothing is revealed")
    for role in ROLES:
        seal = reveal[role]
        is_seal = isinstance(seal, dict) and seal.keys() == {"action", "salt"}
        if not is_seal or not all(type(part) is str for part in seal.values()):
            raise Broken(f"the action of {role} is not revealed")
        if seals[role].commitment != _commitment(record, role, seal):
            record.complain(entry, f"{role} reveals something else than was committed to")
    return reveal


def _commitment(record: GameRecord, role: Role, seal: Mapping[str, str]) -> str:
    return commitment(record.game, len(record.steps), role, seal["action"], seal["salt"])


def _stop_clock(record: GameRecord, entry: ParsedEntry, role: Role, lag: int) -> int:
    spent, faults = record.times.stop_role(role, entry.at, lag)
    for fault in faults:
        record.complain(entry, fault)
    return spent


def _resolve(
    record: GameRecord,
    entry: ParsedEntry,
    texts: Mapping[Role, str],
    spent: Mapping[Role, int],
    seals: Mapping[Role, Mapping[str, str]],
) -> None:
    """Play one step by the rules. Raises Broken if they do not allow it."""
    rules, before = record.rules, record.state
    try:
        actions: dict[Role, Action] = {role: rules.parse(str(text)) for role, text in texts.items()}
        joint = assemble_joint(rules, before, actions)
        record.state = advance(rules, before, joint)
    except (BadAction, IllegalAction) as refusal:
        raise Broken(f"the rules do not allow {' and '.join(texts.values())}: {refusal}") from None
    turn = rules.turns(before)
    placed = any(effect.kind == "place" for effect in rules.effects(before, joint, None))
    number = len(record.steps)
    is_ahead = entry.body.get("ahead") is True
    ended = actions if rules.turns(record.state) > turn else ()
    earned = record.times.start_step(rules.control(record.state), ended, entry.at)
    step = PlayedStep(
        number,
        dict(texts),
        entry.at,
        dict(spent),
        seals,
        before,
        turn,
        placed,
        is_ahead,
        0 if rules.is_simultaneous else sum(earned.values()),
        record.left,
    )
    record.steps.append(step)
