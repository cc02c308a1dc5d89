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
EDGES_PER_NODE: Final = 30  # about the mean

EDGE_FIELDS: Final = 7  # the first fields of a tree are by edge, all but the last others by node
# Counters of a tree: indices into `Tree.sizes`.
NODES: Final = 0
EDGES: Final = 1
DEPTH: Final = 2  # longest path so far
# Parameters of a search: indices into an array of floats.
EXPLORATION: Final = 0
SHARPNESS: Final = 1  # 1 / temperature of the prior over the static values
BREADTH: Final = 2  # edges kept of a node that is not the root
OPTIONAL: Final = 3  # 1: an arrow at the origin means none, listed only if no other is possible
EXACT: Final = 4  # 1: prove results by counting turns; only where every turn burns a cell


class Tree(NamedTuple):
    """Tree in flat arrays; node 0 is the root."""

    action: Any  # int16, edge: 128 * origin + target of a move, the cell of an arrow
    static: Any  # float32, edge: the evaluation
    prior: Any  # float32, edge: the share of visits expected before the search
    mean: Any  # float32, edge: of the values found below
    visits: Any  # int32, edge: visits
    child: Any  # int32, edge: the node it leads to, -1 if not yet made
    proof: Any  # int8, edge: 1 won, -1 lost, 0 open
    first_edge: Any  # int32, node: its first edge
    edge_count: Any  # int16, node: how many edges; 0 at the end of a line
    cut: Any  # int8, node: 1 if the worst edges were left out
    node_visits: Any  # int32, node
    node_value: Any  # float32, node: mean of the values found
    sizes: Any  # int64: nodes, edges, depth


def edge_room(nodes: int) -> int:
    """Return for how many edges a tree of this many nodes has room."""
    return nodes * EDGES_PER_NODE + 2 * MAX_EDGES


def new_tree(nodes: int) -> Tree:
    """Return an empty tree with room for this many nodes."""
    edges = edge_room(nodes)
    return Tree(
        action=np.empty(edges, np.int16),
        static=np.empty(edges, np.float32),
        prior=np.empty(edges, np.float32),
        mean=np.empty(edges, np.float32),
        visits=np.empty(edges, np.int32),
        child=np.empty(edges, np.int32),
        proof=np.empty(edges, np.int8),
        first_edge=np.empty(nodes, np.int32),
        edge_count=np.empty(nodes, np.int16),
        cut=np.empty(nodes, np.int8),
        node_visits=np.empty(nodes, np.int32),
        node_value=np.empty(nodes, np.float32),
        sizes=np.zeros(3, np.int64),
    )


def part_of(tree: Tree, nodes: int, edges: int) -> Tree:
    """Return the first nodes and edges of a tree as views into it, with counters of their own."""
    by_edge = [each[:edges] for each in tree[:EDGE_FIELDS]]
    by_node = [each[:nodes] for each in tree[EDGE_FIELDS:-1]]
    return Tree._make([*by_edge, *by_node, tree.sizes.copy()])


def copy_of(tree: Tree) -> Tree:
    """Return a copy with room for nothing more."""
    used = part_of(tree, int(tree.sizes[NODES]), int(tree.sizes[EDGES]))
    return Tree._make(array.copy() for array in used)


def write_into(tree: Tree, kept: Tree) -> None:
    """Write a copy back into a tree with as much room or more."""
    nodes, edges = int(kept.sizes[NODES]), int(kept.sizes[EDGES])
    for index, (array, known) in enumerate(zip(tree[:-1], kept[:-1], strict=True)):
        size = edges if index < EDGE_FIELDS else nodes
        array[:size] = known
    tree.sizes[:] = kept.sizes


def size_bytes(tree: Tree) -> int:
    """Return the bytes of a tree's arrays."""
    return sum(int(array.nbytes) for array in tree)


def min_visits_within(tree: Tree, nodes: int) -> int:
    """Return the lowest bound, 0 or a power of two, such that at most `nodes` nodes reach it.

    Their edges fit into `edge_room(nodes)` too. No node has more visits than the one above it, so
    `keep_below` keeps just the nodes with as many visits as the bound.
    """
    count = int(tree.sizes[NODES])
    visits, edges = tree.node_visits[:count], tree.edge_count[:count]
    bound = 0
    while True:
        kept = visits >= bound
        is_small = np.count_nonzero(kept) <= nodes
        if is_small and int(edges[kept].sum(dtype=np.int64)) <= edge_room(nodes):
            return bound
        bound = 2 * bound or 1


@jit
def has_room(tree: Tree) -> bool:
    """Return whether one more node fits."""
    return bool(
        tree.sizes[NODES] < tree.first_edge.shape[0]
        and tree.sizes[EDGES] + MAX_EDGES <= tree.action.shape[0]
    )


@jit
def verdict(tree: Tree, node: int) -> int:
    """Return 1 if an edge of the node is won, -1 if all are lost and none is missing, else 0."""
    start = wide(tree.first_edge[node])
    lost = 0
    for edge in range(start, start + int(tree.edge_count[node])):
        if tree.proof[edge] > 0:
            return 1
        if tree.proof[edge] < 0:
            lost += 1
    return -1 if lost == tree.edge_count[node] and tree.cut[node] == 0 else 0


@jit
def keep_below(tree: Tree, top: int, min_visits: int, slots: Any) -> None:
    """Make the node `top` the root and drop all nodes that are not below it, in place.

    Nodes with fewer than `min_visits` visits are dropped as well; their edges keep what was found,
    and a later visit makes the node anew. `slots` is int32, one for each node. A child is made
    after its parent, so nodes and edges only move to the front.
    """
    count = int(tree.sizes[NODES])
    for node in range(top, count):
        slots[node] = -1
    slots[top] = 0
    nodes = edges = wide(0)
    for node in range(top, count):
        slot = slots[node]  # the new place of the edge that leads here
        if slot < 0:
            continue
        if nodes > 0:
            tree.child[slot] = nodes
        start, many = wide(tree.first_edge[node]), wide(tree.edge_count[node])
        tree.first_edge[nodes] = edges
        tree.edge_count[nodes] = many
        tree.cut[nodes] = tree.cut[node]
        tree.node_visits[nodes] = tree.node_visits[node]
        tree.node_value[nodes] = tree.node_value[node]
        nodes += 1
        for edge in range(start, start + many):
            child = wide(tree.child[edge])
            tree.action[edges] = tree.action[edge]
            tree.static[edges] = tree.static[edge]
            tree.prior[edges] = tree.prior[edge]
            tree.mean[edges] = tree.mean[edge]
            tree.visits[edges] = tree.visits[edge]
            tree.proof[edges] = tree.proof[edge]
            tree.child[edges] = -1
            if child >= 0 and tree.node_visits[child] >= min_visits:
                slots[child] = edges
            edges += 1
    tree.sizes[NODES] = nodes
    tree.sizes[EDGES] = edges
