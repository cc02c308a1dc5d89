"""Captures of Pincer: runs between an enemy and an enemy or the wall.

Sets of squares, for boards of up to 8 rows and columns. The order of the two colours is arbitrary.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

from games.core import Role
from games.effects import Remove
from games.grid import NAMES, RIGHT, UP, squares

_ROW: Final = (1 << UP) - 1  # of square 0
_COLUMN: Final = sum(1 << square for square in range(0, 256, UP))


def captured_pieces(one: int, other: int, wall: int) -> int:
    """Return all captured pieces of both colours."""
    dead = 0
    for shift in (RIGHT, UP):
        # Only a line in which the two colours touch can contain a capture.
        if one & (other << shift | other >> shift):
            dead |= _find_captured_runs(one, other, wall, shift) | _find_captured_runs(
                other, one, wall, shift
            )
    return dead


def captures_near(one: int, other: int, square: int, wall: int) -> int:
    """Return the captured pieces in the row or the column of a square."""
    row, column = _ROW << (square & -UP), _COLUMN << (square & UP - 1)
    in_row = _find_captured_on_line(one & row, other & row, wall, RIGHT)
    return in_row | _find_captured_on_line(one & column, other & column, wall, UP)


@lru_cache(maxsize=4096)
def _find_captured_on_line(one: int, other: int, wall: int, shift: int) -> int:
    """Return the captured pieces of one line, cached: lines repeat on many boards."""
    return _find_captured_runs(one, other, wall, shift) | _find_captured_runs(
        other, one, wall, shift
    )


def removals(white: int, black: int, wall: int) -> Iterator[Remove]:
    """Yield one effect for each captured run: white's, then black's, rows first."""
    yield from _removals("white", white, black, wall)
    yield from _removals("black", black, white, wall)


def _removals(whose: Role, own: int, theirs: int, wall: int) -> Iterator[Remove]:
    axes: tuple[tuple[Literal["row", "column"], int], ...] = (("row", RIGHT), ("column", UP))
    for axis, shift in axes:
        taken = _find_captured_runs(own, theirs, wall, shift)
        for start in squares(taken & ~(taken << shift)):
            end = start
            while taken >> (end + shift) & 1:
                end += shift
            run = tuple(NAMES[square] for square in range(start, end + 1, shift))
            low, high = (
                "wall" if wall >> jaw & 1 else NAMES[jaw] for jaw in (start - shift, end + shift)
            )
            yield Remove(whose, run, (low, high), axis)


def _find_captured_runs(own: int, theirs: int, wall: int, shift: int) -> int:
    """Return the own runs along this axis between enemies or wall, at least one an enemy."""
    jaws = theirs | wall
    low, high = jaws << shift & own, jaws >> shift & own
    if not low or not high:
        return 0
    low_enemy, high_enemy = theirs << shift & own, theirs >> shift & own
    to_low, to_low_enemy = _extend_up(low, own, shift), _extend_up(low_enemy, own, shift)
    back, back_enemy = _extend_down(high, own, shift), _extend_down(high_enemy, own, shift)
    return to_low & back_enemy | to_low_enemy & back


def _extend_up(seeds: int, own: int, shift: int) -> int:
    """Return the seeds and all own pieces that follow them without a gap, up to seven."""
    seeds |= own & seeds << shift
    own &= own << shift
    seeds |= own & seeds << 2 * shift
    own &= own << 2 * shift
    return seeds | own & seeds << 4 * shift


def _extend_down(seeds: int, own: int, shift: int) -> int:
    """Do the same as `_extend_up`, towards the low end."""
    seeds |= own & seeds >> shift
    own &= own >> shift
    seeds |= own & seeds >> 2 * shift
    own &= own >> 2 * shift
    return seeds | own & seeds >> 4 * shift
