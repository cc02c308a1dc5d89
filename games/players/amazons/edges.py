"""Edges of a node: all moves, or all shots after a move, sorted by the evaluation."""

from __future__ import annotations

from typing import Any

from games.players.amazons.area_turns import Scratch
from games.players.amazons.bits import lowest, wide
from games.players.amazons.decision import decide
from games.players.amazons.evaluation import BEFORE_MOVE, BEFORE_SHOT, estimate
from games.players.amazons.flood import HALF_BITS, are_apart, reach
from games.players.amazons.tree import EDGES, EXACT, NODES, OPTIONAL, SHARPNESS, Tree
from games.players.compiled import jit
from games.players.exact_math import exp


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
        tree.action[place] = tree.action[place - 1]
        place -= 1
    tree.static[place] = value
    tree.action[place] = act
    return size + 1


@jit
def list_moves(tree: Tree, start: int, most: int, at: Any, weights: Any, scratch: Scratch) -> int:
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
            value, _ = estimate(
                own_low ^ from_low ^ to_low,
                own_high ^ from_high ^ to_high,
                other_low,
                other_high,
                free_low ^ from_low ^ to_low,
                free_high ^ from_high ^ to_high,
                weights,
                BEFORE_SHOT,
                scratch,
            )
            size = insert(tree, start, size, most, 128 * origin + target, value)
            total += 1
    return int(total)


@jit
def list_shots(
    tree: Tree,
    start: int,
    most: int,
    at: Any,
    weights: Any,
    move: int,
    is_optional: bool,
    is_exact: bool,
    scratch: Scratch,
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
        value, is_close = estimate(
            other_low,
            other_high,
            own_low,
            own_high,
            left_low,
            left_high,
            weights,
            BEFORE_MOVE,
            scratch,
        )
        if is_close and is_exact:
            winner = decide(other_low, other_high, own_low, own_high, left_low, left_high, scratch)
            if winner != 0:
                value = float(winner)
        value = -value
        size = insert(tree, start, size, most, arrow, value)
        total += 1
    if is_optional and total == 0:
        value, _ = estimate(
            other_low,
            other_high,
            own_low,
            own_high,
            free_low,
            free_high,
            weights,
            BEFORE_MOVE,
            scratch,
        )
        insert(tree, start, size, most, origin, -value)
        total += 1
    return int(total)


@jit
def expand(
    tree: Tree,
    at: Any,
    move: int,
    proof: int,
    most: int,
    weights: Any,
    params: Any,
    scratch: Scratch,
) -> int:
    """Create the node of a position and its edges; return its number.

    `at` is the position for the side that chooses; `move` is the move before a shot, or -1;
    `proof` is 1 or -1 if that side is known to win or lose, else 0. A node that is decided, or
    whose sides are separated, gets no edges unless it is the root. Edges of shots whose result is
    proved are marked.
    """
    node = int(tree.sizes[NODES])
    start = int(tree.sizes[EDGES])
    tree.sizes[NODES] = node + 1
    tree.first_edge[node] = start
    tree.edge_count[node] = 0
    tree.cut[node] = 0
    tree.node_visits[node] = 0
    is_exact = params[EXACT] > 0.0
    own_low, own_high = int(at[0]), int(at[1])
    other_low, other_high, free_low, free_high = int(at[2]), int(at[3]), int(at[4]), int(at[5])
    if move >= 0:
        total = list_shots(
            tree, start, most, at, weights, move, params[OPTIONAL] > 0.0, is_exact, scratch
        )
    else:
        if proof != 0:
            tree.node_value[node] = proof
            return node
        if node > 0 and are_apart(own_low, own_high, other_low, other_high, free_low, free_high):
            value, _ = estimate(
                own_low,
                own_high,
                other_low,
                other_high,
                free_low,
                free_high,
                weights,
                BEFORE_MOVE,
                scratch,
            )
            tree.node_value[node] = value
            return node
        total = list_moves(tree, start, most, at, weights, scratch)
    many = min(total, most)
    tree.edge_count[node] = many
    if many == 0:
        tree.node_value[node] = -1.0
        return node
    tree.cut[node] = 1 if total > most else 0
    tree.sizes[EDGES] = start + many
    tree.node_value[node] = tree.static[start]
    weigh(tree, start, start + many, params[SHARPNESS])
    return node


@jit
def weigh(tree: Tree, start: int, end: int, sharpness: float) -> None:
    """Initialise sorted edges, with priors that are the softmax of their static values.

    A static value of 1 or -1 is a proof.
    """
    for edge in range(start, end):
        tree.mean[edge] = 0.0
        tree.visits[edge] = 0
        tree.child[edge] = -1
        tree.proof[edge] = 0
        if abs(tree.static[edge]) == 1.0:
            tree.proof[edge] = 1 if tree.static[edge] > 0.0 else -1
            tree.mean[edge] = tree.static[edge]
    set_priors(tree, start, end, sharpness)


@jit
def set_priors(tree: Tree, start: int, end: int, sharpness: float) -> None:
    """Set the priors of sorted edges: the softmax of their static values."""
    best = tree.static[start]
    share = 0.0
    for edge in range(start, end):
        tree.prior[edge] = exp(sharpness * (tree.static[edge] - best))
        share += tree.prior[edge]
    for edge in range(start, end):
        tree.prior[edge] /= share


@jit
def add_noise(tree: Tree, noise: Any, sharpness: float) -> None:
    """Add noise to the static values of a new root's edges, except proofs, and sort them again.

    `noise` is float32, at least one number for each edge.
    """
    many = wide(tree.edge_count[0])
    for edge in range(many):
        action, mean, proof = tree.action[edge], tree.mean[edge], tree.proof[edge]
        static = tree.static[edge]
        if proof == 0:
            static += noise[edge]
        place = edge
        while place > 0 and tree.static[place - 1] < static:
            tree.static[place] = tree.static[place - 1]
            tree.action[place] = tree.action[place - 1]
            tree.mean[place] = tree.mean[place - 1]
            tree.proof[place] = tree.proof[place - 1]
            place -= 1
        tree.static[place], tree.action[place] = static, action
        tree.mean[place], tree.proof[place] = mean, proof
    if many > 0:
        set_priors(tree, wide(0), many, sharpness)
