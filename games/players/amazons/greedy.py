"""Greedy player, one turn deep with the same evaluation: a yardstick."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from games.choices import Choices
from games.core import NOOP, Action, Role, View
from games.moves import Play
from games.players.amazons.area_turns import new_scratch
from games.players.amazons.edges import expand
from games.players.amazons.general_weights import WEIGHTS
from games.players.amazons.position import Position, actions_of, read
from games.players.amazons.tree import MAX_EDGES, Tree, new_tree
from games.players.core import Allowance, Player, Thought

# Parameters of `expand`: arrow optional, arrow required.
_PARAMS = {True: np.array([0.0, 0.0, 0.0, 1.0, 0.0]), False: np.zeros(5)}
_SCRATCH = new_scratch()


class OneTurn(Player):
    """Tries every move with every arrow and takes the best turn; ties are broken by the seed."""

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return the move of the best turn, or the best shot; omit an arrow only if forced."""
        if view["to_move"] != role:
            return Thought(NOOP, 0.0, (str(NOOP),), 0, 0, seed)
        position = read(view)
        is_split = not isinstance(next(iter(choices)), Play)
        params = _PARAMS[not is_split]
        turns = _shots(position, (), params) if position.move >= 0 else _turns(position, params)
        top = max(value for value, _ in turns)
        acts = Random(seed).choice([acts for value, acts in turns if value == top])
        actions = actions_of(acts, position.move >= 0, is_split)
        return Thought(actions[0], top, tuple(map(str, actions)), len(turns), 1, seed)


Turns = list[tuple[float, tuple[int, ...]]]


def _edges(position: Position, tree: Tree, params: Any) -> list[tuple[float, int]]:
    """Return the actions of a position with their evaluation; uses up the tree."""
    at = np.array(position.words, np.int64)
    expand(tree, at, position.move, 0, MAX_EDGES, WEIGHTS, params, _SCRATCH)
    return [
        (float(tree.static[edge]), int(tree.action[edge]))
        for edge in range(int(tree.edge_count[0]))
    ]


def _shots(position: Position, before: tuple[int, ...], params: Any) -> Turns:
    return [(value, (*before, act)) for value, act in _edges(position, new_tree(1), params)]


def _turns(position: Position, params: Any) -> Turns:
    moves = [act for _, act in _edges(position, new_tree(1), params)]
    return [turn for move in moves for turn in _shots(position.after(move, False), (move,), params)]
