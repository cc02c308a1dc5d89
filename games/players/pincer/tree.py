"""Memory of a search of Pincer: a frame for each ply, the table and the ordering.

Everything is an array, so that compiled code can stop after any node and continue later.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.players.compiled import IS_COMPILED
from games.players.pincer.arrays import Ints, zeros
from games.players.pincer.board import MAX_MOVES
from games.players.pincer.solved.probe import FewPieces, nothing_known

PLIES: Final = MAX_MOVES + 2
MAX_STEPS: Final = 84  # pairs of adjacent squares: the maximum number of steps
FIELDS: Final = 14
# The fields of a frame.
OWN, THEIRS, STEPPED, DEPTH, ALPHA, BETA, FLOOR, BEST, CHOSEN, NEXT, COUNT, STAGE, SAME, NOW = (
    range(FIELDS)
)
# The counters of a tree.
NODES, PLY, MADE = range(3)

WON_VALUE: Final = 20_000  # minus the number of the winning single move
TABLE_WON_VALUE: Final = 16_000  # minus single moves: won by the table of few pieces
PROVEN_VALUE: Final = 15_000  # larger absolute values are proved
NO_STEP: Final = 255
TABLE_ENTRIES: Final = 1 << 19  # of a player's table, 12 MB
INTS_PER_ENTRY: Final = 3  # ints of one entry of the table


class Tree(NamedTuple):
    """Flat arrays. A step is 4 * square + way."""

    frames: Ints  # FIELDS for each ply
    steps: Ints  # WIDTH for each ply: the legal ones
    ranks: Ints  # order of the steps, highest first
    owns: Ints  # own pieces after each step and its captures
    theirs: Ints
    killers: Ints  # two for each ply: steps that caused a cutoff nearby
    history: Ints  # for each step, weight of its cutoffs
    table: Ints  # known positions, in pairs: the deeper one, the newer one
    counters: Ints
    weights: Ints
    few_pieces: FewPieces  # exact values of positions with few pieces


def new_tree(entries: int, weights: Ints, few_pieces: FewPieces | None = None) -> Tree:
    """Return a tree with an empty table; `entries` is a power of two."""
    wide = PLIES * MAX_STEPS
    return Tree(
        zeros(PLIES * FIELDS),
        zeros(wide),
        zeros(wide),
        zeros(wide),
        zeros(wide),
        zeros(PLIES * 2),
        zeros(256),
        zeros(entries * INTS_PER_ENTRY if IS_COMPILED else min(entries, 1 << 14) * INTS_PER_ENTRY),
        zeros(3),
        weights,
        few_pieces or nothing_known(),
    )
