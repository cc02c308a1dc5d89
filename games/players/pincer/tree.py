"""What a search of Pincer works on: one frame for each step of the line, the table, the orders.

Everything is an array, so that compiled code can stop after any node and go on later.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.players.compiled import IS_COMPILED
from games.players.pincer.board import LIMIT
from games.players.pincer.machine import Ints, zeros

PLIES: Final = LIMIT + 2
WIDTH: Final = 84  # pairs of neighbouring squares: more steps there cannot be
FIELDS: Final = 14
# The fields of a frame.
OWN, THEIRS, STEPPED, DEPTH, ALPHA, BETA, FLOOR, BEST, CHOSEN, NEXT, COUNT, STAGE, SAME, NOW = (
    range(FIELDS)
)
# The counters of a tree.
NODES, PLY, MADE = range(3)

WON: Final = 20_000  # less the number of the single move with which it is won
PROVEN: Final = 15_000  # any value beyond is certain
NO_STEP: Final = 255
SLOT: Final = 3  # ints of one entry of the table


class Tree(NamedTuple):
    """All arrays are flat. A step is 4 * square + way."""

    frames: Ints  # FIELDS for each ply
    steps: Ints  # WIDTH for each ply: the legal ones
    ranks: Ints  # what comes first
    owns: Ints  # own pieces after each, captures judged
    theirs: Ints
    killers: Ints  # two for each ply: steps that refuted a neighbour
    history: Ints  # for each step, how much it has refuted
    table: Ints  # known positions, in pairs: the deeper one, the newer one
    counters: Ints
    weights: Ints


def planted(entries: int, weights: Ints) -> Tree:
    """A tree with an empty table; `entries` is a power of two."""
    wide = PLIES * WIDTH
    return Tree(
        zeros(PLIES * FIELDS),
        zeros(wide),
        zeros(wide),
        zeros(wide),
        zeros(wide),
        zeros(PLIES * 2),
        zeros(256),
        zeros(entries * SLOT if IS_COMPILED else min(entries, 1 << 14) * SLOT),
        zeros(3),
        weights,
    )
