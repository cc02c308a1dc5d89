"""What pages may know of the computer players: whether they are there, and what they thought."""

import json
from collections.abc import Iterable
from typing import Any

from bots.models import Thinking, Worker
from games import notation
from games.catalogue import RULES, rules_of
from games.core import BadAction, Rules
from games.players.core import Level
from games.players.levels import has_numba, is_available, levels_of
from play.clocks import now
from play.models import Game, Turn


class StillRunning(Exception):
    """Thoughts are told when the game is over."""


def state() -> dict[str, Any]:
    """Whether computer players answer, JSON-ready.

    `workers`: how many processes think for them now; `warm`: whether one of these has its engines
    compiled, so that it replies within its thinking time; `numba`: whether compiled code can be had
    here; `off`: the levels of each game that nobody plays here now (empty for most).
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
    """Whether a level of a game is not played where numba can be had or not."""
    return not is_available(key, level.number) or (level.needs_numba and not numba)


def thoughts(slug: str) -> list[dict[str, Any]]:
    """What computer players thought of the actions that they played, turn by turn, JSON-ready.

    Each has `n` (number of the turn), `role`, `level`, `text` (the action in human notation),
    `value` (-1 lost to 1 won, for the role), `line` (the goes that it expected from there on, human
    notation, its own action first), `nodes`, `depth`, `seed`, `why` (a stable word, or empty) and
    `ms` (of the processor). Turns that were taken back are left out. Raises StillRunning,
    games.catalogue.UnknownRules, and Game.DoesNotExist also where no computer player sat.
    """
    game = Game.objects.get(slug=slug, has_bot=True)
    if game.ended is None:
        raise StillRunning
    rules = rules_of(game.rules)
    standing = Turn.objects.filter(game=game, undone=None).values_list("number", "joint")
    played = {number: json.loads(joint) for number, joint in standing}
    found = {}
    for each in Thinking.objects.filter(game=game).order_by("number", "takebacks"):
        if played.get(each.number, {}).get(each.role) == each.action:
            found[each.number, each.role] = each
    return [_told(rules, each) for each in found.values()]


def _told(rules: Rules[Any], each: Thinking) -> dict[str, Any]:
    """A thought for people."""
    return {
        "n": each.number,
        "role": each.role,
        "level": each.level,
        "text": _human(rules, each.role, each.action),
        "value": each.value,
        "line": _goes(_human(rules, each.role, action) for action in each.line),
        "nodes": each.nodes,
        "depth": each.depth,
        "seed": each.seed,
        "why": each.why,
        "ms": each.ms,
    }


def _human(rules: Rules[Any], role: Any, action: str) -> str:
    """An action in human notation, or as it stands where an engine has its own words for it."""
    try:
        return notation.write(rules, rules.start(), role, rules.parse(action))
    except BadAction:
        return action


def _goes(texts: Iterable[str]) -> list[str]:
    """The texts of a line with each arrow put behind the move that it follows."""
    line: list[str] = []
    for text in texts:
        if text.startswith("/") and line:
            line[-1] += text
        else:
            line.append(text)
    return line
