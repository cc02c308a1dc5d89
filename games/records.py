"""Replay of recorded games and hand-made positions given as JSON.

The format is that of the reference games: a game is an object with `game` (a key of the catalogue),
`id` and `actions`: canonical strings of the role in control, in Blotto pairs [white, black].
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from games.catalogue import PINCER, rules_of
from games.core import (
    ROLES,
    Action,
    BadAction,
    IllegalAction,
    Joint,
    Outcome,
    Role,
    Rules,
    S,
    advance,
    assemble_joint,
)
from games.text import clip

# Our reasons in the words of the reference positions.
REASONS = {
    "captured_all": "no_pieces",
    "no_pieces": "no_pieces",
    "one_each": "single_each",
    "fifty_moves": "fifty",
    "stuck": "stuck",
}


class BadRecord(ValueError):
    """The JSON is not a game or position of the format; `str` is an English sentence."""


def replay_line(record: Any) -> dict[str, Any]:
    """Return the output line of one game.

    It has the counts and digests of the legal actions before each action, and the state after the
    last. An illegal action ends it: `error` and `index` are added, and the counts include the state
    in which it was tried. Raises BadRecord, UnknownRules.
    """
    if not isinstance(record, dict):
        raise BadRecord("A game is a JSON object.")
    rules = rules_of(str(record.get("game")))
    state = rules.start()
    counts: list[Any] = []
    digests: list[Any] = []
    scores: list[list[int]] = []
    error: dict[str, Any] = {}
    for index, entry in enumerate(_list(record, "actions")):
        roles = [role for role in ROLES if role in rules.control(state)]
        texts = _texts(entry, pair=rules.is_simultaneous)
        if roles:
            legal = [sorted(map(str, rules.choices(state, role))) for role in roles]
            both = rules.is_simultaneous
            counts.append([len(each) for each in legal] if both else len(legal[0]))
            digests.append([_digest(each) for each in legal] if both else _digest(legal[0]))
        try:
            state = advance(rules, state, _joint(rules, state, roles, texts))
        except (BadAction, IllegalAction) as refusal:
            error = {"error": _error(refusal), "index": index}
            break
        if rules.counts_points:
            totals = rules.view(state, None)["totals"]
            scores.append([totals["white"], totals["black"]])
    line = {
        "game": rules.key,
        "id": record.get("id"),
        "legal_counts": counts,
        "legal_sha256": digests,
        **_standing(rules, state),
    }
    return line | ({"scores": scores} if rules.counts_points else _board(rules, state)) | error


def position(entry: Any) -> dict[str, Any]:
    """Return the output line of one hand-made position of Pincer. Raises BadRecord."""
    if not isinstance(entry, dict):
        raise BadRecord("A position is a JSON object.")
    try:
        state = PINCER.read(f"{entry['board']} {entry['to_move']} - {entry['moves_before']} 0")
    except (KeyError, ValueError) as error:
        raise BadRecord(
            f"The position needs a board, to_move and moves_before: {clip(str(error))}."
        ) from None
    failed: dict[str, Any] = {}
    for index, text in enumerate(_list(entry, "actions")):
        roles = list(PINCER.control(state))
        try:
            joint = _joint(PINCER, state, roles, _texts(text, pair=False))
            state = advance(PINCER, state, joint)
        except (BadAction, IllegalAction) as refusal:
            failed = {"error": _error(refusal), "index": index}
            break
    outcome = PINCER.outcome(state)
    return {
        "id": entry.get("id"),
        "after": PINCER.view(state, None)["board"],
        "next": next(iter(PINCER.control(state)), None),
        "reason": REASONS[outcome.reason] if outcome else None,
        "goals": dict(outcome.goals) if outcome else None,
    } | failed


def _list(record: dict[str, Any], key: str) -> list[Any]:
    value = record.get(key)
    if not isinstance(value, list):
        raise BadRecord(f"“{key}” has to be a list.")
    return value


def _texts(entry: Any, pair: bool) -> list[str]:
    texts = entry if pair else [entry]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadRecord("An action is a string, in Blotto a pair of strings.")
    if len(texts) != (2 if pair else 1):
        raise BadRecord("An action is a string, in Blotto a pair of strings.")
    return texts


def _joint(rules: Rules[S], state: S, roles: list[Role], texts: list[str]) -> Joint:
    """Return the joint action of these canonical strings.

    After the end it is arbitrary, and `advance` refuses it.
    """
    actions: list[Action] = [rules.parse(text) for text in texts]
    if not roles:
        return dict.fromkeys(rules.roles, actions[0])
    return assemble_joint(rules, state, dict(zip(roles, actions, strict=True)))


def _digest(legal: list[str]) -> str:
    return sha256("\n".join(legal).encode()).hexdigest()[:16]


def _error(refusal: BadAction | IllegalAction) -> dict[str, Any]:
    if isinstance(refusal, IllegalAction):
        return {
            "code": str(refusal.code),
            "squares": list(refusal.squares),
            "sentence": str(refusal),
        }
    return {"code": "bad_action", "squares": [], "sentence": str(refusal)}


def _standing(rules: Rules[S], state: S) -> dict[str, Any]:
    outcome = rules.outcome(state)
    return {
        "terminal": outcome is not None,
        "goals": dict(outcome.goals) if outcome else None,
    }


def _board(rules: Rules[S], state: S) -> dict[str, Any]:
    """Return the role to move and the board; a finished Amazons game names the loser."""
    view = rules.view(state, None)
    outcome: Outcome | None = rules.outcome(state)
    has_mover = outcome is None or outcome.reason == "no_moves"
    return {"to_move": view["to_move"] if has_mover else None, "final": view["board"]}
