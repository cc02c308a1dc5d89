"""Evaluation of a position by flood fills of whole sets of cells.

The terms are those of J. Lieberum, "An evaluation function for the game of amazons", Theoretical
Computer Science 349 (2005) 230-244.

A position is six words: the side to move, the other side, the empty cells, two words each (see
`flood`). D1 is a side's distance to an empty cell in queen moves, D2 in king moves, where 7 means
all that is farther. An amazon that has moved and not yet shot still belongs to the side to move.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from games.players.amazons.area_turns import EXACT_CELLS, Scratch
from games.players.amazons.bits import ones
from games.players.amazons.decision import decide
from games.players.amazons.flood import around, reach
from games.players.compiled import jit
from games.players.exact_math import tanh

Reached = tuple[float, float, float, float, int, int, int, int]
Terms = tuple[float, float, float, float, float, float, float]
MAX_KING_MOVES: Final = 6  # larger distances count as equal
MAX_ESTIMATE: Final = 0.99  # ±1 stands for a proof
# Turns by which an area of at most EXACT_CELLS often falls short of its cells.
USUAL_WASTE: Final = 3
ROOMY_CELLS: Final = 12  # empty cells within two king moves at which crowding is 0

# Rows: at these phases w, before a move, then once more before its shot; columns: t1, even, t2, c1,
# c2, mobility; tanh of the sum is the expected result. Fitted by logistic regression to 716 games
# of the search against itself, alike for both kinds of rows. `weights.py` has better ones.
PHASES: Final = (0.0, 5.0, 15.0, 35.0, 70.0)
_ROWS: Final = (
    (0.87, -0.25, -0.21, 0.14, -0.26, 0.60),
    (0.25, 0.01, 0.05, -0.01, 0.05, 0.01),
    (0.15, 0.03, 0.02, -0.05, 0.08, 0.38),
    (0.07, 0.01, 0.02, -0.04, 0.08, 0.56),
    (-0.06, 0.00, 0.03, 0.13, -0.04, 0.73),
)
WEIGHTS: Final = np.array(2 * _ROWS)
BEFORE_MOVE: Final = 0  # the first row for positions in which the side to move has yet to move
BEFORE_SHOT: Final = len(PHASES)  # and for those in which it has moved and not yet shot
# Of a beginner, who sees how far amazons can go, and counts squares once the sides are separated.
MOBILITY_WEIGHTS: Final = np.array(
    2 * ((0.87, 0, 0, 0.1, 0, 0.2), *((0, 0, 0, 0.05, 0, 0.2),) * (len(PHASES) - 1))
)


@jit
def queens(
    own_low: int, own_high: int, other_low: int, other_high: int, free_low: int, free_high: int
) -> Reached:
    """Return t1, even, c1, w and the cells never reached by the side to move, and by the other.

    t1: cells with the smaller own D1, minus those with the smaller D1 of the other side. even:
    cells with equal D1. c1: the sum of 2 (2^-D1(own) - 2^-D1(other)). w: the sum over the cells
    that both reach of 1, 1/2 or 1/4, as the two D1 differ by 0, 1 or more.
    """
    a_low, a_high, b_low, b_high = own_low, own_high, other_low, other_high  # newly reached
    x_low = y_low = free_low  # not yet reached by the side to move, by the other
    x_high = y_high = free_high
    near_low = near_high = far_low = far_high = 0  # closer to the side to move, to the other
    even = close = distant = 0
    c1, unit = 0.0, 1.0
    while a_low | a_high | b_low | b_high:
        last_a_low, last_a_high, last_b_low, last_b_high = a_low, a_high, b_low, b_high
        if a_low | a_high:
            a_low, a_high = reach(a_low, a_high, x_low, x_high)
        if b_low | b_high:
            b_low, b_high = reach(b_low, b_high, y_low, y_high)
        x_low ^= a_low
        x_high ^= a_high
        y_low ^= b_low
        y_high ^= b_high
        even += ones(a_low & b_low) + ones(a_high & b_high)
        met_low = near_low & b_low | far_low & a_low
        met_high = near_high & b_high | far_high & a_high
        just_low = last_a_low & b_low | last_b_low & a_low
        just_high = last_a_high & b_high | last_b_high & a_high
        close += ones(just_low) + ones(just_high)
        distant += ones(met_low & ~just_low) + ones(met_high & ~just_high)
        near_low |= a_low & y_low
        near_high |= a_high & y_high
        far_low |= b_low & x_low
        far_high |= b_high & x_high
        c1 += unit * (ones(a_low) + ones(a_high) - ones(b_low) - ones(b_high))
        unit *= 0.5
    t1 = ones(near_low) + ones(near_high) - ones(far_low) - ones(far_high)
    w = even + 0.5 * close + 0.25 * distant
    return float(t1), float(even), c1, w, x_low, x_high, y_low, y_high


@jit
def kings(
    own_low: int, own_high: int, other_low: int, other_high: int, free_low: int, free_high: int
) -> tuple[float, float]:
    """Return t2 (like t1 with D2) and c2: the sum of (D2(other) - D2(own)) / 6."""
    a_low, a_high, b_low, b_high = own_low, own_high, other_low, other_high
    own_near_low = own_near_high = other_near_low = other_near_high = 0
    total = 0
    for _ in range(MAX_KING_MOVES):
        a_low, a_high = around(a_low, a_high)
        b_low, b_high = around(b_low, b_high)
        a_low = a_low & free_low | own_low
        a_high = a_high & free_high | own_high
        b_low = b_low & free_low | other_low
        b_high = b_high & free_high | other_high
        own_near_low |= a_low & ~b_low & ~other_near_low
        own_near_high |= a_high & ~b_high & ~other_near_high
        other_near_low |= b_low & ~a_low & ~own_near_low
        other_near_high |= b_high & ~a_high & ~own_near_high
        total += ones(a_low) + ones(a_high) - ones(b_low) - ones(b_high)
    pieces = ones(own_low) + ones(own_high) - ones(other_low) - ones(other_high)
    t2 = ones(own_near_low & free_low) + ones(own_near_high & free_high)
    t2 -= ones(other_near_low & free_low) + ones(other_near_high & free_high)
    return float(t2), (total - MAX_KING_MOVES * pieces) / MAX_KING_MOVES


@jit
def crowding(low: int, high: int, free_low: int, free_high: int) -> float:
    """Return how enclosed the amazons are.

    The sum of (1 - n / 12)² over the amazons with n < 12 empty cells within two king moves over
    empty cells.
    """
    total = 0.0
    while low | high:
        one_low, one_high = low & -low, 0
        if low == 0:
            one_high = high & -high
        low ^= one_low
        high ^= one_high
        one_low, one_high = around(one_low, one_high)
        one_low, one_high = around(one_low & free_low, one_high & free_high)
        short = ROOMY_CELLS - ones(one_low & free_low) - ones(one_high & free_high)
        if short > 0:
            total += (short / ROOMY_CELLS) ** 2
    return total


@jit
def terms(
    own_low: int, own_high: int, other_low: int, other_high: int, free_low: int, free_high: int
) -> Terms:
    """Return t1, even, t2, c1, c2, mobility (crowding of the other side minus own) and w."""
    t1, even, c1, w, _, _, _, _ = queens(
        own_low, own_high, other_low, other_high, free_low, free_high
    )
    t2, c2 = kings(own_low, own_high, other_low, other_high, free_low, free_high)
    mobility = crowding(other_low, other_high, free_low, free_high) - crowding(
        own_low, own_high, free_low, free_high
    )
    return t1, even, t2, c1, c2, mobility, w


@jit
def may_be_decided(own_cells: int, other_cells: int, shared_cells: int) -> bool:
    """Return whether a proof may succeed, by the cells that one side or both can reach.

    A cheap test: in open positions, where nearly all cells are shared, it is False.
    """
    against_own = other_cells + shared_cells
    against_other = own_cells + shared_cells
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
) -> tuple[float, bool]:
    """Return the expected result for the side to move, and whether a proof may succeed.

    `first` is the first row of `weights` that counts: BEFORE_MOVE or BEFORE_SHOT.
    The result lies within MAX_ESTIMATE, but is -1 without a move.
    """
    low, high = around(own_low, own_high)
    if low & free_low | high & free_high == 0:
        return -1.0, False
    t1, even, c1, w, far_low, far_high, safe_low, safe_high = queens(
        own_low, own_high, other_low, other_high, free_low, free_high
    )
    if w == 0.0:
        # No cell is shared: the side to move loses unless it has more turns than the other.
        return MAX_ESTIMATE * tanh(weights[first, 0] * (t1 - 0.5)), True
    own_cells = ones(safe_low & ~far_low) + ones(safe_high & ~far_high)
    other_cells = ones(far_low & ~safe_low) + ones(far_high & ~safe_high)
    shared = ones(free_low & ~far_low & ~safe_low) + ones(free_high & ~far_high & ~safe_high)
    t2, c2 = kings(own_low, own_high, other_low, other_high, free_low, free_high)
    mobility = crowding(other_low, other_high, free_low, free_high) - crowding(
        own_low, own_high, free_low, free_high
    )
    value = MAX_ESTIMATE * tanh(weigh_terms(t1, even, t2, c1, c2, mobility, w, weights, first))
    return value, may_be_decided(own_cells, other_cells, shared)


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
        own_low, own_high, other_low, other_high, free_low, free_high, weights, BEFORE_MOVE
    )
    if is_close:
        winner = decide(own_low, own_high, other_low, other_high, free_low, free_high, scratch)
        if winner != 0:
            return float(winner)
    return value


@jit
def weigh_terms(
    t1: float,
    even: float,
    t2: float,
    c1: float,
    c2: float,
    mobility: float,
    w: float,
    weights: Any,
    first: int,
) -> float:
    """Return the weighted sum of the terms, interpolated between the phases around w.

    `first` is the row of the first phase.
    """
    knot = 0
    while knot < len(PHASES) - 2 and w > PHASES[knot + 1]:
        knot += 1
    part = min(1.0, (w - PHASES[knot]) / (PHASES[knot + 1] - PHASES[knot]))
    score = 0.0
    for row in range(2):
        share = part if row == 1 else 1.0 - part
        at = weights[first + knot + row]
        score += share * (
            at[0] * t1 + at[1] * even + at[2] * t2 + at[3] * c1 + at[4] * c2 + at[5] * mobility
        )
    return score
