"""Monte-Carlo tree search without playouts.

Each simulation adds one node, valued by the evaluation of its best action.
"""

from __future__ import annotations

from math import exp
from random import Random
from typing import Any, Final

import numpy as np

from games.players.amazons.descent import simulate
from games.players.amazons.edges import expand
from games.players.amazons.evaluation import WEIGHTS
from games.players.amazons.position import Position
from games.players.amazons.tree import DEPTH, MAX_EDGES, Tree, copy_below, new_tree
from games.players.core import Allowance

SIMULATIONS_PER_CHUNK: Final = 256  # between two checks of the clock: about 10 ms compiled
SLOW_SIMULATIONS_PER_CHUNK: Final = 4
EXPLORATION: Final = 0.7
SHARPNESS: Final = 4.0
BREADTH: Final = 40.0
VALUE_NOISE: Final = 0.01  # largest random addition to the values at a new root


class Search:
    """Tree of one role in one game; its results are kept from turn to turn."""

    def __init__(self, nodes: int, is_optional: bool, chunk: int = SIMULATIONS_PER_CHUNK) -> None:
        self.room = 2 * nodes + 1000
        self.is_optional = is_optional
        self.chunk = chunk
        self.manner = np.array([EXPLORATION, SHARPNESS, BREADTH, float(is_optional)])
        self.weights = WEIGHTS
        self.tree: Tree | None = None
        self.root = Position(0, 0, 0)
        self.played: list[int] = []  # own actions since the root

    def look_at(self, position: Position, rng: Random) -> None:
        """Make this position the root, with what is known of it."""
        node = self._find_node(position)
        old, self.tree = self.tree, new_tree(self.room)
        self.root, self.played = position, []
        if old is not None and node >= 0:
            copy_below(old, self.tree, node)
            return
        at = np.array(position.words, np.int64)
        expand(self.tree, at, position.move, MAX_EDGES, self.weights, self.manner)
        self._add_noise(self.tree, rng)

    def _find_node(self, position: Position) -> int:
        """Return the node of a position at most one turn of each side after the root, or -1."""
        if self.tree is None:
            return -1
        reached, node = self.root, 0
        for act in self.played:
            reached, node = reached.after(act, self.is_optional), self._find_child(node, act)
            if node < 0:
                return -1
        if reached != position and reached.move < 0:
            for act in reached.go_to(position):
                reached, node = reached.after(act, self.is_optional), self._find_child(node, act)
                if node < 0:
                    return -1
        return node if reached == position and self.tree.many[node] > 0 else -1

    def _find_child(self, node: int, act: int) -> int:
        assert self.tree is not None
        start = int(self.tree.first[node])
        for edge in range(start, start + int(self.tree.many[node])):
            if self.tree.act[edge] == act:
                return int(self.tree.kid[edge])
        return -1

    def _add_noise(self, tree: Tree, rng: Random) -> None:
        """Shuffle nearly equal actions at a new root."""
        edges = slice(0, int(tree.many[0]))
        noise = [VALUE_NOISE * rng.random() for _ in range(int(tree.many[0]))]
        static = tree.static[edges] + np.array(noise, np.float32)
        order = np.argsort(-static, kind="stable")
        tree.act[edges] = tree.act[edges][order]
        tree.static[edges] = static[order]
        prior = np.exp(self.manner[1] * (tree.static[edges] - tree.static[0]))
        tree.prior[edges] = prior / prior.sum()

    def grow(self, visits: int, clock: Allowance) -> int:
        """Simulate until the root has this many visits; return the number of simulations.

        Runs at least a quarter as many simulations.
        """
        assert self.tree is not None
        at = np.array(self.root.words, np.int64)
        done = 0
        missing = max(visits - int(self.tree.visits[0]), visits // 4)
        while done < missing and not (done and clock.is_over()):
            times = min(self.chunk, missing - done)
            now = simulate(self.tree, at, self.root.move, times, self.weights, self.manner)
            done += now
            if now < times:
                break
        return done

    def best(self, node: int = 0) -> int:
        """Return the edge to play at a node: a won one, else the most visited that is not lost."""
        assert self.tree is not None
        start = int(self.tree.first[node])
        edges = range(start, start + int(self.tree.many[node]))
        proof, count, mean = self.tree.proof, self.tree.count, self.tree.mean
        return max(edges, key=lambda edge: (proof[edge], count[edge], mean[edge], -edge))

    def pick(self, temper: float, rng: Random) -> int:
        """Return the best edge of the root or, with a temper, one by softmax of value / temper."""
        assert self.tree is not None
        best = self.best()
        if temper <= 0.0 or self.tree.proof[best] > 0:
            return best
        edges = range(int(self.tree.many[0]))
        values = [self.value(edge) for edge in edges]
        top = max(values)
        return rng.choices(edges, [exp((value - top) / temper) for value in values])[0]

    def line(self, edge: int) -> list[int]:
        """Return the expected actions from an edge of the root on."""
        assert self.tree is not None
        acts = [int(self.tree.act[edge])]
        node = int(self.tree.kid[edge])
        while node >= 0 and self.tree.many[node] > 0 and self.tree.visits[node] > 0:
            edge = self.best(node)
            acts.append(int(self.tree.act[edge]))
            node = int(self.tree.kid[edge])
        return acts

    def value(self, edge: int) -> float:
        """Return the value of an edge of the root for the side that chooses there."""
        assert self.tree is not None
        tree: Any = self.tree
        if tree.count[edge]:
            return float(tree.mean[edge])
        return max(-1.0, float(tree.worth[0] + tree.static[edge] - tree.static[0]))

    @property
    def depth(self) -> int:
        assert self.tree is not None
        return int(self.tree.sizes[DEPTH])
