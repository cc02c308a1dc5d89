"""The captures of Pincer: runs between an enemy and an enemy or the wall, as sets of squares.

Runs are judged for boards of up to 8 rows and columns. The order of the two colours is free.
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


def captured(one: int, other: int, wall: int) -> int:
    """All captured pieces of both colours."""
    dead = 0
    for shift in (RIGHT, UP):
        # Only a line in which the two colours touch can hold a capture.
        if one & (other << shift | other >> shift):
            dead |= _taken(one, other, wall, shift) | _taken(other, one, wall, shift)
    return dead


def captured_from(one: int, other: int, square: int, wall: int) -> int:
    """Those of them that are in the row or the column of a square."""
    row, column = _ROW << (square & -UP), _COLUMN << (square & UP - 1)
    in_row = _captured_along(one & row, other & row, wall, RIGHT)
    return in_row | _captured_along(one & column, other & column, wall, UP)


@lru_cache(maxsize=4096)
def _captured_along(one: int, other: int, wall: int, shift: int) -> int:
    """The captured pieces of one line; kept, because lines look alike on many boards."""
    return _taken(one, other, wall, shift) | _taken(other, one, wall, shift)


def removals(white: int, black: int, wall: int) -> Iterator[Remove]:
    """One for each captured run: the white ones, then the black ones, rows first."""
    yield from _removals("white", white, black, wall)
    yield from _removals("black", black, white, wall)


def _removals(whose: Role, own: int, theirs: int, wall: int) -> Iterator[Remove]:
    axes: tuple[tuple[Literal["row", "column"], int], ...] = (("row", RIGHT), ("column", UP))
    for axis, shift in axes:
        taken = _taken(own, theirs, wall, shift)
        for start in squares(taken & ~(taken << shift)):
            end = start
            while taken >> (end + shift) & 1:
                end += shift
            run = tuple(NAMES[square] for square in range(start, end + 1, shift))
            low, high = (
                "wall" if wall >> jaw & 1 else NAMES[jaw] for jaw in (start - shift, end + shift)
            )
            yield Remove(whose, run, (low, high), axis)


def _taken(own: int, theirs: int, wall: int, shift: int) -> int:
    """The own runs along this axis with a jaw at either end, at least one of them an enemy."""
    jaws = theirs | wall
    low, high = jaws << shift & own, jaws >> shift & own
    if not low or not high:
        return 0
    low_enemy, high_enemy = theirs << shift & own, theirs >> shift & own
    to_low, to_low_enemy = _along(low, own, shift), _along(low_enemy, own, shift)
    back, back_enemy = _against(high, own, shift), _against(high_enemy, own, shift)
    return to_low & back_enemy | to_low_enemy & back


def _along(seeds: int, own: int, shift: int) -> int:
    """The seeds and all own pieces that follow them without a gap, up to seven."""
    seeds |= own & seeds << shift
    own &= own << shift
    seeds |= own & seeds << 2 * shift
    own &= own << 2 * shift
    return seeds | own & seeds << 4 * shift


def _against(seeds: int, own: int, shift: int) -> int:
    """As `_along`, towards the low end."""
    seeds |= own & seeds >> shift
    own &= own >> shift
    seeds |= own & seeds >> 2 * shift
    own &= own >> 2 * shift
    return seeds | own & seeds >> 4 * shift
