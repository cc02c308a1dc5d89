"""Entry points of the search of Pincer. Needs numba.

The page calls them as `games.players.pincer.deepening` does: it sets the root, runs the search in
slices and reads the frames.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from games.catalogue import PINCER
from games.players.compiled import jit
from games.players.pincer import tree as names
from games.players.pincer.board import BOARD_SIZE, DEAD_BIT, MAX_MOVES, is_decided
from games.players.pincer.deepening import ANALYSIS_DEPTH_STEPS, after, quiet_value, set_root
from games.players.pincer.evaluation import FULL, weights
from games.players.pincer.expected_result import expected_result
from games.players.pincer.position import Position
from games.players.pincer.search import list_steps, run
from games.players.pincer.solved.probe import FewPieces
from games.players.pincer.table import recall, step_of
from games.players.pincer.tree import (
    MAX_STEPS,
    NO_STEP,
    PLIES,
    PROVEN_VALUE,
    TABLE_ENTRIES,
    Tree,
    new_tree,
)
from games.wasm.layout import Array, Engine, Entry, array_of
from games.wasm.memory import carray, narrow, pointer_to, wide

WEIGHTS: Final = weights(FULL)
WIDE: Final = PLIES * MAX_STEPS
FRAMES_LENGTH: Final = PLIES * names.FIELDS
TABLE_LENGTH: Final = TABLE_ENTRIES * names.INTS_PER_ENTRY
HISTORY_LENGTH: Final = 256
COUNTERS: Final = 3
# The arrays in the order of the table: those of a tree up to its counters, then these.
ARRAYS: Final = ("frames", "steps", "ranks", "owns", "theirs", "killers", "history", "table")
COUNTERS_AT: Final = len(ARRAYS)
BYTES_AT: Final = COUNTERS_AT + 1  # stands for the tables of few pieces, of which none is known
WORDS_AT: Final = BYTES_AT + 1
POSITION_AT: Final = WORDS_AT + 1  # own and their pieces, the piece that has stepped, moves
AFTER_AT: Final = POSITION_AT + 1  # the same after a step, same role, is decided
POSITION_WORDS: Final = 4
AFTER_WORDS: Final = 6


@jit
def words_at(table: Any, index: int, length: int) -> Any:
    """Return the array of 64-bit integers at an address of the table."""
    return carray(pointer_to(table[index]), (length,), np.int64)


@jit
def tree_at(table: Any) -> Tree:
    """Return the tree whose arrays lie at the first addresses of the table."""
    none = words_at(table, WORDS_AT, 1)
    no_bytes = carray(pointer_to(table[BYTES_AT]), (1,), np.uint8)
    few = FewPieces(wide(0), no_bytes, no_bytes, none, none, none, none, none, none, none, none)
    return Tree(
        words_at(table, 0, FRAMES_LENGTH),
        words_at(table, 1, WIDE),
        words_at(table, 2, WIDE),
        words_at(table, 3, WIDE),
        words_at(table, 4, WIDE),
        words_at(table, 5, PLIES * 2),
        words_at(table, 6, HISTORY_LENGTH),
        words_at(table, 7, TABLE_LENGTH),
        words_at(table, COUNTERS_AT, COUNTERS),
        WEIGHTS,
        few,
    )


@jit
def position_at(table: Any) -> Position:
    """Return the position that the page has written."""
    at = words_at(table, POSITION_AT, POSITION_WORDS)
    return Position(at[0], at[1], at[2], at[3])


def start(table: Any, depth: int) -> int:
    """Set the position as the root, to be searched to a depth; return 0."""
    set_root(tree_at(table), position_at(table), wide(depth))
    return narrow(0)  # type: ignore[no-any-return]


def grow(table: Any, stop_at: int) -> int:
    """Search until so many nodes are counted; return 1 if the root is done, else 0."""
    return narrow(run(tree_at(table), wide(stop_at)))  # type: ignore[no-any-return]


def list_moves(table: Any) -> int:
    """Write the steps of the position to `steps`; return their number."""
    tree, at = tree_at(table), position_at(table)
    if is_decided(at.own, at.theirs, at.moves):
        return narrow(0)  # type: ignore[no-any-return]
    set_root(tree, at, wide(1))
    return narrow(list_steps(tree, wide(0), wide(NO_STEP), False))  # type: ignore[no-any-return]


def step(table: Any, move: int) -> int:
    """Write the position after a step to `after`; return 1 if the same role is to move, else 0."""
    position, is_same = after(position_at(table), wide(move))
    out = words_at(table, AFTER_AT, AFTER_WORDS)
    out[0], out[1], out[2] = position.own, position.theirs, position.stepped
    out[3] = position.moves
    out[4] = is_same
    out[5] = is_decided(position.own, position.theirs, position.moves)
    return narrow(is_same)  # type: ignore[no-any-return]


def quiet(table: Any) -> int:
    """Return the value of the position without further steps except captures."""
    return narrow(quiet_value(tree_at(table), position_at(table)))  # type: ignore[no-any-return]


def known_step(table: Any) -> int:
    """Return the best step of the position in the transposition table, or NO_STEP."""
    at = position_at(table)
    entry = recall(words_at(table, 7, TABLE_LENGTH), at.own, at.theirs, at.stepped, at.moves)
    return narrow(step_of(entry))  # type: ignore[no-any-return]


def result(table: Any, value: int) -> float:
    """Return the expected result of a value; the table is not read."""
    return expected_result(wide(value))


def _arrays() -> tuple[Array, ...]:
    tree = new_tree(TABLE_ENTRIES, WEIGHTS)
    return (
        *(array_of(name, getattr(tree, name)) for name in (*ARRAYS, "counters")),
        array_of("no bytes", np.zeros(1, np.uint8)),
        array_of("no words", np.zeros(1, np.int64)),
        array_of("position", np.zeros(POSITION_WORDS, np.int64)),
        array_of("after", np.zeros(AFTER_WORDS, np.int64)),
    )


def engine() -> Engine:
    """Return the description of the module."""
    return Engine(
        _arrays(),
        (
            Entry("start", start, ("table", "int32"), "int32"),
            Entry("grow", grow, ("table", "int32"), "int32"),
            Entry("list_moves", list_moves, ("table",), "int32"),
            Entry("step", step, ("table", "int32"), "int32"),
            Entry("quiet", quiet, ("table",), "int32"),
            Entry("known_step", known_step, ("table",), "int32"),
            Entry("result", result, ("table", "int32"), "float64"),
        ),
        {
            "size": BOARD_SIZE,
            "maxMoves": MAX_MOVES,
            "maxDepth": ANALYSIS_DEPTH_STEPS,
            "dead": DEAD_BIT,
            "noStep": NO_STEP,
            "proven": PROVEN_VALUE,
            "fields": {name: getattr(names, name.upper()) for name in ("alpha", "chosen", "now")},
            "nodeCounter": names.NODES,
            "rules": {PINCER.key: {"size": PINCER.width}},
        },
    )
