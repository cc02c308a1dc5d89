"""Scripted games: the same long, legal games of Amazons 10×10 for every system."""

from __future__ import annotations

from functools import cache
from random import Random

from games.catalogue import rules_of
from games.core import assemble_joint

KEY = "amazons-10x10"
MIN_ACTIONS = 160  # actions at least; the longest game there can be has 184
# Of random games that are that long.
SEEDS = (8, 21, 159, 188, 205, 215, 246, 334, 381, 384, 392, 398, 488, 512, 556, 664)
Script = tuple[str, ...]  # canonical actions: white moves and shoots, then black


@cache
def scripts() -> tuple[Script, ...]:
    """The games, always the same ones: random turns, made by the rules."""
    return tuple(_playout(Random(seed)) for seed in SEEDS)


def _playout(random: Random) -> Script:
    """A game of random actions, to its end."""
    rules, actions = rules_of(KEY), []
    state = rules.start()
    while role := next(iter(rules.control(state)), None):
        action = rules.choices(state, role).sample(random)
        actions.append(str(action))
        state = rules.play(state, assemble_joint(rules, state, {role: action}))
    return tuple(actions)


@cache
def board_after(number: int, count: int) -> str:
    """The board after so many actions of a script: rows from the top, `/` between them."""
    rules = rules_of(KEY)
    state = rules.start()
    for text in scripts()[number][:count]:
        role = next(iter(rules.control(state)))
        state = rules.play(state, assemble_joint(rules, state, {role: rules.parse(text)}))
    board = rules.view(state, None)["board"]
    assert isinstance(board, str)
    return board
