"""When the sides are parted: how many goes each has left, and which go loses none of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.players.amazons.fill import fill
from games.players.amazons.flood import HALF, are_apart, spread
from games.players.amazons.position import WORD, Position

THOROUGH: Final = 1000  # positions looked at in one area: 30 ms compiled


@dataclass(frozen=True, slots=True)
class Filling:
    """What one side can still do in the areas that are its alone."""

    goes: int  # that it surely has
    most: int  # more than these are impossible
    first: int  # its first go, 128 * move + arrow; -1 if it has none
    nodes: int


def is_parted(position: Position) -> bool:
    """Whether no cell that is not burnt joins the two sides."""
    return are_apart(*position.words)


def _areas(own: int, free: int) -> Iterator[tuple[int, int]]:
    """The own pieces and free cells of each area, that of the lowest piece first."""
    left = own
    while left:
        piece = left & -left
        open_ = own | free
        low, high = spread(piece & WORD, piece >> HALF, open_ & WORD, open_ >> HALF)
        area = piece | low | high << HALF
        left &= ~area
        yield own & area, free & area


def count(own: int, free: int, budget: int, move: int = -1) -> Filling:
    """How many goes a side has on its own; with `move` the next is the shot of that move."""
    goes = most = nodes = 0
    first = -1
    target = 1 << (move & 127) if move >= 0 else 0
    for pieces, cells in _areas(own, free):
        acts = move if pieces & target else -1
        words = (pieces & WORD, pieces >> HALF, cells & WORD, cells >> HALF)
        length, go, is_exact, looked = fill(*words, acts, budget)
        goes += length
        most += length if is_exact else cells.bit_count()
        nodes += looked
        if go >= 0 and (pieces & target or (first < 0 and not target)):
            first = go
    return Filling(goes, most, first, nodes)
