"""Evaluation of a turn tried in a lesson, by the rules alone; nothing is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from games import notation
from games.core import (
    OTHER,
    ROLES,
    Action,
    BadAction,
    IllegalAction,
    Joint,
    Outcome,
    Rules,
    advance,
    assemble_joint,
)
from games.effects import Effect
from pages.learn.lesson_goals import PlayedTurn
from pages.learn.lessons import Lesson

OPPONENT = "Fletcher"  # name of the opponent in lessons
MAX_ACTIONS = 3  # more than any turn has


class Verdict(StrEnum):
    """Result of an attempt. The values go over the wire."""

    SOLVED = "solved"
    MISSED = "missed"  # legal, but not the goal
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Attempted:
    """A whole legal turn, with its steps as the board shows them."""

    state: Any
    steps: tuple[dict[str, Any], ...]
    played: PlayedTurn


class Unfinished(ValueError):
    """The actions are legal but make less or more than one whole turn."""


def play_attempt(rules: Rules[Any], lesson: Lesson, texts: Sequence[str]) -> Attempted:
    """Plays canonical actions as one turn. Raises BadAction, IllegalAction, Unfinished."""
    state = rules.read(lesson.position)
    turn = rules.turns(state)
    steps: list[dict[str, Any]] = []
    effects: list[Effect] = []
    for number, text in enumerate(texts[:MAX_ACTIONS]):
        if rules.turns(state) > turn:
            raise Unfinished
        joint = _joint(rules, state, lesson, rules.parse(text))
        after = advance(rules, state, joint)
        seen = rules.effects(state, joint, None)
        steps.append(_step(rules, state, joint, number, seen))
        effects.extend(seen)
        state = after
    if rules.turns(state) == turn:
        raise Unfinished
    return Attempted(state, tuple(steps), PlayedTurn(rules, lesson.role, state, tuple(effects)))


def answer(rules: Rules[Any], lesson: Lesson, texts: Sequence[str]) -> dict[str, Any]:
    """Returns the JSON-ready answer to an attempt."""
    try:
        trial = play_attempt(rules, lesson, texts)
    except IllegalAction as refusal:
        return _refusal_json(str(refusal.code), str(refusal), refusal.squares)
    except BadAction as refusal:
        return _refusal_json("bad_action", str(refusal), ())
    except Unfinished:
        return _refusal_json("unfinished", _("That is not one whole turn."), ())
    is_solved = lesson.aim(trial.played)
    return {
        "verdict": Verdict.SOLVED if is_solved else Verdict.MISSED,
        "steps": list(trial.steps),
        "snapshot": after(rules, lesson, trial),
        "solution": None if is_solved else solution(rules, lesson),
    }


def _refusal_json(reason: str, say: str, squares: Sequence[str]) -> dict[str, Any]:
    return {"verdict": Verdict.ILLEGAL, "reason": reason, "say": say, "squares": list(squares)}


def solution(rules: Rules[Any], lesson: Lesson) -> str:
    """Returns one turn that reaches the aim, in human notation: "d1-d7/g7"."""
    trial = play_attempt(rules, lesson, lesson.solution)
    texts = [step["text"][lesson.role] for step in trial.steps]
    return "".join(texts) if rules.key.startswith("amazons") else " ".join(texts)


def before(rules: Rules[Any], lesson: Lesson) -> dict[str, Any]:
    """Returns the snapshot of the lesson's position, with its role to move."""
    state = rules.read(lesson.position)
    prompt = msgspec.to_builtins(rules.prompt(state, lesson.role))
    return _snapshot(rules, lesson, state) | {"status": "live", "prompt": prompt}


def after(rules: Rules[Any], lesson: Lesson, trial: Attempted) -> dict[str, Any]:
    """Returns the snapshot after an attempt; nobody moves from there."""
    ending = rules.outcome(trial.state) or Outcome({"white": 0, "black": 0}, "aborted")
    outcome = {
        "winner": ending.winner,
        "goals": dict(ending.goals),
        "reason": ending.reason,
    }
    made = {"step": len(trial.steps), "rev": 1, "last": list(trial.steps), "outcome": outcome}
    return _snapshot(rules, lesson, trial.state) | made


def _snapshot(rules: Rules[Any], lesson: Lesson, state: Any) -> dict[str, Any]:
    names = {lesson.role: _("You"), OTHER[lesson.role]: OPPONENT}
    return {
        "t": "game",
        "game": "",
        "rev": 0,
        "key": rules.key,
        "name": rules.name,
        "now": 0,
        "step": 0,
        "turns": rules.turns(state),
        "takebacks": 0,
        "status": "over",
        "seats": {
            role: {"name": names[role], "guest": False, "bot": False, "url": None} for role in ROLES
        },
        "you": lesson.role,
        "control": [role for role in ROLES if role in rules.control(state)],
        "sealed": [OTHER[lesson.role]] if lesson.other else [],
        "view": rules.view(state, lesson.role),
        "last": [],
        "clock": {
            "kind": "none",
            "label": "",
            "initial": 0,
            "increment": 0,
            "left": dict.fromkeys(ROLES),
            "since": 0,
            "running": [],
        },
        "offers": {"draw": None, "takeback": None},
        "may": [],
        "outcome": None,
        "prompt": None,
        "your_seal": None,
        "public": False,
        "watch": False,
        "lobby": None,
        "started": None,
        "ended": None,
    }


def _joint(rules: Rules[Any], state: Any, lesson: Lesson, action: Action) -> Joint:
    acts = {lesson.role: action}
    if lesson.other:
        acts[OTHER[lesson.role]] = rules.parse(lesson.other)
    return assemble_joint(rules, state, acts)


def _step(
    rules: Rules[Any], state: Any, joint: Joint, number: int, effects: tuple[Effect, ...]
) -> dict[str, Any]:
    """Returns a step in the shape of `play.domain.visibility`."""
    deciding = [role for role in ROLES if role in rules.control(state)]
    return {
        "n": number,
        "turn": rules.turns(state),
        "role": deciding[0] if len(deciding) == 1 else None,
        "text": {role: notation.write(rules, state, role, joint[role]) for role in deciding},
        "effects": msgspec.to_builtins(effects),
    }
