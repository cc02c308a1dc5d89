"""A player who looks one go ahead, with the evaluation of the others: a yardstick."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from games.choices import Choices
from games.core import NOOP, Action, Role, View
from games.moves import Play
from games.players.amazons.edges import expand
from games.players.amazons.evaluation import WEIGHTS
from games.players.amazons.position import Position, actions_of, read
from games.players.amazons.tree import WIDEST, Tree, new_tree
from games.players.core import Allowance, Thought

# How nodes are expanded: where the arrow is optional, and where it is a must.
_MANNERS = {True: np.array([0.0, 0.0, 0.0, 1.0]), False: np.zeros(4)}


class OneGo:
    """Tries every move with every arrow and takes the best go; equal ones by the seed."""

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """The move of the best go, or the best shot; leaves an arrow out only if it has to."""
        if view["to_move"] != role:
            return Thought(NOOP, 0.0, (str(NOOP),), 0, 0, seed)
        position = read(view)
        is_split = not isinstance(next(iter(choices)), Play)
        manner = _MANNERS[not is_split]
        goes = _shots(position, (), manner) if position.move >= 0 else _goes(position, manner)
        top = max(value for value, _ in goes)
        acts = Random(seed).choice([acts for value, acts in goes if value == top])
        actions = actions_of(acts, position.move >= 0, is_split)
        return Thought(actions[0], top, tuple(map(str, actions)), len(goes), 1, seed)


Goes = list[tuple[float, tuple[int, ...]]]


def _edges(position: Position, tree: Tree, manner: Any) -> list[tuple[float, int]]:
    """The actions of a position with their evaluation; the tree is for use once."""
    at = np.array(position.words, np.int64)
    expand(tree, at, position.move, WIDEST, WEIGHTS, manner)
    return [(float(tree.static[edge]), int(tree.act[edge])) for edge in range(int(tree.many[0]))]


def _shots(position: Position, before: tuple[int, ...], manner: Any) -> Goes:
    return [(value, (*before, act)) for value, act in _edges(position, new_tree(1), manner)]


def _goes(position: Position, manner: Any) -> Goes:
    moves = [act for _, act in _edges(position, new_tree(1), manner)]
    return [go for move in moves for go in _shots(position.after(move, False), (move,), manner)]
