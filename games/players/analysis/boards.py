"""Conversion between states of Amazons and the player's positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.amazons import State
from games.grid import NAMES
from games.players.amazons.flood import ROW_STRIDE_BITS
from games.players.amazons.position import NO_MOVE, Position, square_of

_ROWS: Final = 10  # of the largest board
_GRID_STRIDE_BITS: Final = 16  # see `games.grid`
_ROW: Final = (1 << ROW_STRIDE_BITS - 1) - 1


def cells_of(grid_set: int) -> int:
    """Return a set of squares of `games.grid` as a set of cells."""
    cells = 0
    for row in range(_ROWS):
        part = grid_set >> _GRID_STRIDE_BITS * (row + 1) + 1 & _ROW
        cells |= part << ROW_STRIDE_BITS * row
    return cells


def grid_set_of(cells: int) -> int:
    """Return a set of cells as a set of squares of `games.grid`."""
    grid_set = 0
    for row in range(_ROWS):
        part = cells >> ROW_STRIDE_BITS * row & _ROW
        grid_set |= part << _GRID_STRIDE_BITS * (row + 1) + 1
    return grid_set


def position_of(state: State, board: int) -> Position:
    """Return a state as its side to move sees it; `board` is the set of all squares."""
    own, other = state.white, state.black
    if state.to_move == "black":
        own, other = other, own
    free = board & ~(own | other | state.burnt)
    move = NO_MOVE
    if state.moved is not None:
        origin, target = (cells_of(1 << square) for square in state.moved)
        move = 128 * (origin.bit_length() - 1) + target.bit_length() - 1
    return Position(cells_of(own), cells_of(other), cells_of(free), move)


def each_cell(cells: int) -> Iterator[int]:
    """Yield the cells of a set, lowest first."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def names_of(cells: int) -> tuple[str, ...]:
    """Return the squares of a set, like "a1"."""
    return tuple(NAMES[square_of(cell)] for cell in each_cell(cells))
