"""Independent fold of a game's accepted frames, to compare with its record.

It knows the pure rules and the contract of the ledger, and nothing of how the server does it.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from games.catalogue import rules_of
from games.core import advance, assemble_joint, missing_roles
from tests.faults.laws.stored_rows import GameRows, Row

MAX_LAG_MS = 500  # ms of a turn that may be given back
RESERVE_MS = 10_000  # left on a clock by a takeback that deducts increments, if it had as much
Sent = dict[tuple[str, str], Row]  # role and id to the frame


@dataclass(frozen=True)
class Step:
    """One step, with the state before it."""

    joint: dict[str, str]
    spent: dict[str, int]
    left: dict[str, int]  # ms on both clocks before the step
    earned: dict[str, int]  # ms of the increments of turns that it completed
    rev: int
    before: Any
    turn: int


@dataclass
class Fold:
    """The end of the folding; `trouble` says where the record cannot be followed."""

    steps: list[Step] = field(default_factory=list)
    undone: list[tuple[int, int, Step]] = field(default_factory=list)  # rev of the takeback, number
    takebacks: list[Row] = field(default_factory=list)  # bodies of the entries that are expected
    waiting: dict[str, str] = field(default_factory=dict)
    state: Any = None
    left: dict[str, int] = field(default_factory=dict)
    first_turn: dict[str, int] = field(default_factory=dict)  # ms left of the allowances
    since: int = 0  # ms, from when the clocks run
    has_begun: bool = True
    trouble: list[str] = field(default_factory=list)
    ended: int | None = None  # rev of the entry after which no other may come


def fold(rows: GameRows, sent: Sent) -> Fold:
    """Plays what was sent, in the order of the entries."""
    game, rules = rows.game, rules_of(rows.game["rules"])
    kind, initial, increment = (game[f"clock_{n}"] for n in ("kind", "initial", "increment"))
    done = Fold(state=rules.start(), left=dict.fromkeys(("white", "black"), initial))
    sealed: dict[str, tuple[Any, int]] = {}
    lag_used, pause = dict.fromkeys(("white", "black"), 0), 0
    for entry in rows.entries:
        at, role, body = entry["received_at"], entry["role"], json.loads(entry["body"])
        if entry["kind"] == "open":
            done.since, pause = at, body.get("reveal_pause_ms", 0)
            done.first_turn = dict(body.get("first_turn_ms", {}))
            done.has_begun = not body.get("begin_wait_ms")
        elif entry["kind"] == "begin":
            done.since, done.has_begun = at, True
        elif entry["kind"] == "credit":
            done.since += body["ms"]
        elif entry["kind"] == "takeback-accept":
            for r in rules.control(done.state):
                _spend(done, r, max(0, at - done.since))
            done.since = at
            _take_back(done, role, entry["rev"], is_earning=kind == "fischer")
            lag_used.update(white=0, black=0)
            sealed = {}
        elif entry["kind"] == "act":
            actions = sent.get((role, entry["action_id"]), {}).get("actions") or body.get("actions")
            if not isinstance(actions, list):
                done.trouble.append(f"rev {entry['rev']}: nobody knows what was done")
                return done
            credit = entry.get("lag") or 0
            lag_used[role] += credit
            if not 0 <= lag_used[role] <= MAX_LAG_MS:
                done.trouble.append(f"rev {entry['rev']}: {lag_used[role]} ms of lag in one turn")
            for text in actions:
                if role in sealed:
                    done.trouble.append(f"rev {entry['rev']}: {role} has sealed twice")
                    return done
                try:
                    ran = max(0, at - done.since) if done.has_begun else 0
                    sealed[role] = (rules.parse(text), ran - credit)
                    chosen = {r: action for r, (action, _) in sealed.items()}
                    if missing_roles(rules, done.state, chosen):
                        continue
                    before, turn = done.state, rules.turns(done.state)
                    done.state = advance(rules, before, assemble_joint(rules, before, chosen))
                except ValueError as error:
                    done.trouble.append(f"rev {entry['rev']}: {text!r} is not allowed: {error}")
                    return done
                credit = 0
                is_turn = rules.turns(done.state) > turn
                left, earned = dict(done.left), {}
                for r, (_, ms) in sealed.items():
                    is_first = r in done.first_turn
                    _spend(done, r, ms)
                    if is_turn:
                        earned[r] = 0 if is_first else increment
                        done.left[r] = done.left[r] + earned[r] if kind == "fischer" else initial
                        done.first_turn.pop(r, None)
                        lag_used[r] = 0
                joint = {r: str(action) for r, action in chosen.items()}
                spent = {r: ms for r, (_, ms) in sealed.items()}
                done.steps.append(Step(joint, spent, left, earned, entry["rev"], before, turn))
                sealed, done.since, done.has_begun = {}, at + pause, True
    done.waiting = {r: str(action) for r, (action, _) in sealed.items()}
    return done


def _spend(done: Fold, role: str, ms: int) -> None:
    """Takes time from the allowance of a first turn, or else from the clock."""
    purse = done.first_turn if role in done.first_turn else done.left
    purse[role] -= ms


def _take_back(done: Fold, role: str, rev: int, *, is_earning: bool) -> None:
    """Back to the beginning of the latest turn of the role that asked, without its increments."""
    asker = "black" if role == "white" else "white"
    turns = [step.turn for step in done.steps if asker in step.joint]
    if not turns:
        done.trouble.append(f"{asker} had nothing to take back")
        return
    number = next(n for n, step in enumerate(done.steps) if step.turn == max(turns))
    undone = done.steps[number:]
    done.state = undone[0].before
    done.undone += [(rev, n, step) for n, step in enumerate(undone, start=number)]
    del done.steps[number:]
    body: Row = {"to": number}
    if is_earning:
        body["returned"] = {
            r: min(
                sum(step.earned.get(r, 0) for step in undone),
                left - min(left, undone[0].left[r], RESERVE_MS),
            )
            for r, left in done.left.items()
        }
        for r, ms in body["returned"].items():
            done.left[r] -= ms
    done.takebacks.append(body)
