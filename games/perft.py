"""Perft: count sequences of actions from the start, to compare with other programs."""

from __future__ import annotations

from itertools import product
from math import prod

from games.amazons import Amazons
from games.core import Rules, S, assemble_joint


def perft(rules: Rules[S], depth: int) -> int:
    """Return the number of sequences of this many turns (in Pincer of single moves)."""
    steps = 2 if isinstance(rules, Amazons) and rules.split else 1
    return sequences(rules, rules.start(), depth * steps)


def sequences(rules: Rules[S], state: S, steps: int) -> int:
    """Return the number of sequences of this many steps from here; the last is not played."""
    if steps == 0:
        return 1
    roles = rules.control(state)
    if not roles:
        return 0
    choices = {role: rules.choices(state, role) for role in roles}
    if steps == 1:
        return prod(len(legal) for legal in choices.values())
    count = 0
    for actions in product(*choices.values()):
        joint = assemble_joint(rules, state, dict(zip(choices, actions, strict=True)))
        count += sequences(rules, rules.play(state, joint), steps - 1)
    return count
