"""A go tried on a small position: judged by the rules alone, and kept nowhere."""

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
    assemble,
)
from games.effects import Effect
from pages.learn.aims import Played
from pages.learn.lessons import Lesson

OPPONENT = "Fletcher"  # whoever is practised with has a name, as everybody here
MOST_ACTIONS = 3  # no go has more than two


class Verdict(StrEnum):
    """What became of a go that was tried. The values go over the wire."""

    SOLVED = "solved"
    MISSED = "missed"  # allowed, but not what was asked for
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Trial:
    """A whole go that the rules have allowed: its turns as the board shows them."""

    state: Any
    turns: tuple[dict[str, Any], ...]
    played: Played


class Unfinished(ValueError):
    """The actions are allowed but do not make a whole go, or go on after its end."""


def played(rules: Rules[Any], lesson: Lesson, texts: Sequence[str]) -> Trial:
    """Plays these canonical actions as one go. Raises BadAction, IllegalAction, Unfinished."""
    state = rules.read(lesson.position)
    go = rules.goes(state)
    turns: list[dict[str, Any]] = []
    effects: list[Effect] = []
    for number, text in enumerate(texts[:MOST_ACTIONS]):
        if rules.goes(state) > go:
            raise Unfinished
        joint = _joint(rules, state, lesson, rules.parse(text))
        after = advance(rules, state, joint)
        seen = rules.effects(state, joint, None)
        turns.append(_turn(rules, state, joint, number, seen))
        effects.extend(seen)
        state = after
    if rules.goes(state) == go:
        raise Unfinished
    return Trial(state, tuple(turns), Played(rules, lesson.role, state, tuple(effects)))


def answer(rules: Rules[Any], lesson: Lesson, texts: Sequence[str]) -> dict[str, Any]:
    """What the page is told of a go that was tried, JSON-ready."""
    try:
        trial = played(rules, lesson, texts)
    except IllegalAction as refusal:
        return _refused(str(refusal.code), str(refusal), refusal.squares)
    except BadAction as refusal:
        return _refused("bad_action", str(refusal), ())
    except Unfinished:
        return _refused("unfinished", _("That is not one whole go."), ())
    is_solved = lesson.aim(trial.played)
    return {
        "verdict": Verdict.SOLVED if is_solved else Verdict.MISSED,
        "turns": list(trial.turns),
        "snapshot": after(rules, lesson, trial),
        "solution": None if is_solved else solution(rules, lesson),
    }


def _refused(reason: str, say: str, squares: Sequence[str]) -> dict[str, Any]:
    return {"verdict": Verdict.ILLEGAL, "reason": reason, "say": say, "squares": list(squares)}


def solution(rules: Rules[Any], lesson: Lesson) -> str:
    """One go that reaches the aim, in human notation: "d1-d7/g7"."""
    trial = played(rules, lesson, lesson.solution)
    texts = [turn["text"][lesson.role] for turn in trial.turns]
    return "".join(texts) if rules.key.startswith("amazons") else " ".join(texts)


def before(rules: Rules[Any], lesson: Lesson) -> dict[str, Any]:
    """The snapshot of the position, in the shape of a game's: it is the lesson's role's go."""
    state = rules.read(lesson.position)
    prompt = msgspec.to_builtins(rules.prompt(state, lesson.role))
    return _snapshot(rules, lesson, state) | {"status": "live", "prompt": prompt}


def after(rules: Rules[Any], lesson: Lesson, trial: Trial) -> dict[str, Any]:
    """The snapshot that shows what a go has done; nobody goes on from there."""
    ending = rules.outcome(trial.state) or Outcome({"white": 0, "black": 0}, "aborted")
    outcome = {
        "winner": ending.winner,
        "goals": dict(ending.goals),
        "reason": ending.reason,
    }
    made = {"turn": len(trial.turns), "rev": 1, "last": list(trial.turns), "outcome": outcome}
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
        "turn": 0,
        "goes": rules.goes(state),
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
    return assemble(rules, state, acts)


def _turn(
    rules: Rules[Any], state: Any, joint: Joint, number: int, effects: tuple[Effect, ...]
) -> dict[str, Any]:
    """A turn as `play.sight` shows it."""
    deciding = [role for role in ROLES if role in rules.control(state)]
    return {
        "n": number,
        "go": rules.goes(state),
        "role": deciding[0] if len(deciding) == 1 else None,
        "text": {role: notation.write(rules, state, role, joint[role]) for role in deciding},
        "effects": msgspec.to_builtins(effects),
    }
