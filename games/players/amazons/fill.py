"""Fill an area that the other side cannot enter with as many turns as possible."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from games.players.amazons.bits import lowest, ones, wide
from games.players.amazons.flood import HALF_BITS, around, reach, spread
from games.players.compiled import jit

MAX_FILL_TURNS: Final = 100  # in one area
MAX_LISTED_TURNS: Final = 240  # in one position
RANK_FACTOR: Final = 1 << 21  # a listed turn is RANK_FACTOR * rank + 128 * move + arrow


@jit
def keep(out: Any, size: int, entry: int) -> int:
    """Insert an entry among `size` sorted ones; return the new size, at most MAX_LISTED_TURNS."""
    if size == MAX_LISTED_TURNS:
        if entry <= out[size - 1]:
            return size
        size -= 1
    place = size
    while place > 0 and out[place - 1] < entry:
        out[place] = out[place - 1]
        place -= 1
    out[place] = entry
    return size + 1


@jit
def list_shots(own: Any, free: Any, move: int, out: Any, size: int) -> int:
    """Add the turns with this move, already made on `own` and `free`; return the new size.

    Ranked by the number of cells left within reach, then by how few empty neighbours the arrow has.
    """
    own_low, own_high = int(own[0]), int(own[1])
    free_low, free_high = int(free[0]), int(free[1])
    target = move & 127
    from_low = 1 << target if target < HALF_BITS else 0
    from_high = 0 if target < HALF_BITS else 1 << (target - HALF_BITS)
    left_low, left_high = reach(from_low, from_high, free_low, free_high)
    while left_low | left_high:
        at_low = left_low & -left_low
        at_high = 0 if at_low else left_high & -left_high
        left_low ^= at_low
        left_high ^= at_high
        arrow = lowest(at_low) if at_low else HALF_BITS + lowest(at_high)
        after_low, after_high = free_low ^ at_low, free_high ^ at_high
        low, high = spread(own_low, own_high, after_low, after_high)
        rank = 16 * (ones(low) + ones(high)) + 8
        low, high = around(at_low, at_high)
        rank -= ones(low & after_low) + ones(high & after_high)
        size = keep(out, size, RANK_FACTOR * rank + 128 * move + arrow)
    return size


@jit
def toggle(words: Any, cell: int) -> None:
    """Add a cell to a set, or remove it."""
    if cell < HALF_BITS:
        words[0] ^= 1 << cell
    else:
        words[1] ^= 1 << (cell - HALF_BITS)


@jit
def shift(own: Any, free: Any, move: int) -> None:
    """Make a move, or undo it."""
    for cell in (move >> 7, move & 127):
        toggle(own, cell)
        toggle(free, cell)


@jit
def list_turns(own: Any, free: Any, out: Any) -> int:
    """Write the turns of one side alone, best first; return their number."""
    size = wide(0)  # a literal 0 has its own type
    left_low, left_high = int(own[0]), int(own[1])
    free_low, free_high = int(free[0]), int(free[1])
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
            move = 128 * origin + (lowest(to_low) if to_low else HALF_BITS + lowest(to_high))
            shift(own, free, move)
            size = list_shots(own, free, move, out, size)
            shift(own, free, move)
    return int(size)


@jit
def make(own: Any, free: Any, depth: int, entry: int, is_moved: bool) -> None:
    """Make a listed turn, or only its shot, on a copy of the position one level up."""
    own[depth] = own[depth - 1]
    free[depth] = free[depth - 1]
    if not is_moved:
        shift(own[depth], free[depth], entry % RANK_FACTOR >> 7)
    toggle(free[depth], entry & 127)


@jit
def fill(
    own_low: int,
    own_high: int,
    free_low: int,
    free_high: int,
    move: int,
    budget: int,
    line: Any,
) -> tuple[int, int, bool, int]:
    """Search the most turns that one side can make alone in the area of its amazons.

    Depth first; the first line is the greedy one. If `move` >= 0, the first turn is the shot after
    that move. Returns the number of turns, the first turn (128 * move + arrow, or -1), whether more
    are impossible, and the positions examined, at most `budget`. Writes all turns to `line`, an
    array of at least MAX_FILL_TURNS + 1.
    """
    own = np.zeros((MAX_FILL_TURNS + 2, 2), np.int64)
    free = np.zeros((MAX_FILL_TURNS + 2, 2), np.int64)
    turns = np.zeros((MAX_FILL_TURNS + 2, MAX_LISTED_TURNS), np.int64)
    size = np.zeros(MAX_FILL_TURNS + 2, np.int64)
    tried = np.zeros(MAX_FILL_TURNS + 2, np.int64)
    own[0, 0], own[0, 1], free[0, 0], free[0, 1] = own_low, own_high, free_low, free_high
    low, high = spread(own_low, own_high, free_low, free_high)
    most = ones(low) + ones(high)
    best, first, nodes, depth = 0, -1, 1, 0
    size[0] = (
        list_shots(own[0], free[0], move, turns[0], wide(0))
        if move >= 0
        else list_turns(own[0], free[0], turns[0])
    )
    is_whole = size[0] < MAX_LISTED_TURNS
    while depth >= 0 and best < most:
        if tried[depth] == size[depth]:
            depth -= 1
            continue
        entry = turns[depth, tried[depth]]
        tried[depth] += 1
        if depth + 1 > best:
            best = depth + 1
            for made in range(best):
                line[made] = turns[made, tried[made] - 1] % RANK_FACTOR
            first = int(line[0])
        if depth + 1 + (entry // RANK_FACTOR >> 4) <= best:
            # The turns are sorted by the cells left within reach: no later one does better.
            tried[depth] = size[depth]
            continue
        if nodes >= budget or depth == MAX_FILL_TURNS:
            is_whole = False
            break
        nodes += 1
        depth += 1
        make(own, free, depth, entry, depth == 1 and move >= 0)
        size[depth] = list_turns(own[depth], free[depth], turns[depth])
        tried[depth] = 0
        is_whole = is_whole and size[depth] < MAX_LISTED_TURNS
    return int(best), int(first), is_whole or best == most, int(nodes)
