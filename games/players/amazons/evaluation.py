"""Evaluation of a position: a weighted sum of cell counts by distance, squashed to -1 to 1.

A position is six words: the side to move, the other side, the empty cells, two words each (see
`flood`). Weights are a table: columns as in `distances`, rows for the PHASES before a move, then
once more before its shot. They are fitted to games of self-play, see `games/lab/README.md`.
"""

from __future__ import annotations

from typing import Any, Final

from games.players.amazons.area_turns import EXACT_CELLS, Scratch
from games.players.amazons.decision import decide
from games.players.amazons.distances import (
    ALONE_AT,
    CROWDING_AT,
    count_king_moves,
    count_queen_moves,
    crowding,
    shared_cells,
    unshared_cells,
)
from games.players.amazons.flood import around
from games.players.amazons.general_weights import PHASES
from games.players.compiled import jit
from games.players.exact_math import tanh

MAX_ESTIMATE: Final = 0.99  # ±1 stands for a proof
# Turns by which an area of at most EXACT_CELLS often falls short of its cells.
USUAL_WASTE: Final = 3
BEFORE_MOVE: Final = 0  # the first row for positions in which the side to move has yet to move
BEFORE_SHOT: Final = len(PHASES)  # and for those in which it has moved and not yet shot


@jit
def may_be_decided(own_cells: float, other_cells: float, cells_of_both: float) -> bool:
    """Return whether a proof may succeed, by the cells that one side or both can reach.

    A cheap test: in open positions, where nearly all cells are shared, it is False.
    """
    against_own = other_cells + cells_of_both
    against_other = own_cells + cells_of_both
    if against_own <= EXACT_CELLS:
        against_own -= USUAL_WASTE
    if against_other <= EXACT_CELLS:
        against_other -= USUAL_WASTE
    return own_cells >= against_own or other_cells >= against_other


@jit
def estimate(
    own_low: int,
    own_high: int,
    other_low: int,
    other_high: int,
    free_low: int,
    free_high: int,
    weights: Any,
    first: int,
    scratch: Scratch,
) -> tuple[float, bool]:
    """Return the expected result for the side to move, and whether a proof may succeed.

    `first` is the first row of `weights` that counts: BEFORE_MOVE or BEFORE_SHOT.
    The result lies within MAX_ESTIMATE, but is -1 without a move.
    """
    low, high = around(own_low, own_high)
    if low & free_low | high & free_high == 0:
        return -1.0, False
    waves, inputs = scratch.waves, scratch.inputs
    count_queen_moves(own_low, own_high, other_low, other_high, free_low, free_high, waves, inputs)
    w, cells_of_both = shared_cells(inputs)
    own_cells, other_cells = unshared_cells(inputs)
    if w == 0.0:
        # No cell is shared: the side to move loses unless it has more turns than the other.
        lead = own_cells - other_cells - 0.5
        return MAX_ESTIMATE * tanh(weights[first, ALONE_AT] * lead), True
    count_king_moves(own_low, own_high, other_low, other_high, free_low, free_high, waves, inputs)
    inputs[CROWDING_AT] = crowding(other_low, other_high, free_low, free_high)
    inputs[CROWDING_AT + 1] = crowding(own_low, own_high, free_low, free_high)
    value = MAX_ESTIMATE * tanh(weigh_inputs(inputs, w, weights, first))
    return value, may_be_decided(own_cells, other_cells, cells_of_both)


@jit
def evaluate(
    own_low: int,
    own_high: int,
    other_low: int,
    other_high: int,
    free_low: int,
    free_high: int,
    weights: Any,
    scratch: Scratch,
) -> float:
    """Return the expected result for the side to move, where every turn burns a cell.

    1 and -1 are proofs; everything else lies within MAX_ESTIMATE.
    """
    value, is_close = estimate(
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
    if is_close:
        winner = decide(own_low, own_high, other_low, other_high, free_low, free_high, scratch)
        if winner != 0:
            return float(winner)
    return value


@jit
def weigh_inputs(inputs: Any, w: float, weights: Any, first: int) -> float:
    """Return the weighted sum of the inputs, interpolated between the phases around w.

    `first` is the row of the first phase.
    """
    knot = 0
    while knot < len(PHASES) - 2 and w > PHASES[knot + 1]:
        knot += 1
    part = min(1.0, (w - PHASES[knot]) / (PHASES[knot + 1] - PHASES[knot]))
    before, after = weights[first + knot], weights[first + knot + 1]
    low = low_odd = high = high_odd = 0.0  # two sums each, so that additions need not wait
    for column in range(0, ALONE_AT - 1, 2):
        low += before[column] * inputs[column]
        high += after[column] * inputs[column]
        low_odd += before[column + 1] * inputs[column + 1]
        high_odd += after[column + 1] * inputs[column + 1]
    low += before[ALONE_AT - 1] * inputs[ALONE_AT - 1]
    high += after[ALONE_AT - 1] * inputs[ALONE_AT - 1]
    return float((1.0 - part) * (low + low_odd) + part * (high + high_odd))
