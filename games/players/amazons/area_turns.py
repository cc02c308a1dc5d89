"""Bounds of the turns that a side can make on its own in areas that the other side cannot enter.

An area is a connected set of empty cells and amazons of one side. Areas of up to EXACT_CELLS empty
cells are searched to the end, with their parts as areas of their own; larger ones get a lower bound
from one way to fill them, and as upper bound their empty cells, because each turn burns one. So do
the few small ones whose search would take more than MAX_AREAS areas: in one game of 6,000 it ran
for minutes.

A held amazon guards the border of an area: it may leave its cell only into the area, and only by
shooting back at that cell, which stays closed.

All functions are pure: a result depends on the area alone, not on what `Scratch` remembers. That is
why the number of areas searched is remembered with the bounds, and counted as if nothing were.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from games.players.amazons.bits import lowest, ones, wide
from games.players.amazons.distances import COLUMNS, WAVE_WORDS
from games.players.amazons.flood import HALF_BITS, around, reach, spread
from games.players.compiled import jit

EXACT_CELLS: Final = 12  # empty cells of the largest area that is searched to the end
ENTRIES: Final = 1 << 12  # areas remembered
MAX_PATH_EDGES: Final = 256  # on a path in the tree
MAX_TURNS_LISTED: Final = 600  # in one area of at most EXACT_CELLS
UPPER: Final = 128  # bounds are packed as lower + UPPER * upper, and after them the areas searched
COST: Final = UPPER * UPPER
MAX_AREAS: Final = 1_000  # searched for the bounds of one area, itself included
RANK: Final = 1 << 21  # a listed turn is RANK * rank + 128 * move + arrow; move as in `position`
FEW_NEIGHBOURS: Final = 2  # a greedy arrow with so few empty cells around it is good enough
_MIX: Final = (0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9, 0x14D049BB133111EB)
_MASK: Final = (1 << 62) - 1
_FOLD_BITS: Final = 29


class Scratch(NamedTuple):
    """Arrays that the compiled functions work in, so that they allocate nothing."""

    keys: Any  # int64 (ENTRIES, 6): own, held and free cells of an area
    bounds: Any  # int32 (ENTRIES,): its bounds, packed; -1: no area
    turns: Any  # int64 (EXACT_CELLS + 2, MAX_TURNS_LISTED): the turns of one area for each depth
    position: Any  # int64 (6,): the position at the end of a path in the tree
    path: Any  # int64 (MAX_PATH_EDGES,): its edges
    nodes: Any  # int64 (MAX_PATH_EDGES + 1,): its nodes
    waves: Any  # int64 (WAVE_WORDS,): the empty cells by distance, see `distances`
    inputs: Any  # float64 (COLUMNS,): of the evaluation, see `distances`


def new_scratch() -> Scratch:
    """Return arrays that remember nothing yet, 280 KB."""
    return Scratch(
        np.zeros((ENTRIES, 6), np.int64),
        np.full(ENTRIES, -1, np.int32),
        np.zeros((EXACT_CELLS + 2, MAX_TURNS_LISTED), np.int64),
        np.zeros(6, np.int64),
        np.zeros(MAX_PATH_EDGES, np.int64),
        np.zeros(MAX_PATH_EDGES + 1, np.int64),
        np.zeros(WAVE_WORDS, np.int64),
        np.zeros(COLUMNS, np.float64),
    )


@jit
def slot_of(
    own_low: int, own_high: int, held_low: int, held_high: int, free_low: int, free_high: int
) -> int:
    """Return the index of an area in `Scratch`; equal with and without 64-bit overflow."""
    mixed = (own_low * _MIX[0] ^ free_low * _MIX[1] ^ held_low * _MIX[2]) & _MASK
    mixed = ((mixed >> _FOLD_BITS ^ mixed) + own_high) & _MASK
    mixed = (mixed * _MIX[1] ^ free_high * _MIX[2] ^ held_high * _MIX[0]) & _MASK
    return int((mixed >> _FOLD_BITS ^ mixed >> 3) & (ENTRIES - 1))


@jit
def insert_turn(out: Any, size: int, entry: int) -> int:
    """Insert an entry among `size` sorted ones, largest first; return the new size."""
    place = size
    while place > 0 and out[place - 1] < entry:
        out[place] = out[place - 1]
        place -= 1
    out[place] = entry
    return size + 1


@jit
def list_area_turns(
    own_low: int,
    own_high: int,
    held_low: int,
    held_high: int,
    free_low: int,
    free_high: int,
    out: Any,
) -> int:
    """Write the turns of a side alone, best first; return their number.

    Ranked by the empty cells left within reach, then by how few empty neighbours the arrow has.
    Beyond the size of `out`, turns are left out.
    """
    size = wide(0)
    left_low, left_high = own_low, own_high
    while left_low | left_high:
        from_low = left_low & -left_low
        from_high = 0 if from_low else left_high & -left_high
        left_low ^= from_low
        left_high ^= from_high
        origin = lowest(from_low) if from_low else HALF_BITS + lowest(from_high)
        is_held = (from_low & held_low | from_high & held_high) != 0
        goal_low, goal_high = reach(from_low, from_high, free_low, free_high)
        while goal_low | goal_high:
            to_low = goal_low & -goal_low
            to_high = 0 if to_low else goal_high & -goal_high
            goal_low ^= to_low
            goal_high ^= to_high
            target = lowest(to_low) if to_low else HALF_BITS + lowest(to_high)
            moved_low, moved_high = own_low ^ from_low ^ to_low, own_high ^ from_high ^ to_high
            open_low, open_high = free_low ^ from_low ^ to_low, free_high ^ from_high ^ to_high
            shot_low, shot_high = from_low, from_high
            if not is_held:
                shot_low, shot_high = reach(to_low, to_high, open_low, open_high)
            while shot_low | shot_high:
                at_low = shot_low & -shot_low
                at_high = 0 if at_low else shot_high & -shot_high
                shot_low ^= at_low
                shot_high ^= at_high
                arrow = lowest(at_low) if at_low else HALF_BITS + lowest(at_high)
                after_low, after_high = open_low ^ at_low, open_high ^ at_high
                low, high = spread(moved_low, moved_high, after_low, after_high)
                rank = 16 * (ones(low) + ones(high)) + 8
                low, high = around(at_low, at_high)
                rank -= ones(low & after_low) + ones(high & after_high)
                if size < out.shape[0]:
                    size = insert_turn(
                        out, size, RANK * rank + 16384 * origin + 128 * target + arrow
                    )
    return int(size)


@jit
def greedy_turn(
    own_low: int, own_high: int, held_low: int, held_high: int, free_low: int, free_high: int
) -> int:
    """Return a turn that moves and shoots one square far, 128 * move + arrow; -1 if there is none.

    Ranked as in `list_area_turns`; the first that leaves all cells within reach and has an arrow
    with few empty neighbours is taken without looking at the others.
    """
    low, high = spread(own_low, own_high, free_low, free_high)
    enough = 16 * (ones(low) + ones(high) - 1) + 8 - FEW_NEIGHBOURS
    best, most = wide(-1), wide(-1)
    left_low, left_high = own_low, own_high
    while left_low | left_high:
        from_low = left_low & -left_low
        from_high = 0 if from_low else left_high & -left_high
        left_low ^= from_low
        left_high ^= from_high
        origin = lowest(from_low) if from_low else HALF_BITS + lowest(from_high)
        is_held = (from_low & held_low | from_high & held_high) != 0
        goal_low, goal_high = around(from_low, from_high)
        goal_low &= free_low
        goal_high &= free_high
        while goal_low | goal_high:
            to_low = goal_low & -goal_low
            to_high = 0 if to_low else goal_high & -goal_high
            goal_low ^= to_low
            goal_high ^= to_high
            target = lowest(to_low) if to_low else HALF_BITS + lowest(to_high)
            moved_low, moved_high = own_low ^ from_low ^ to_low, own_high ^ from_high ^ to_high
            open_low, open_high = free_low ^ from_low ^ to_low, free_high ^ from_high ^ to_high
            shot_low, shot_high = from_low, from_high
            if not is_held:
                shot_low, shot_high = around(to_low, to_high)
                shot_low &= open_low
                shot_high &= open_high
            while shot_low | shot_high:
                at_low = shot_low & -shot_low
                at_high = 0 if at_low else shot_high & -shot_high
                shot_low ^= at_low
                shot_high ^= at_high
                low, high = spread(moved_low, moved_high, open_low ^ at_low, open_high ^ at_high)
                rank = 16 * (ones(low) + ones(high))
                if rank + 8 <= most:
                    continue
                near_low, near_high = around(at_low, at_high)
                rank += 8 - ones(near_low & open_low) - ones(near_high & open_high)
                if rank > most:
                    arrow = lowest(at_low) if at_low else HALF_BITS + lowest(at_high)
                    most = rank
                    best = wide(16384 * origin + 128 * target + arrow)
                    if rank >= enough:
                        return int(best)
    return int(best)


@jit
def upper_bound(packed: int) -> int:
    """Return the upper bound in the result of `side_turns`."""
    return int(packed // UPPER % UPPER)


@jit
def bit_low(cell: int) -> int:
    """Return a cell's bit in the low word, 0 if it is in the high one."""
    return int(wide(1) << cell) if cell < HALF_BITS else 0


@jit
def bit_high(cell: int) -> int:
    """Return a cell's bit in the high word, 0 if it is in the low one."""
    return int(wide(1) << (cell - HALF_BITS)) if cell >= HALF_BITS else 0


@jit
def side_turns(
    own_low: int,
    own_high: int,
    held_low: int,
    held_high: int,
    free_low: int,
    free_high: int,
    depth: int,
    scratch: Scratch,
) -> int:
    """Return the packed bounds of the turns of a side alone, in all of its areas together.

    Modulo UPPER it is the lower bound; `upper_bound` returns the other one.

    `depth` is the number of turns made above this call, 0 from outside.
    """
    total = wide(0)
    left_low, left_high = own_low, own_high
    while left_low | left_high:
        seed_low = left_low & -left_low
        seed_high = 0 if seed_low else left_high & -left_high
        low, high = spread(seed_low, seed_high, own_low | free_low, own_high | free_high)
        low |= seed_low
        high |= seed_high
        left_low &= ~low
        left_high &= ~high
        f_low, f_high = free_low & low, free_high & high
        if f_low | f_high == 0:
            continue
        o_low, o_high = own_low & low, own_high & high
        h_low, h_high = held_low & low, held_high & high
        slot = slot_of(o_low, o_high, h_low, h_high, f_low, f_high)
        key = scratch.keys[slot]
        if (
            scratch.bounds[slot] >= 0
            and key[0] == o_low
            and key[1] == o_high
            and key[2] == h_low
            and key[3] == h_high
            and key[4] == f_low
            and key[5] == f_high
        ):
            total += scratch.bounds[slot]
            continue
        cells = ones(f_low) + ones(f_high)
        packed = wide(0)
        if cells > EXACT_CELLS:
            turn = greedy_turn(o_low, o_high, h_low, h_high, f_low, f_high)
            if turn >= 0:
                origin, target, arrow = turn >> 14, turn >> 7 & 127, turn & 127
                from_low, from_high = bit_low(origin), bit_high(origin)
                to_low, to_high = bit_low(target), bit_high(target)
                below = side_turns(
                    o_low ^ from_low ^ to_low,
                    o_high ^ from_high ^ to_high,
                    h_low & ~from_low,
                    h_high & ~from_high,
                    f_low ^ from_low ^ to_low ^ bit_low(arrow),
                    f_high ^ from_high ^ to_high ^ bit_high(arrow),
                    depth,
                    scratch,
                )
                packed = wide(below % UPPER + 1 + UPPER * cells)  # never within another search
        else:
            out = scratch.turns[depth]
            size = list_area_turns(o_low, o_high, h_low, h_high, f_low, f_high, out)
            best, areas = wide(0), wide(1)
            for index in range(size):
                entry = out[index]
                if entry // RANK >> 4 < best or areas > MAX_AREAS:
                    break  # sorted by the cells left: no later turn does better
                origin, target, arrow = entry >> 14 & 127, entry >> 7 & 127, entry & 127
                from_low, from_high = bit_low(origin), bit_high(origin)
                to_low, to_high = bit_low(target), bit_high(target)
                below = side_turns(
                    o_low ^ from_low ^ to_low,
                    o_high ^ from_high ^ to_high,
                    h_low & ~from_low,
                    h_high & ~from_high,
                    f_low ^ from_low ^ to_low ^ bit_low(arrow),
                    f_high ^ from_high ^ to_high ^ bit_high(arrow),
                    depth + 1,
                    scratch,
                )
                areas += below // COST
                best = max(best, 1 + below % UPPER)
                if best == cells:
                    break
            most = cells if size == out.shape[0] or areas > MAX_AREAS else best
            packed = wide(best + UPPER * most + COST * min(areas, MAX_AREAS + 1))
        key[0], key[1], key[2], key[3] = o_low, o_high, h_low, h_high
        key[4], key[5] = f_low, f_high
        scratch.bounds[slot] = packed
        total += packed
    return int(total)


@jit
def first_turn(
    own_low: int,
    own_high: int,
    held_low: int,
    held_high: int,
    free_low: int,
    free_high: int,
    scratch: Scratch,
) -> int:
    """Return a turn, 128 * move + arrow, that leaves one less than the lower bound of `side_turns`.

    -1 if that is 0.
    """
    none = wide(0)
    left_low, left_high = own_low, own_high
    while left_low | left_high:
        seed_low = left_low & -left_low
        seed_high = 0 if seed_low else left_high & -left_high
        low, high = spread(seed_low, seed_high, own_low | free_low, own_high | free_high)
        low |= seed_low
        high |= seed_high
        left_low &= ~low
        left_high &= ~high
        f_low, f_high = free_low & low, free_high & high
        if f_low | f_high == 0:
            continue
        o_low, o_high = own_low & low, own_high & high
        h_low, h_high = held_low & low, held_high & high
        if ones(f_low) + ones(f_high) > EXACT_CELLS:
            turn = greedy_turn(o_low, o_high, h_low, h_high, f_low, f_high)
            if turn >= 0:
                return turn
            continue
        goal = side_turns(o_low, o_high, h_low, h_high, f_low, f_high, none, scratch) % UPPER
        if goal == 0:
            continue
        out = scratch.turns[EXACT_CELLS + 1]  # `side_turns` uses the rows above
        size = list_area_turns(o_low, o_high, h_low, h_high, f_low, f_high, out)
        for index in range(size):
            turn = int(out[index] % RANK)
            origin, target, arrow = turn >> 14, turn >> 7 & 127, turn & 127
            from_low, from_high = bit_low(origin), bit_high(origin)
            to_low, to_high = bit_low(target), bit_high(target)
            below = side_turns(
                o_low ^ from_low ^ to_low,
                o_high ^ from_high ^ to_high,
                h_low & ~from_low,
                h_high & ~from_high,
                f_low ^ from_low ^ to_low ^ bit_low(arrow),
                f_high ^ from_high ^ to_high ^ bit_high(arrow),
                none,
                scratch,
            )
            if 1 + below % UPPER == goal:
                return turn
    return -1
