"""Turns left to each side once their areas are separated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from games.players.amazons.fill import MAX_FILL_TURNS, fill
from games.players.amazons.flood import HALF_BITS, are_apart, spread
from games.players.amazons.position import WORD, Position

MAX_AREA_NODES: Final = 1000  # positions examined in one area: 30 ms compiled


@dataclass(frozen=True, slots=True)
class Filling:
    """Turns that one side can still make in its own areas."""

    turns: int  # lower bound
    most: int  # upper bound
    first: int  # its first turn, 128 * move + arrow; -1 if it has none
    nodes: int
    line: tuple[int, ...] = ()  # all turns of the lower bound, beginning with the first


def is_parted(position: Position) -> bool:
    """Return whether the two sides can never meet again."""
    return are_apart(*position.words)


def own_squares(own: int, free: int) -> int:
    """Return how many free cells a side can reach; only it can, once the sides are separated."""
    return sum(cells.bit_count() for _, cells in _areas(own, free))


def _areas(own: int, free: int) -> Iterator[tuple[int, int]]:
    """Yield the own pieces and free cells of each area, that of the lowest piece first."""
    left = own
    while left:
        piece = left & -left
        open_ = own | free
        low, high = spread(piece & WORD, piece >> HALF_BITS, open_ & WORD, open_ >> HALF_BITS)
        area = piece | low | high << HALF_BITS
        left &= ~area
        yield own & area, free & area


def count(own: int, free: int, budget: int, move: int = -1) -> Filling:
    """Count the turns of a side on its own; with `move`, the next action is that move's shot."""
    turns = most = nodes = 0
    first = -1
    line: list[int] = []
    made = np.zeros(MAX_FILL_TURNS + 2, np.int64)
    target = 1 << (move & 127) if move >= 0 else 0
    for pieces, cells in _areas(own, free):
        acts = move if pieces & target else -1
        words = (pieces & WORD, pieces >> HALF_BITS, cells & WORD, cells >> HALF_BITS)
        length, turn, is_exact, looked = fill(*words, acts, budget, made)
        turns += length
        most += length if is_exact else cells.bit_count()
        nodes += looked
        if turn >= 0 and (pieces & target or (first < 0 and not target)):
            first = turn
            line[:0] = made[:length].tolist()
        else:
            line += made[:length].tolist()
    return Filling(turns, most, first, nodes, tuple(line))
