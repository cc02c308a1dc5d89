"""Reviews of games: their rungs, the verdict on a position, the turn with which a line begins.

Plain Python for the web processes; `games.players.analysis.review` searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.core import Rules, assemble_joint

RUNGS: Final = (200, 2_000, 10_000)  # nodes for each position, as in static/js/analysis/review.js
SEED: Final = 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of a search at a position."""

    value: float  # for the role to move, -1 (lost) to 1 (won)
    best: tuple[str, ...]  # canonical actions of the best turn, as far as it was searched
    is_proved: bool  # the value is exact


def first_turn(rules: Rules[Any], state: Any, actions: Sequence[str]) -> tuple[str, ...]:
    """Return those of some legal actions that belong to the turn with which they begin.

    Raise BadAction or IllegalAction if one of that turn cannot be played.
    """
    turn, deciding, texts = rules.turns(state), rules.control(state), list[str]()
    (role,) = deciding
    for text in actions:
        action = rules.parse(text)
        rules.check(state, role, action)
        texts.append(text)
        state = rules.play(state, assemble_joint(rules, state, {role: action}))
        if rules.turns(state) > turn or rules.control(state) != deciding:
            break
    return tuple(texts)
