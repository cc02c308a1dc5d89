"""Filling an area that the other side can't enter: as many goes as can be had from it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from games.players.amazons.bits import lowest, ones, wide
from games.players.amazons.flood import HALF, around, reach, spread
from games.players.compiled import compiled

DEEPEST: Final = 100  # goes in one area
BROADEST: Final = 240  # goes looked at in one position
SCORE: Final = 1 << 21  # a listed go is SCORE * rank + 128 * move + arrow


@compiled
def keep(out: Any, size: int, entry: int) -> int:
    """Puts an entry in its place among `size` sorted ones; the new size, BROADEST at most."""
    if size == BROADEST:
        if entry <= out[size - 1]:
            return size
        size -= 1
    place = size
    while place > 0 and out[place - 1] < entry:
        out[place] = out[place - 1]
        place -= 1
    out[place] = entry
    return size + 1


@compiled
def list_shots(own: Any, free: Any, move: int, out: Any, size: int) -> int:
    """Adds the goes with this move, which has been made on `own` and `free`; the new size.

    Best are those that leave most cells within reach, then those whose arrow has fewest empty
    neighbours.
    """
    own_low, own_high = int(own[0]), int(own[1])
    free_low, free_high = int(free[0]), int(free[1])
    target = move & 127
    from_low = 1 << target if target < HALF else 0
    from_high = 0 if target < HALF else 1 << (target - HALF)
    left_low, left_high = reach(from_low, from_high, free_low, free_high)
    while left_low | left_high:
        at_low = left_low & -left_low
        at_high = 0 if at_low else left_high & -left_high
        left_low ^= at_low
        left_high ^= at_high
        arrow = lowest(at_low) if at_low else HALF + lowest(at_high)
        after_low, after_high = free_low ^ at_low, free_high ^ at_high
        low, high = spread(own_low, own_high, after_low, after_high)
        rank = 16 * (ones(low) + ones(high)) + 8
        low, high = around(at_low, at_high)
        rank -= ones(low & after_low) + ones(high & after_high)
        size = keep(out, size, SCORE * rank + 128 * move + arrow)
    return size


@compiled
def toggle(words: Any, cell: int) -> None:
    """Puts a cell into a set, or takes it out."""
    if cell < HALF:
        words[0] ^= 1 << cell
    else:
        words[1] ^= 1 << (cell - HALF)


@compiled
def shift(own: Any, free: Any, move: int) -> None:
    """Makes a move, or takes it back."""
    for cell in (move >> 7, move & 127):
        toggle(own, cell)
        toggle(free, cell)


@compiled
def list_goes(own: Any, free: Any, out: Any) -> int:
    """Writes the goes of one side alone, best first; how many."""
    size = wide(0)  # a bare 0 would be a type of its own
    left_low, left_high = int(own[0]), int(own[1])
    free_low, free_high = int(free[0]), int(free[1])
    while left_low | left_high:
        from_low = left_low & -left_low
        from_high = 0 if from_low else left_high & -left_high
        left_low ^= from_low
        left_high ^= from_high
        origin = lowest(from_low) if from_low else HALF + lowest(from_high)
        goal_low, goal_high = reach(from_low, from_high, free_low, free_high)
        while goal_low | goal_high:
            to_low = goal_low & -goal_low
            to_high = 0 if to_low else goal_high & -goal_high
            goal_low ^= to_low
            goal_high ^= to_high
            move = 128 * origin + (lowest(to_low) if to_low else HALF + lowest(to_high))
            shift(own, free, move)
            size = list_shots(own, free, move, out, size)
            shift(own, free, move)
    return int(size)


@compiled
def make(own: Any, free: Any, depth: int, entry: int, is_moved: bool) -> None:
    """Makes a listed go, or only its shot, on a copy of the position one step up."""
    own[depth] = own[depth - 1]
    free[depth] = free[depth - 1]
    if not is_moved:
        shift(own[depth], free[depth], entry % SCORE >> 7)
    toggle(free[depth], entry & 127)


@compiled
def fill(
    own_low: int, own_high: int, free_low: int, free_high: int, move: int, budget: int
) -> tuple[int, int, bool, int]:
    """The most goes that one side can make alone in the area of its amazons.

    `move` >= 0: the first go is the shot after that move. Answers the number of goes, the first go
    (128 * move + arrow, or -1), whether more are impossible, and the positions looked at, of which
    `budget` may be. Depth first: the first line down is the greedy one.
    """
    own = np.zeros((DEEPEST + 2, 2), np.int64)
    free = np.zeros((DEEPEST + 2, 2), np.int64)
    goes = np.zeros((DEEPEST + 2, BROADEST), np.int64)
    size = np.zeros(DEEPEST + 2, np.int64)
    tried = np.zeros(DEEPEST + 2, np.int64)
    own[0, 0], own[0, 1], free[0, 0], free[0, 1] = own_low, own_high, free_low, free_high
    low, high = spread(own_low, own_high, free_low, free_high)
    most = ones(low) + ones(high)
    best, first, nodes, depth = 0, -1, 1, 0
    size[0] = (
        list_shots(own[0], free[0], move, goes[0], wide(0))
        if move >= 0
        else list_goes(own[0], free[0], goes[0])
    )
    is_whole = size[0] < BROADEST
    while depth >= 0 and best < most:
        if tried[depth] == size[depth]:
            depth -= 1
            continue
        entry = goes[depth, tried[depth]]
        tried[depth] += 1
        if depth + 1 > best:
            best = depth + 1
            first = goes[0, tried[0] - 1] % SCORE
        if depth + 1 + (entry // SCORE >> 4) <= best:
            # The goes are sorted by what is left in reach: none after this one does better.
            tried[depth] = size[depth]
            continue
        if nodes >= budget or depth == DEEPEST:
            is_whole = False
            break
        nodes += 1
        depth += 1
        make(own, free, depth, entry, depth == 1 and move >= 0)
        size[depth] = list_goes(own[depth], free[depth], goes[depth])
        tried[depth] = 0
        is_whole = is_whole and size[depth] < BROADEST
    return int(best), int(first), is_whole or best == most, int(nodes)
