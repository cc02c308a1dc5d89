"""What the accepted frames make of a game: the laboratory's own folding of a record.

It knows the pure rules and the contract of the ledger, and nothing of how the server does it.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from games.catalogue import rules_of
from games.core import advance, assemble, missing
from tests.faults.rows import GameRows, Row

MOST_LAG = 500  # ms of a go that may be given back
Sent = dict[tuple[str, str], Row]  # role and id to the frame


@dataclass(frozen=True)
class Turn:
    """One turn, with the state before it."""

    joint: dict[str, str]
    spent: dict[str, int]
    rev: int
    before: Any
    go: int


@dataclass
class Fold:
    """The end of the folding; `trouble` says where the record cannot be followed."""

    turns: list[Turn] = field(default_factory=list)
    undone: list[Turn] = field(default_factory=list)
    waiting: dict[str, str] = field(default_factory=dict)
    state: Any = None
    left: dict[str, int] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)
    ended: int | None = None  # rev of the entry after which no other may come


def fold(rows: GameRows, sent: Sent) -> Fold:
    """Plays what was sent, in the order of the entries."""
    game, rules = rows.game, rules_of(rows.game["rules"])
    kind, initial, increment = (game[f"clock_{n}"] for n in ("kind", "initial", "increment"))
    done = Fold(state=rules.start(), left=dict.fromkeys(("white", "black"), initial))
    sealed: dict[str, tuple[Any, int]] = {}
    since, lag_used = 0, dict.fromkeys(("white", "black"), 0)
    for entry in rows.entries:
        at, role, body = entry["received_at"], entry["role"], json.loads(entry["body"])
        if entry["kind"] == "open":
            since = at
        elif entry["kind"] == "credit":
            since += body["ms"]
        elif entry["kind"] == "takeback-accept":
            since = at
            _take_back(done, rules, role, lag_used)
            sealed = {}
        elif entry["kind"] == "act":
            actions = sent.get((role, entry["action_id"]), {}).get("actions") or body.get("actions")
            if not isinstance(actions, list):
                done.trouble.append(f"rev {entry['rev']}: nobody knows what was done")
                return done
            credit = entry.get("lag") or 0
            lag_used[role] += credit
            if not 0 <= lag_used[role] <= MOST_LAG:
                done.trouble.append(f"rev {entry['rev']}: {lag_used[role]} ms of lag in one go")
            for text in actions:
                if role in sealed:
                    done.trouble.append(f"rev {entry['rev']}: {role} has sealed twice")
                    return done
                try:
                    sealed[role] = (rules.parse(text), max(0, at - since - credit))
                    chosen = {r: action for r, (action, _) in sealed.items()}
                    if missing(rules, done.state, chosen):
                        continue
                    before, go = done.state, rules.goes(done.state)
                    done.state = advance(rules, before, assemble(rules, before, chosen))
                except ValueError as error:
                    done.trouble.append(f"rev {entry['rev']}: {text!r} is not allowed: {error}")
                    return done
                credit = 0
                is_go = rules.goes(done.state) > go
                for r, (_, ms) in sealed.items():
                    done.left[r] -= ms
                    if is_go:
                        done.left[r] = done.left[r] + increment if kind == "fischer" else initial
                        lag_used[r] = 0
                joint = {r: str(action) for r, action in chosen.items()}
                spent = {r: ms for r, (_, ms) in sealed.items()}
                done.turns.append(Turn(joint, spent, entry["rev"], before, go))
                sealed, since = {}, at
    done.waiting = {r: str(action) for r, (action, _) in sealed.items()}
    return done


def _take_back(done: Fold, rules: Any, role: str, lag_used: dict[str, int]) -> None:
    """Back to the beginning of the latest go of the role that asked."""
    asker = "black" if role == "white" else "white"
    goes = [turn.go for turn in done.turns if asker in turn.joint]
    if not goes:
        done.trouble.append(f"{asker} had nothing to take back")
        return
    number = next(n for n, turn in enumerate(done.turns) if turn.go == max(goes))
    done.state = done.turns[number].before
    done.undone += done.turns[number:]
    del done.turns[number:]
    lag_used.update(white=0, black=0)
