"""Entries of actions: what was sealed, what it resolved, and whether the rules allowed it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.audit import ends
from games.audit.book import Book, Seal, Turned
from games.audit.ends import Result
from games.audit.lines import Broken, Line
from games.core import ROLES, Action, BadAction, IllegalAction, Role, advance, assemble
from games.ledger import commitment

MOST_ACTIONS = 4  # that one entry can hold


def act(book: Book, line: Line) -> Result | None:
    """Reads an entry of a role that has acted; the result, if that ended the game."""
    role, rules = book.role_of(line), book.rules
    if line.body.get("turn") != len(book.turns):
        raise Broken(
            f"it is for turn {line.body.get('turn')}, and number {len(book.turns)} is next"
        )
    if role not in rules.control(book.state) or role in book.waiting:
        raise Broken(f"{role} has nothing to decide")
    if rules.kind == "split":
        _seal(book, line, role)
    else:
        _play(book, line, role)
    offers = book.offers.items()
    book.offers = {what: offer for what, offer in offers if what == "draw" and offer["by"] == role}
    return ends.by_the_rules(rules, book.state)


def _play(book: Book, line: Line, role: Role) -> None:
    """Plays the actions of a go, or of a part of it."""
    goes, lag = book.rules.goes(book.state), line.lag
    for text in _texts(book, line, role):
        if book.rules.goes(book.state) > goes or role not in book.rules.control(book.state):
            raise Broken("it has more actions than a go")
        spent = _stop(book, line, role, lag)
        lag = 0  # the first action has had it
        _resolve(book, line, {role: text}, {role: spent}, {})


def _texts(book: Book, line: Line, role: Role) -> list[str]:
    actions = line.body.get("actions")
    if line.is_old and type(actions) is int:
        if actions > MOST_ACTIONS:
            raise Broken("it has more actions than a go")
        joints = [book.known(len(book.turns) + n, line.rev) for n in range(actions)]
        texts = [joint.get(role, "") for joint in joints if joint]
        if len(texts) < actions or "" in texts:
            raise Broken("the entry is too old to say what was played, and nothing else does")
        return texts
    texts = list(actions) if isinstance(actions, list) else []
    if not texts or not all(type(text) is str for text in texts):
        raise Broken("the entry does not say what was played")
    return texts


def _seal(book: Book, line: Line, role: Role) -> None:
    """Takes a sealed action; the second one opens both."""
    made, reveal = line.body.get("commitment"), line.body.get("reveal")
    if not line.is_old and not isinstance(made, str):
        raise Broken("nothing is committed to")
    seal = Seal(made, _stop(book, line, role, line.lag), line.at)
    seals = {**book.waiting, role: seal}
    if len(seals) < len(ROLES):
        book.waiting = seals
        if reveal is not None:
            raise Broken("a seal is opened before the other role has sealed")
        return
    book.waiting = {}
    spent = {r: each.spent for r, each in seals.items()}
    if line.is_old:
        joint = book.known(len(book.turns), line.rev)
        if joint is None or joint.keys() != set(ROLES):
            raise Broken("the entry is too old to say what was revealed, and nothing else does")
        _resolve(book, line, {r: joint[r] for r in ROLES}, spent, {})
        return
    opened = _opened(book, line, seals, reveal)
    proofs = {
        r: {"salt": opened[r]["salt"], "commitment": _commitment(book, r, opened[r])} for r in ROLES
    }
    _resolve(book, line, {r: opened[r]["action"] for r in ROLES}, spent, proofs)


def _opened(
    book: Book, line: Line, seals: Mapping[Role, Seal], reveal: Any
) -> Mapping[Role, Mapping[str, str]]:
    """The actions and salts that the entry reveals, each compared with its commitment."""
    if not isinstance(reveal, dict) or reveal.keys() != set(ROLES):
        raise Broken("both have sealed, and nothing is revealed")
    for role in ROLES:
        seal = reveal[role]
        is_seal = isinstance(seal, dict) and seal.keys() == {"action", "salt"}
        if not is_seal or not all(type(part) is str for part in seal.values()):
            raise Broken(f"the seal of {role} is not opened")
        if seals[role].commitment not in (None, _commitment(book, role, seal)):
            book.complain(line, f"{role} reveals something else than was committed to")
    return reveal


def _commitment(book: Book, role: Role, seal: Mapping[str, str]) -> str:
    return commitment(book.game, len(book.turns), role, seal["action"], seal["salt"])


def _stop(book: Book, line: Line, role: Role, lag: int) -> int:
    spent, faults = book.times.sealed(role, line.at, lag)
    for fault in faults:
        book.complain(line, fault)
    return spent


def _resolve(
    book: Book,
    line: Line,
    texts: Mapping[Role, str],
    spent: Mapping[Role, int],
    seals: Mapping[Role, Mapping[str, str]],
) -> None:
    """Plays one turn by the rules. Raises Broken if they do not allow it."""
    rules, before = book.rules, book.state
    try:
        actions: dict[Role, Action] = {role: rules.parse(str(text)) for role, text in texts.items()}
        joint = assemble(rules, before, actions)
        book.state = advance(rules, before, joint)
    except (BadAction, IllegalAction) as refusal:
        raise Broken(f"the rules do not allow {' and '.join(texts.values())}: {refusal}") from None
    go = rules.goes(before)
    placed = any(effect.kind == "place" for effect in rules.effects(before, joint, None))
    number = len(book.turns)
    turn = Turned(number, dict(texts), line.at, dict(spent), seals, before, go, placed)
    book.turns.append(turn)
    ended = actions if rules.goes(book.state) > go else ()
    book.times.go_on(rules.control(book.state), ended, line.at)
