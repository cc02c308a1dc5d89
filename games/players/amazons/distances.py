"""Inputs of the evaluation of Amazons: empty cells counted by the distances of both sides to them.

A distance belongs to a class: in queen moves 1, 2, 3, at least 4, or never; in king moves 1, 2, 3,
4, 5 to 6, or more. For each pair of an own class and one of the other side, an input is the number
of empty cells with these distances. The terms t1, t2, c1, c2 and w of J. Lieberum, "An evaluation
function for the game of amazons", Theoretical Computer Science 349 (2005) 230-244, are weighted
sums of such counts.

An amazon that has moved and not yet shot still belongs to the side to move.
"""

from __future__ import annotations

from typing import Any, Final

from games.players.amazons.bits import ones
from games.players.amazons.flood import around, reach
from games.players.compiled import jit

QUEEN_CLASSES: Final = 5
KING_CLASSES: Final = 6
LAST_SINGLE_KING_MOVES: Final = 4  # so many king moves are a class of their own
MAX_KING_MOVES: Final = 6  # the rest is one class
# Columns of the inputs: pairs by queen moves (own class first), pairs by king moves, the rest.
KINGS_AT: Final = QUEEN_CLASSES * QUEEN_CLASSES
CROWDING_AT: Final = KINGS_AT + KING_CLASSES * KING_CLASSES  # of the other side, then the own
ALONE_AT: Final = CROWDING_AT + 2  # cells that only one side reaches; counts where none is shared
COLUMNS: Final = ALONE_AT + 1
# A class has four words of cells: two of the side to move, two of the other.
CLASS_WORDS: Final = 4
WAVE_WORDS: Final = CLASS_WORDS * KING_CLASSES
ROOMY_CELLS: Final = 12  # empty cells within two king moves at which crowding is 0


@jit
def count_queen_moves(
    own_low: int,
    own_high: int,
    other_low: int,
    other_high: int,
    free_low: int,
    free_high: int,
    waves: Any,
    inputs: Any,
) -> None:
    """Write the counts of cells by the queen moves of both sides."""
    a_low, a_high, b_low, b_high = own_low, own_high, other_low, other_high  # newly reached
    x_low = y_low = free_low  # not yet reached by the side to move, by the other
    x_high = y_high = free_high
    for word in range(CLASS_WORDS * QUEEN_CLASSES):
        waves[word] = 0
    at, never = 0, CLASS_WORDS * (QUEEN_CLASSES - 1)
    while a_low | a_high | b_low | b_high:
        if a_low | a_high:
            a_low, a_high = reach(a_low, a_high, x_low, x_high)
        if b_low | b_high:
            b_low, b_high = reach(b_low, b_high, y_low, y_high)
        x_low ^= a_low
        x_high ^= a_high
        y_low ^= b_low
        y_high ^= b_high
        add_to_class(waves, at, a_low, a_high, b_low, b_high)
        at = min(at + CLASS_WORDS, never - CLASS_WORDS)
    add_to_class(waves, never, x_low, x_high, y_low, y_high)
    count_pairs(waves, QUEEN_CLASSES, inputs, 0)


@jit
def count_king_moves(
    own_low: int,
    own_high: int,
    other_low: int,
    other_high: int,
    free_low: int,
    free_high: int,
    waves: Any,
    inputs: Any,
) -> None:
    """Write the counts of cells by the king moves of both sides."""
    a_low, a_high, b_low, b_high = own_low, own_high, other_low, other_high
    x_low = y_low = free_low
    x_high = y_high = free_high
    for word in range(CLASS_WORDS * KING_CLASSES):
        waves[word] = 0
    for step in range(MAX_KING_MOVES):
        a_low, a_high = around(a_low, a_high)
        b_low, b_high = around(b_low, b_high)
        a_low &= x_low
        a_high &= x_high
        b_low &= y_low
        b_high &= y_high
        x_low ^= a_low
        x_high ^= a_high
        y_low ^= b_low
        y_high ^= b_high
        at = CLASS_WORDS * min(step, LAST_SINGLE_KING_MOVES)
        add_to_class(waves, at, a_low, a_high, b_low, b_high)
    add_to_class(waves, CLASS_WORDS * (KING_CLASSES - 1), x_low, x_high, y_low, y_high)
    count_pairs(waves, KING_CLASSES, inputs, KINGS_AT)


@jit
def add_to_class(
    waves: Any, at: int, own_low: int, own_high: int, other_low: int, other_high: int
) -> None:
    """Add cells to the class whose words begin at `at`."""
    waves[at] |= own_low
    waves[at + 1] |= own_high
    waves[at + 2] |= other_low
    waves[at + 3] |= other_high


@jit
def count_pairs(waves: Any, classes: int, inputs: Any, first: int) -> None:
    """Write the number of cells of each pair of classes, from the column `first` on."""
    column = first
    for own in range(0, CLASS_WORDS * classes, CLASS_WORDS):
        low, high = waves[own], waves[own + 1]
        for other in range(2, CLASS_WORDS * classes, CLASS_WORDS):
            inputs[column] = ones(low & waves[other]) + ones(high & waves[other + 1])
            column += 1


@jit
def shared_cells(inputs: Any) -> tuple[float, float]:
    """Return w, and the number of cells that both sides reach, by the counts of queen moves.

    w is the sum over these cells of 1, 1/2 or 1/4, as the classes differ by 0, 1 or more. It is
    large in open positions and 0 where no cell is shared.
    """
    w = cells = 0.0
    for own in range(QUEEN_CLASSES - 1):
        for other in range(QUEEN_CLASSES - 1):
            count = inputs[QUEEN_CLASSES * own + other]
            gap = abs(own - other)
            cells += count
            w += count if gap == 0 else 0.5 * count if gap == 1 else 0.25 * count
    return w, cells


@jit
def unshared_cells(inputs: Any) -> tuple[float, float]:
    """Return how many cells only the side to move reaches, and how many only the other."""
    own = other = 0.0
    for each in range(QUEEN_CLASSES - 1):
        own += inputs[QUEEN_CLASSES * each + QUEEN_CLASSES - 1]
        other += inputs[QUEEN_CLASSES * (QUEEN_CLASSES - 1) + each]
    return own, other


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
def count_inputs(
    own_low: int,
    own_high: int,
    other_low: int,
    other_high: int,
    free_low: int,
    free_high: int,
    waves: Any,
    inputs: Any,
) -> float:
    """Write all inputs of a position where cells are shared; return w."""
    count_queen_moves(own_low, own_high, other_low, other_high, free_low, free_high, waves, inputs)
    count_king_moves(own_low, own_high, other_low, other_high, free_low, free_high, waves, inputs)
    inputs[CROWDING_AT] = crowding(other_low, other_high, free_low, free_high)
    inputs[CROWDING_AT + 1] = crowding(own_low, own_high, free_low, free_high)
    inputs[ALONE_AT] = 0.0
    w, _ = shared_cells(inputs)
    return w
