"""Search tree in arrays, with its compiled functions.

Nodes of the move and of the shot alternate. A node's edges are its actions, best first as the
evaluation sees them. All values are for the side that chooses at the node, -1 to 1.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from games.players.amazons.bits import wide
from games.players.compiled import jit

MAX_EDGES: Final = 160  # of a node: four amazons on an empty board have 140 moves

# Counters of a tree: indices into `Tree.sizes`.
NODES: Final = 0
EDGES: Final = 1
DEPTH: Final = 2  # longest path so far
# Parameters of a search: indices into an array of floats.
EXPLORATION: Final = 0
SHARPNESS: Final = 1  # 1 / temperature of the prior over the static values
BREADTH: Final = 2  # edges kept of a node that is not the root
OPTIONAL: Final = 3  # 1: an arrow at the origin means none, listed only if no other is possible


class Tree(NamedTuple):
    """Tree in flat arrays; node 0 is the root."""

    act: Any  # int16, edge: 128 * origin + target of a move, the cell of an arrow
    static: Any  # float32, edge: the evaluation
    prior: Any  # float32, edge: the share of visits expected before the search
    mean: Any  # float32, edge: of the values found below
    count: Any  # int32, edge: visits
    kid: Any  # int32, edge: the node it leads to, -1 if not yet made
    proof: Any  # int8, edge: 1 won, -1 lost, 0 open
    first: Any  # int32, node: its first edge
    many: Any  # int16, node: how many edges; 0 at the end of a line
    cut: Any  # int8, node: 1 if the worst edges were left out
    visits: Any  # int32, node
    worth: Any  # float32, node: mean of the values found
    sizes: Any  # int64: nodes, edges, depth


def new_tree(nodes: int) -> Tree:
    """Return an empty tree with room for this many nodes."""
    edges = nodes * 30 + 2 * MAX_EDGES
    return Tree(
        act=np.empty(edges, np.int16),
        static=np.empty(edges, np.float32),
        prior=np.empty(edges, np.float32),
        mean=np.empty(edges, np.float32),
        count=np.empty(edges, np.int32),
        kid=np.empty(edges, np.int32),
        proof=np.empty(edges, np.int8),
        first=np.empty(nodes, np.int32),
        many=np.empty(nodes, np.int16),
        cut=np.empty(nodes, np.int8),
        visits=np.empty(nodes, np.int32),
        worth=np.empty(nodes, np.float32),
        sizes=np.zeros(3, np.int64),
    )


@jit
def has_room(tree: Tree) -> bool:
    """Return whether one more node fits."""
    return bool(
        tree.sizes[NODES] < tree.first.shape[0]
        and tree.sizes[EDGES] + MAX_EDGES <= tree.act.shape[0]
    )


@jit
def verdict(tree: Tree, node: int) -> int:
    """Return 1 if an edge of the node is won, -1 if all are lost and none is missing, else 0."""
    start = wide(tree.first[node])
    lost = 0
    for edge in range(start, start + int(tree.many[node])):
        if tree.proof[edge] > 0:
            return 1
        if tree.proof[edge] < 0:
            lost += 1
    return -1 if lost == tree.many[node] and tree.cut[node] == 0 else 0


@jit
def copy_below(old: Tree, new: Tree, top: int) -> None:
    """Copy the subtree of the node `top` into another, empty tree of the same size."""
    source = np.empty(new.first.shape[0], np.int32)
    source[0] = top
    nodes, edges = 1, 0
    node = 0
    while node < nodes:
        old_node = int(source[node])
        start, many = int(old.first[old_node]), int(old.many[old_node])
        new.first[node] = edges
        new.many[node] = many
        new.cut[node] = old.cut[old_node]
        new.visits[node] = old.visits[old_node]
        new.worth[node] = old.worth[old_node]
        for edge in range(start, start + many):
            new.act[edges] = old.act[edge]
            new.static[edges] = old.static[edge]
            new.prior[edges] = old.prior[edge]
            new.mean[edges] = old.mean[edge]
            new.count[edges] = old.count[edge]
            new.proof[edges] = old.proof[edge]
            new.kid[edges] = -1
            if old.kid[edge] >= 0:
                new.kid[edges] = nodes
                source[nodes] = old.kid[edge]
                nodes += 1
            edges += 1
        node += 1
    new.sizes[NODES] = nodes
    new.sizes[EDGES] = edges
    new.sizes[DEPTH] = max(0, old.sizes[DEPTH] - 1)
