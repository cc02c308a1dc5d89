"""Counting sequences of play from the start: a number that any other program can check."""

from __future__ import annotations

from itertools import product
from math import prod

from games.amazons import Amazons
from games.core import Rules, S, assemble


def perft(rules: Rules[S], depth: int) -> int:
    """How many sequences of so many goes there are; in Pincer of so many single moves."""
    turns = 2 if isinstance(rules, Amazons) and rules.split else 1
    return sequences(rules, rules.start(), depth * turns)


def sequences(rules: Rules[S], state: S, turns: int) -> int:
    """How many sequences of so many turns there are from here. The last turn is not played."""
    if turns == 0:
        return 1
    roles = rules.control(state)
    if not roles:
        return 0
    choices = {role: rules.choices(state, role) for role in roles}
    if turns == 1:
        return prod(len(legal) for legal in choices.values())
    count = 0
    for actions in product(*choices.values()):
        joint = assemble(rules, state, dict(zip(choices, actions, strict=True)))
        count += sequences(rules, rules.play(state, joint), turns - 1)
    return count
