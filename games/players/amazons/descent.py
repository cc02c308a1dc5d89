"""One simulation after the other: down the tree, a new node, and what it is worth back up."""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

import numpy as np

from games.players.amazons.bits import wide
from games.players.amazons.edges import expand
from games.players.amazons.flood import HALF
from games.players.amazons.tree import (
    BREADTH,
    DEPTH,
    EXPLORATION,
    OPTIONAL,
    Tree,
    has_room,
    verdict,
)
from games.players.compiled import compiled

LONGEST: Final = 256  # edges on a path


@compiled
def select(tree: Tree, node: int, manner: Any) -> int:
    """The edge to look at next: value and prior weighed as in PUCT (Rosin 2011).

    Edges are tried in their order, so that the first one not yet tried stands for all after it.
    """
    start = wide(tree.first[node])
    best = start
    top = -9.0
    pull = manner[EXPLORATION] * sqrt(tree.visits[node] + 1.0)
    for edge in range(start, start + int(tree.many[node])):
        proof = tree.proof[edge]
        if proof > 0:
            return int(edge)
        count = tree.count[edge]
        if count == 0:
            value = tree.worth[node] + tree.static[edge] - tree.static[start]
        elif proof < 0:
            value = -5.0
        else:
            value = tree.mean[edge]
        if proof == 0:
            value += pull * tree.prior[edge] / (1.0 + count)
        if value > top:
            top = value
            best = edge
        if count == 0:
            break
    return int(best)


@compiled
def apply(at: Any, act: int, is_shot: bool, origin: int) -> None:
    """Plays an edge's action on a position; after a shot the sides change places.

    An arrow at `origin` is none; pass -1 where it is one.
    """
    if is_shot:
        if act != origin:
            if act < HALF:
                at[4] ^= 1 << act
            else:
                at[5] ^= 1 << (act - HALF)
        own_low, own_high = at[0], at[1]
        at[0], at[1] = at[2], at[3]
        at[2], at[3] = own_low, own_high
        return
    for cell in (act >> 7, act & 127):
        if cell < HALF:
            at[0] ^= 1 << cell
            at[4] ^= 1 << cell
        else:
            at[1] ^= 1 << (cell - HALF)
            at[5] ^= 1 << (cell - HALF)


@compiled
def go_down(
    tree: Tree, at: Any, move: int, path: Any, nodes: Any, weights: Any, manner: Any
) -> tuple[int, bool]:
    """Follows the best edges to the end of a line or to a new node, and plays them on `at`.

    Writes the edges to `path`, and to `nodes` where each begins and where the last one ends.
    Answers the number of edges and whether the last node is one of a shot.
    """
    is_optional = manner[OPTIONAL] > 0.0
    made = move
    node = wide(0)  # a bare 0 would be a type of its own, and the callee compiled twice
    length = 0
    while tree.many[node] > 0 and length < LONGEST:
        edge = select(tree, node, manner)
        path[length] = edge
        nodes[length] = node
        length += 1
        act = wide(tree.act[edge])
        is_shot = made >= 0
        apply(at, act, is_shot, made >> 7 if is_shot and is_optional else -1)
        made = -1 if is_shot else act
        node = wide(tree.kid[edge])
        if node < 0:
            node = wide(expand(tree, at, made, int(manner[BREADTH]), weights, manner))
            tree.kid[edge] = node
            break
    nodes[length] = node
    return length, made >= 0


@compiled
def simulate(tree: Tree, root: Any, move: int, times: int, weights: Any, manner: Any) -> int:
    """Goes down the tree `times` times, adding a node each time; how often it did.

    `root` is the position at node 0, `move` the move made if that is a node of the shot, or -1.
    Ends early when the tree is full or the root is decided.
    """
    at = np.empty(6, np.int64)
    path = np.empty(LONGEST, np.int64)
    nodes = np.empty(LONGEST + 1, np.int64)
    top = wide(0)
    for done in range(times):
        if not has_room(tree) or verdict(tree, top) != 0:
            return done
        for word in range(6):
            at[word] = root[word]
        length, is_shot = go_down(tree, at, move, path, nodes, weights, manner)
        tree.sizes[DEPTH] = max(tree.sizes[DEPTH], length)
        end = nodes[length]
        value = float(tree.worth[end])
        proof = -1 if tree.many[end] == 0 and value == -1.0 else 0
        back_up(tree, path, nodes, length, value, proof, is_shot)
    return times


@compiled
def back_up(
    tree: Tree, path: Any, nodes: Any, length: int, value: float, proof: int, is_shot: bool
) -> None:
    """Tells the edges of a path what was found at its end: `value` and `proof` are for the side
    that chooses there, `is_shot` says whether it is about to shoot."""
    for index in range(length - 1, -1, -1):
        edge, node = path[index], nodes[index]
        if not is_shot:
            value = -value
            proof = -proof
        is_shot = not is_shot
        tree.count[edge] += 1
        tree.mean[edge] += (value - tree.mean[edge]) / tree.count[edge]
        tree.visits[node] += 1
        tree.worth[node] += (value - tree.worth[node]) / tree.visits[node]
        if proof != 0:
            tree.proof[edge] = proof
            tree.mean[edge] = proof
            value = proof
            proof = verdict(tree, node)
