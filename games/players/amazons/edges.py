"""Edges of a node: all moves, or all shots after a move, sorted by the evaluation."""

from __future__ import annotations

from math import exp
from typing import Any

from games.players.amazons.bits import lowest, wide
from games.players.amazons.evaluation import evaluate
from games.players.amazons.flood import HALF_BITS, are_apart, reach
from games.players.amazons.tree import EDGES, NODES, OPTIONAL, SHARPNESS, Tree
from games.players.compiled import jit


@jit
def insert(tree: Tree, start: int, size: int, most: int, act: int, value: float) -> int:
    """Insert an edge among `size` sorted ones; return the new size, at most `most`."""
    if size == most:
        if value <= tree.static[start + size - 1]:
            return size
        size -= 1
    place = start + size
    while place > start and tree.static[place - 1] < value:
        tree.static[place] = tree.static[place - 1]
        tree.act[place] = tree.act[place - 1]
        place -= 1
    tree.static[place] = value
    tree.act[place] = act
    return size + 1


@jit
def list_moves(tree: Tree, start: int, most: int, at: Any, weights: Any) -> int:
    """Write the best `most` moves of the side to move in `at`; return the number of all moves."""
    own_low, own_high = int(at[0]), int(at[1])
    other_low, other_high, free_low, free_high = int(at[2]), int(at[3]), int(at[4]), int(at[5])
    size = total = wide(0)
    left_low, left_high = own_low, own_high
    while left_low | left_high:
        from_low = left_low & -left_low
        from_high = 0 if from_low else left_high & -left_high
        left_low ^= from_low
        left_high ^= from_high
        origin = lowest(from_low) if from_low else HALF_BITS + lowest(from_high)
        goal_low, goal_high = reach(from_low, from_high, free_low, free_high)
        while goal_low | goal_high:
            to_low = goal_low & -goal_low
            to_high = 0 if to_low else goal_high & -goal_high
            goal_low ^= to_low
            goal_high ^= to_high
            target = lowest(to_low) if to_low else HALF_BITS + lowest(to_high)
            value = evaluate(
                own_low ^ from_low ^ to_low,
                own_high ^ from_high ^ to_high,
                other_low,
                other_high,
                free_low ^ from_low ^ to_low,
                free_high ^ from_high ^ to_high,
                weights,
            )
            size = insert(tree, start, size, most, 128 * origin + target, value)
            total += 1
    return int(total)


@jit
def list_shots(
    tree: Tree, start: int, most: int, at: Any, weights: Any, move: int, is_optional: bool
) -> int:
    """Write the arrows after `move`; return their number.

    If `is_optional`, an arrow at the origin means no arrow; it is listed only if there is no other.
    """
    own_low, own_high = int(at[0]), int(at[1])
    other_low, other_high, free_low, free_high = int(at[2]), int(at[3]), int(at[4]), int(at[5])
    origin, target = move >> 7, move & 127
    from_low = 1 << target if target < HALF_BITS else 0
    from_high = 0 if target < HALF_BITS else 1 << (target - HALF_BITS)
    goal_low, goal_high = reach(from_low, from_high, free_low, free_high)
    size = total = wide(0)
    while goal_low | goal_high:
        to_low = goal_low & -goal_low
        to_high = 0 if to_low else goal_high & -goal_high
        goal_low ^= to_low
        goal_high ^= to_high
        arrow = lowest(to_low) if to_low else HALF_BITS + lowest(to_high)
        if is_optional and arrow == origin:
            continue
        left_low, left_high = free_low ^ to_low, free_high ^ to_high
        value = -evaluate(other_low, other_high, own_low, own_high, left_low, left_high, weights)
        size = insert(tree, start, size, most, arrow, value)
        total += 1
    if is_optional and total == 0:
        value = -evaluate(other_low, other_high, own_low, own_high, free_low, free_high, weights)
        insert(tree, start, size, most, origin, value)
        total += 1
    return int(total)


@jit
def expand(tree: Tree, at: Any, move: int, most: int, weights: Any, manner: Any) -> int:
    """Create the node of a position and its edges; return its number.

    `at` is the position for the side that chooses; `move` is the move before a shot, or -1. A node
    without a move is lost; a node whose sides are separated gets no edges unless it is the root.
    """
    node = int(tree.sizes[NODES])
    start = int(tree.sizes[EDGES])
    tree.sizes[NODES] = node + 1
    tree.first[node] = start
    tree.cut[node] = 0
    tree.visits[node] = 0
    total = 0
    own_low, own_high = int(at[0]), int(at[1])
    other_low, other_high, free_low, free_high = int(at[2]), int(at[3]), int(at[4]), int(at[5])
    if move >= 0:
        total = list_shots(tree, start, most, at, weights, move, manner[OPTIONAL] > 0.0)
    elif node == 0 or not are_apart(own_low, own_high, other_low, other_high, free_low, free_high):
        total = list_moves(tree, start, most, at, weights)
    else:
        tree.many[node] = 0
        tree.worth[node] = evaluate(
            own_low, own_high, other_low, other_high, free_low, free_high, weights
        )
        return node
    many = min(total, most)
    tree.many[node] = many
    if many == 0:
        tree.worth[node] = -1.0
        return node
    tree.cut[node] = 1 if total > most else 0
    tree.sizes[EDGES] = start + many
    tree.worth[node] = tree.static[start]
    weigh(tree, start, start + many, manner[SHARPNESS])
    return node


@jit
def weigh(tree: Tree, start: int, end: int, sharpness: float) -> None:
    """Initialise sorted edges, with priors that are the softmax of their static values."""
    best = tree.static[start]
    share = 0.0
    for edge in range(start, end):
        tree.mean[edge] = 0.0
        tree.count[edge] = 0
        tree.kid[edge] = -1
        tree.proof[edge] = 0
        tree.prior[edge] = exp(sharpness * (tree.static[edge] - best))
        share += tree.prior[edge]
    for edge in range(start, end):
        tree.prior[edge] /= share
