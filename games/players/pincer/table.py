"""The table of known positions. Its keys are exact, the number of single moves being part of them.

So a value never serves a position with another number of moves to come, and an entry with fewer
moves made than the root has can never be asked for again: it is free. An entry is three ints: own
pieces and moves made; their pieces and, as an own piece too, the one that has stepped; and
value, depth, bound and best step.
"""

from __future__ import annotations

from typing import Final

from games.players.compiled import compiled
from games.players.pincer.machine import Ints
from games.players.pincer.tree import NO_STEP, SLOT

EXACT, LOWER, UPPER = 1, 2, 3
_ZERO: Final = 1 << 15  # added to values, which may be negative
_MASK: Final = (1 << 62) - 1


@compiled
def _place(table: Ints, key: int, other: int) -> int:
    """Where the pair of entries for these keys begins."""
    mixed = (key * 0x9E3779B97F4A7C1 + other * 0x2545F4914F6CDD1) & _MASK
    mixed = (mixed ^ mixed >> 31) * 0x27D4EB2F165667C & _MASK
    pairs = len(table) // (2 * SLOT)
    return (mixed >> 28 & pairs - 1) * 2 * SLOT


@compiled
def recalled(table: Ints, own: int, theirs: int, stepped: int, moves: int) -> int:
    """The entry's third int, 0 if the position isn't known."""
    key, other = own | moves << 56, theirs | stepped
    at = _place(table, key, other)
    if table[at] == key and table[at + 1] == other:
        return table[at + 2]  # type: ignore[no-any-return]
    at += SLOT
    if table[at] == key and table[at + 1] == other:
        return table[at + 2]  # type: ignore[no-any-return]
    return 0


@compiled
def value_of(entry: int) -> int:
    return (entry >> 16) - _ZERO


@compiled
def depth_of(entry: int) -> int:
    return entry >> 10 & 63


@compiled
def bound_of(entry: int) -> int:
    return entry >> 8 & 3


@compiled
def step_of(entry: int) -> int:
    return entry & 255 if entry else NO_STEP


@compiled
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
    """Keeps the deeper one in the first place of the pair; `made`: moves made at the root."""
    key, other = own | moves << 56, theirs | stepped
    at = _place(table, key, other)
    entry = (value + _ZERO) << 16 | depth << 10 | bound << 8 | step
    is_same = table[at] == key and table[at + 1] == other
    if not is_same and table[at] >> 56 >= made and depth_of(table[at + 2]) > depth:
        at += SLOT
    table[at], table[at + 1], table[at + 2] = key, other, entry
