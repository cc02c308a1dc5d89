"""Exact values above the computed layers, by alpha-beta down to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy

from games.players.compiled import jit
from games.players.pincer.arrays import Ints
from games.players.pincer.board import (
    BOARD,
    MAX_MOVES,
    WAYS,
    apply_step,
    count,
    hand_over,
    is_decided,
    shift,
)
from games.players.pincer.position import Position, move_of
from games.players.pincer.solved.compute import Computation
from games.players.pincer.solved.kernels import (
    Groups,
    Values,
    place_of,
    read_place,
    result_of,
    signed,
)

_ENTRIES: Final = 1 << 22  # of the transposition table, two words each
_KEY_BITS: Final = (1 << 62) - 1


@jit
def _slot(table: Ints, own: int, theirs: int) -> int:
    """Return the index of the entry of a position."""
    mixed = numpy.uint64(own) * numpy.uint64(0x9E3779B97F4A7C15)
    mixed ^= numpy.uint64(theirs) * numpy.uint64(0xC2B2AE3D27D4EB4F)
    return 2 * (signed(mixed >> numpy.uint64(40)) & len(table) // 2 - 1)  # type: ignore[no-any-return]


@jit
def search_above(
    groups: Groups,
    even: Values,
    odd: Values,
    layer: int,
    table: Ints,
    own: int,
    theirs: int,
    stepped: int,
    left: int,
    alpha: int,
    beta: int,
) -> int:
    """Return 0, 1 or 2 for the role to move; exact between alpha and beta, else a bound.

    `even` and `odd` hold the layers `layer`, which is even, and `layer` - 1.
    """
    if is_decided(own, theirs, MAX_MOVES - left):
        return result_of(count(own), count(theirs))
    at = 0
    if not stepped:
        if left == layer or left == layer - 1:
            values = even if left == layer else odd
            return read_place(values.words, place_of(groups, values, own, theirs))
        at = _slot(table, own, theirs)
        if table[at] == own | left << 56 and table[at + 1] & (1 << 56) - 1 == theirs:
            low, high = table[at + 1] >> 56 & 3, table[at + 1] >> 58 & 3
            if low >= beta or low == high:
                return low  # type: ignore[no-any-return]
            if high <= alpha:
                return high  # type: ignore[no-any-return]
    best = -1
    free, empty = own & ~stepped, BOARD & ~(own | theirs)
    while free and best < beta:
        origin = free & -free
        free ^= origin
        for way in WAYS:
            target = shift(origin, way) & empty
            if not target:
                continue
            mine, others = apply_step(own, theirs, origin, target)
            one, other, step, is_same = hand_over(own, stepped, mine, others, target)
            window = (alpha, beta) if alpha >= best else (best, beta)
            deeper = groups, even, odd, layer, table, one, other, step, left - 1
            if is_same:
                value = search_above(*deeper, window[0], window[1])
            else:
                value = 2 - search_above(*deeper, 2 - window[1], 2 - window[0])
            best = max(best, value)
            if best >= beta:
                break
    if not stepped:
        low, high = 0, 2
        if best > alpha:
            low = best
        if best < beta:
            high = best
        table[at] = own | left << 56
        table[at + 1] = theirs | low << 56 | high << 58
    return best


def turn_values(
    computation: Computation, layer: int, at: Position, left: int
) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield each turn of a position, as two actions, with its value for the role to move.

    The turn must have two moves that end no game: true of the start. Turns that differ only in the
    order of their moves are given once. Layers `layer`, even, and `layer` - 1 are held.
    """
    layers = computation.layer(layer), computation.layer(layer - 1)
    table = numpy.zeros(2 * _ENTRIES, numpy.int64)
    known: dict[tuple[int, int], int] = {}
    for first, own, theirs, stepped in _steps(at.own, at.theirs, 0):
        for second, others, mine, _ in _steps(own, theirs, stepped):
            if (others, mine) in known:
                continue
            below = others, mine, 0, left - 2
            value = 2 - int(search_above(computation.groups, *layers, layer, table, *below, 0, 2))
            known[others, mine] = value
            yield (first, second), value


def _steps(own: int, theirs: int, stepped: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield each step with the position after it, seen by the role that is to move then."""
    for square in range(56):
        origin = 1 << square
        if not origin & own & ~stepped:
            continue
        for way in WAYS:
            target = int(shift(origin, way)) & BOARD & ~(own | theirs)
            if target:
                left, enemies = apply_step(own, theirs, origin, target)
                one, other, moved, _ = hand_over(own, stepped, left, enemies, target)
                yield str(move_of(4 * square + way)), int(one), int(other), int(moved)
