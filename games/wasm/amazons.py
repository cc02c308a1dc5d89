"""Entry points of the search of Amazons. Needs numba."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from games.amazons import Amazons
from games.catalogue import RULES
from games.players.amazons.area_turns import (
    ENTRIES,
    EXACT_CELLS,
    MAX_PATH_EDGES,
    MAX_TURNS_LISTED,
    Scratch,
    new_scratch,
)
from games.players.amazons.descent import simulate
from games.players.amazons.distances import COLUMNS, WAVE_WORDS
from games.players.amazons.edges import add_noise, expand
from games.players.amazons.flood import HALF_BITS, ROW_STRIDE_BITS
from games.players.amazons.general_weights import PHASES, WEIGHTS
from games.players.amazons.search import BREADTH as NODE_EDGES
from games.players.amazons.search import VALUE_NOISE, Search
from games.players.amazons.tree import DEPTH, MAX_EDGES, SHARPNESS, Tree, new_tree
from games.players.amazons.weights import fitted_weights
from games.players.compiled import jit
from games.wasm.layout import Array, Engine, Entry, Length, array_of, arrays_of
from games.wasm.memory import carray, narrow, pointer_to, wide

SAMPLE_NODES: Final = 77  # of a tree whose arrays are described
LISTS: Final = EXACT_CELLS + 2  # rows of `Scratch.turns`
COUNTERS: Final = 3  # of `Tree.sizes`
WORDS: Final = 6  # of a position
# The arrays in the order of the table: those of a tree, of the scratch, then these.
SCRATCH_AT: Final = len(Tree._fields)
PARAMS_AT: Final = SCRATCH_AT + len(Scratch._fields)
ROOT_AT: Final = PARAMS_AT + 1
NOISE_AT: Final = ROOT_AT + 1
WEIGHTS_AT: Final = NOISE_AT + 1
WEIGHT_ROWS: Final = 2 * len(PHASES)


@jit
def tree_at(table: Any, nodes: int, edges: int) -> Tree:
    """Return the tree whose arrays lie at the first addresses of the table."""
    return Tree(
        carray(pointer_to(table[0]), (edges,), np.int16),
        carray(pointer_to(table[1]), (edges,), np.float32),
        carray(pointer_to(table[2]), (edges,), np.float32),
        carray(pointer_to(table[3]), (edges,), np.float32),
        carray(pointer_to(table[4]), (edges,), np.int32),
        carray(pointer_to(table[5]), (edges,), np.int32),
        carray(pointer_to(table[6]), (edges,), np.int8),
        carray(pointer_to(table[7]), (nodes,), np.int32),
        carray(pointer_to(table[8]), (nodes,), np.int16),
        carray(pointer_to(table[9]), (nodes,), np.int8),
        carray(pointer_to(table[10]), (nodes,), np.int32),
        carray(pointer_to(table[11]), (nodes,), np.float32),
        carray(pointer_to(table[12]), (COUNTERS,), np.int64),
    )


@jit
def scratch_at(table: Any) -> Scratch:
    """Return the scratch arrays at the addresses after those of the tree."""
    return Scratch(
        carray(pointer_to(table[SCRATCH_AT]), (ENTRIES, WORDS), np.int64),
        carray(pointer_to(table[SCRATCH_AT + 1]), (ENTRIES,), np.int32),
        carray(pointer_to(table[SCRATCH_AT + 2]), (LISTS, MAX_TURNS_LISTED), np.int64),
        carray(pointer_to(table[SCRATCH_AT + 3]), (WORDS,), np.int64),
        carray(pointer_to(table[SCRATCH_AT + 4]), (MAX_PATH_EDGES,), np.int64),
        carray(pointer_to(table[SCRATCH_AT + 5]), (MAX_PATH_EDGES + 1,), np.int64),
        carray(pointer_to(table[SCRATCH_AT + 6]), (WAVE_WORDS,), np.int64),
        carray(pointer_to(table[SCRATCH_AT + 7]), (COLUMNS,), np.float64),
    )


def start(table: Any, nodes: int, edges: int, move: int) -> int:
    """Make the position `root` the root of an empty tree; return its number of edges."""
    tree = tree_at(table, nodes, edges)
    params = carray(pointer_to(table[PARAMS_AT]), (5,), np.float64)
    root = carray(pointer_to(table[ROOT_AT]), (WORDS,), np.int64)
    noise = carray(pointer_to(table[NOISE_AT]), (MAX_EDGES,), np.float32)
    weights = carray(pointer_to(table[WEIGHTS_AT]), (WEIGHT_ROWS, COLUMNS), np.float64)
    for counter in range(COUNTERS):
        tree.sizes[counter] = 0
    none, most = wide(0), wide(MAX_EDGES)
    expand(tree, root, wide(move), none, most, weights, params, scratch_at(table))
    add_noise(tree, noise, params[SHARPNESS])
    return narrow(tree.edge_count[0])  # type: ignore[no-any-return]


def grow(table: Any, nodes: int, edges: int, move: int, times: int) -> int:
    """Run up to `times` simulations; return how many were run."""
    tree = tree_at(table, nodes, edges)
    params = carray(pointer_to(table[PARAMS_AT]), (5,), np.float64)
    root = carray(pointer_to(table[ROOT_AT]), (WORDS,), np.int64)
    weights = carray(pointer_to(table[WEIGHTS_AT]), (WEIGHT_ROWS, COLUMNS), np.float64)
    scratch = scratch_at(table)
    done = simulate(tree, root, wide(move), wide(times), weights, params, scratch)
    return narrow(done)  # type: ignore[no-any-return]


def _arrays() -> tuple[Array, ...]:
    tree = new_tree(SAMPLE_NODES)
    lengths: dict[int, Length] = {len(tree.first_edge): "nodes", len(tree.action): "edges"}
    return (
        *arrays_of(tree, lengths),
        *arrays_of(new_scratch()),
        array_of("params", Search(1, True).params),
        array_of("root", np.zeros(WORDS, np.int64)),
        array_of("noise", np.zeros(MAX_EDGES, np.float32)),
        array_of("weights", WEIGHTS),
    )


def _facts(rules: Amazons) -> dict[str, Any]:
    """Return what the scripts need to know of a rule set."""
    is_optional = not rules.split
    params = Search(1, is_optional).params.tolist()
    weights = fitted_weights(rules.key).ravel().tolist()
    return {
        "size": rules.width,
        "isOptional": is_optional,
        "params": params,
        "weights": weights,
    }


def engine() -> Engine:
    """Return the description of the module."""
    numbers = ("table", "int32", "int32", "int32")  # nodes, edges, move
    return Engine(
        _arrays(),
        (
            Entry("start", start, numbers, "int32"),
            Entry("grow", grow, (*numbers, "int32"), "int32"),
        ),
        {
            "rowBits": ROW_STRIDE_BITS,
            "wordBits": HALF_BITS,
            "rootEdges": MAX_EDGES,
            "nodeEdges": int(NODE_EDGES),
            "noise": VALUE_NOISE,
            "depthCounter": DEPTH,
            "noArea": -1,  # what `bounds` hold at first, see `area_turns.Scratch`
            "rules": {
                key: _facts(rules) for key, rules in RULES.items() if isinstance(rules, Amazons)
            },
        },
    )
