"""Store the thoughts of computer players, and show them and the state of the workers."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from bots.models import Thinking, Worker
from bots.thinking.thinker import ActionThought
from games import notation
from games.catalogue import RULES, rules_of
from games.core import BadAction, Role, Rules
from games.players.core import Level
from games.players.levels import has_numba, is_available, levels_of
from play.domain.clocks import now
from play.domain.game_state import GameState
from play.models import Game, Step


def save_thoughts(game: GameState, role: Role, level: int, turn: Sequence[ActionThought]) -> None:
    """Save the thoughts about a turn, replacing earlier ones about the same steps."""
    for each in turn:
        thought = each.thought
        Thinking.objects.update_or_create(
            game_id=game.id,
            number=each.number,
            takebacks=game.takebacks,
            role=role,
            defaults={
                "level": level,
                "action": str(thought.action),
                "value": thought.value,
                "line": list(thought.line),
                "nodes": thought.nodes,
                "depth": thought.depth,
                "seed": thought.seed,
                "why": thought.why,
                "ms": each.ms,
            },
        )


def latest_thoughts(game: GameState, role: Role) -> float | None:
    """Return the value that a role expected at its last action that was not taken back, or None."""
    thoughts = Thinking.objects.filter(game=game.id, role=role, number__lt=game.step)
    values = thoughts.order_by("-number", "-takebacks").values_list("value", flat=True)
    return values.first()


class StillRunning(Exception):
    """The game is not over, so its thoughts are still secret."""


def state() -> dict[str, Any]:
    """Return the state of the workers, JSON-ready.

    `workers`: the number of live worker processes; `warm`: whether one of them has its engines
    compiled, so that it replies within its thinking time; `numba`: whether compiled code is
    available; `off`: the unavailable levels of each game (mostly none).
    """
    alive = Worker.objects.alive(now()).values_list("is_warm", "has_numba")
    warm, compiled = [is_warm for is_warm, _ in alive], [has for _, has in alive]
    numba = has_numba() and (any(compiled) or not compiled)
    return {
        "workers": len(warm),
        "warm": any(warm),
        "numba": numba,
        "off": {
            key: [each.number for each in levels_of(key) if is_off(key, each, numba)]
            for key in RULES
        },
    }


def is_off(key: str, level: Level, numba: bool) -> bool:
    """Whether a level of a game is unavailable; `numba` says if the workers have compiled code."""
    return not is_available(key, level.number) or (level.needs_numba and not numba)


def thoughts(slug: str) -> list[dict[str, Any]]:
    """Return the thoughts behind the actions that computer players played, by step, JSON-ready.

    Each has `n` (number of the step), `role`, `level`, `text` (the action in human notation),
    `value` (-1 lost to 1 won, for the role), `line` (the turns that it expected from there on, in
    human notation, its own action first), `nodes`, `depth`, `seed`, `why` (a stable word, or
    empty) and `ms` (CPU time). Steps that were taken back are left out. Raises StillRunning,
    games.catalogue.UnknownRules, and Game.DoesNotExist, also for a game without computer player.
    """
    game = Game.objects.get(slug=slug, has_bot=True)
    if game.ended is None:
        raise StillRunning
    rules = rules_of(game.rules)
    standing = Step.objects.filter(game=game, undone=None).values_list("number", "joint")
    played = {number: json.loads(joint) for number, joint in standing}
    found = {}
    for each in Thinking.objects.filter(game=game).order_by("number", "takebacks"):
        if played.get(each.number, {}).get(each.role) == each.action:
            found[each.number, each.role] = each
    return [_thought_json(rules, each) for each in found.values()]


def _thought_json(rules: Rules[Any], each: Thinking) -> dict[str, Any]:
    """Return a thought in human notation, JSON-ready."""
    return {
        "n": each.number,
        "role": each.role,
        "level": each.level,
        "text": _in_notation(rules, each.role, each.action),
        "value": each.value,
        "line": _turns(_in_notation(rules, each.role, action) for action in each.line),
        "nodes": each.nodes,
        "depth": each.depth,
        "seed": each.seed,
        "why": each.why,
        "ms": each.ms,
    }


def _in_notation(rules: Rules[Any], role: Any, action: str) -> str:
    """Return an action in human notation, or unchanged if an engine has written its own text."""
    try:
        return notation.write(rules, rules.start(), role, rules.parse(action))
    except BadAction:
        return action


def _turns(texts: Iterable[str]) -> list[str]:
    """Join each arrow to the move before it."""
    line: list[str] = []
    for text in texts:
        if text.startswith("/") and line:
            line[-1] += text
        else:
            line.append(text)
    return line
