"""Canonical notation of first turns, the same for images under a symmetry of the start.

Blotto's fields are equivalent, so a split is written with the most troops first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.blotto import Troops
from games.core import Action, BadAction, Role, Rules
from games.symmetry import canonical_turn, start_symmetries

FIRST: Final[Role] = "white"  # acts first


def canonical_first_turn(rules: Rules[Any], texts: Sequence[str]) -> str:
    """Return a first turn for people, from the canonical strings of its actions.

    Raises BadAction for texts that are no actions of the game.
    """
    actions = [rules.parse(text) for text in texts]
    if rules.kind == "split":
        return " ".join(_sorted_split(action) for action in actions)
    return canonical_turn(rules, rules.start(), actions, start_symmetries(rules))


def _sorted_split(action: Action) -> str:
    if not isinstance(action, Troops):
        raise BadAction(f"{action} is not a split of troops.")
    return " ".join(map(str, sorted(action.split, reverse=True)))
