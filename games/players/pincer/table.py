"""Transposition table with exact keys that include the number of single moves.

So a value is never used for a position with another number of moves left, and an entry with fewer
moves than the root can be replaced at once. An entry is three ints: own pieces and moves made;
their pieces and, as an own piece too, the one that has stepped; and value, depth, bound and best
step.
"""

from __future__ import annotations

from typing import Final

from games.players.compiled import jit
from games.players.pincer.arrays import Ints
from games.players.pincer.tree import INTS_PER_ENTRY, NO_STEP

EXACT, LOWER, UPPER = 1, 2, 3
_VALUE_OFFSET: Final = 1 << 15  # offset that makes values non-negative
_MASK: Final = (1 << 62) - 1


@jit
def _index_of(table: Ints, key: int, other: int) -> int:
    """Return the index of the pair of entries for these keys."""
    mixed = (key * 0x9E3779B97F4A7C1 + other * 0x2545F4914F6CDD1) & _MASK
    mixed = (mixed ^ mixed >> 31) * 0x27D4EB2F165667C & _MASK
    pairs = len(table) // (2 * INTS_PER_ENTRY)
    return (mixed >> 28 & pairs - 1) * 2 * INTS_PER_ENTRY


@jit
def recall(table: Ints, own: int, theirs: int, stepped: int, moves: int) -> int:
    """Return the entry's third int, 0 if the position is unknown."""
    key, other = own | moves << 56, theirs | stepped
    at = _index_of(table, key, other)
    if table[at] == key and table[at + 1] == other:
        return table[at + 2]  # type: ignore[no-any-return]
    at += INTS_PER_ENTRY
    if table[at] == key and table[at + 1] == other:
        return table[at + 2]  # type: ignore[no-any-return]
    return 0


@jit
def value_of(entry: int) -> int:
    return (entry >> 16) - _VALUE_OFFSET


@jit
def depth_of(entry: int) -> int:
    return entry >> 10 & 63


@jit
def bound_of(entry: int) -> int:
    return entry >> 8 & 3


@jit
def step_of(entry: int) -> int:
    return entry & 255 if entry else NO_STEP


@jit
def remember(
    table: Ints,
    own: int,
    theirs: int,
    stepped: int,
    moves: int,
    value: int,
    depth: int,
    bound: int,
    step: int,
    made: int,
) -> None:
    """Store an entry; the deeper one takes the first place of the pair.

    `made` is the number of moves made at the root.
    """
    key, other = own | moves << 56, theirs | stepped
    at = _index_of(table, key, other)
    entry = (value + _VALUE_OFFSET) << 16 | depth << 10 | bound << 8 | step
    is_same = table[at] == key and table[at + 1] == other
    if not is_same and table[at] >> 56 >= made and depth_of(table[at + 2]) > depth:
        at += INTS_PER_ENTRY
    table[at], table[at + 1], table[at + 2] = key, other, entry
