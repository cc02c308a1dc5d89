"""Simulations of the tree search: selection, expansion and backup."""

from __future__ import annotations

from math import sqrt
from typing import Any

from games.players.amazons.area_turns import MAX_PATH_EDGES, Scratch
from games.players.amazons.bits import wide
from games.players.amazons.edges import expand
from games.players.amazons.flood import HALF_BITS
from games.players.amazons.tree import (
    BREADTH,
    DEPTH,
    EXPLORATION,
    OPTIONAL,
    Tree,
    has_room,
    verdict,
)
from games.players.compiled import jit


@jit
def select(tree: Tree, node: int, params: Any) -> int:
    """Return the edge to examine next: value and prior weighed as in PUCT (Rosin 2011).

    Edges are tried in order, so the first untried edge represents all that follow it.
    """
    start = wide(tree.first_edge[node])
    best = start
    top = -9.0
    pull = params[EXPLORATION] * sqrt(tree.node_visits[node] + 1.0)
    for edge in range(start, start + int(tree.edge_count[node])):
        proof = tree.proof[edge]
        if proof > 0:
            return int(edge)
        count = tree.visits[edge]
        if proof < 0:
            value = -5.0
        elif count == 0:
            value = tree.node_value[node] + tree.static[edge] - tree.static[start]
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


@jit
def apply(at: Any, act: int, is_shot: bool, origin: int) -> None:
    """Play an edge's action on a position; after a shot the sides are swapped.

    An arrow at `origin` is not placed; pass -1 if it must be.
    """
    if is_shot:
        if act != origin:
            if act < HALF_BITS:
                at[4] ^= 1 << act
            else:
                at[5] ^= 1 << (act - HALF_BITS)
        own_low, own_high = at[0], at[1]
        at[0], at[1] = at[2], at[3]
        at[2], at[3] = own_low, own_high
        return
    for cell in (act >> 7, act & 127):
        if cell < HALF_BITS:
            at[0] ^= 1 << cell
            at[4] ^= 1 << cell
        else:
            at[1] ^= 1 << (cell - HALF_BITS)
            at[5] ^= 1 << (cell - HALF_BITS)


@jit
def go_down(
    tree: Tree,
    at: Any,
    move: int,
    path: Any,
    nodes: Any,
    weights: Any,
    params: Any,
    scratch: Scratch,
) -> tuple[int, bool]:
    """Follow the best edges to the end of a line or to a new node, and play them on `at`.

    Writes the edges to `path`, and to `nodes` where each begins and where the last one ends.
    Returns the number of edges and whether the last node is a shot's.
    """
    is_optional = params[OPTIONAL] > 0.0
    made = move
    node = wide(0)  # a literal 0 has its own type: the callee would be compiled twice
    length = 0
    while tree.edge_count[node] > 0 and length < MAX_PATH_EDGES:
        edge = select(tree, node, params)
        path[length] = edge
        nodes[length] = node
        length += 1
        act = wide(tree.action[edge])
        is_shot = made >= 0
        apply(at, act, is_shot, made >> 7 if is_shot and is_optional else -1)
        made = -1 if is_shot else act
        node = wide(tree.child[edge])
        if node < 0:
            proof = wide(-tree.proof[edge] if is_shot else 0)
            most = int(params[BREADTH])
            node = wide(expand(tree, at, made, proof, most, weights, params, scratch))
            tree.child[edge] = node
            break
    nodes[length] = node
    return length, made >= 0


@jit
def simulate(
    tree: Tree, root: Any, move: int, times: int, weights: Any, params: Any, scratch: Scratch
) -> int:
    """Run `times` simulations, each adding a node; return how many were run.

    `root` is the position at node 0, `move` the move made if that is a node of the shot, or -1.
    Stops early when the tree is full or the root is decided.
    """
    at, path, nodes = scratch.position, scratch.path, scratch.nodes
    top = wide(0)
    for done in range(times):
        if not has_room(tree) or verdict(tree, top) != 0:
            return done
        for word in range(6):
            at[word] = root[word]
        length, is_shot = go_down(tree, at, move, path, nodes, weights, params, scratch)
        tree.sizes[DEPTH] = max(tree.sizes[DEPTH], length)
        end = nodes[length]
        value = float(tree.node_value[end])
        proof = verdict(tree, end)
        if tree.edge_count[end] == 0:
            proof = 1 if value == 1.0 else (-1 if value == -1.0 else 0)
        elif proof != 0:
            value = float(proof)
        back_up(tree, path, nodes, length, value, proof, is_shot)
    return times


@jit
def back_up(
    tree: Tree, path: Any, nodes: Any, length: int, value: float, proof: int, is_shot: bool
) -> None:
    """Propagate the result at a path's end to its edges.

    `value` and `proof` are for the side that chooses there; `is_shot` says whether it is about to
    shoot.
    """
    for index in range(length - 1, -1, -1):
        edge, node = path[index], nodes[index]
        if not is_shot:
            value = -value
            proof = -proof
        is_shot = not is_shot
        tree.visits[edge] += 1
        tree.mean[edge] += (value - tree.mean[edge]) / tree.visits[edge]
        tree.node_visits[node] += 1
        tree.node_value[node] += (value - tree.node_value[node]) / tree.node_visits[node]
        if proof != 0:
            tree.proof[edge] = proof
            tree.mean[edge] = proof
            value = proof
            proof = verdict(tree, node)
