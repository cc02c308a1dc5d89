"""Stars: how far a queen may go from a square in each of the eight directions, as eight digits.

A digit (hexadecimal) is the number of free squares until the first that is not: to the left,
right, down, up, down left, up right, down right and up left. What stands on one of the four lines
through a square settles two of the digits; so each line has a table of them by what stands on it.
The tables are filled as positions need it. All lines of 10 × 10 squares together can be occupied
in 26,616 ways, which take 4 MB.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from games.grid import NAMES, RIGHT, UP, Grid, squares


class Line(dict[int, tuple[str, ...]]):
    """By what stands on a line of squares: the two digits of each of them."""

    def __init__(self, line: tuple[int, ...]) -> None:
        super().__init__()
        self.line = line

    def __missing__(self, blocked: int) -> tuple[str, ...]:
        pattern = "".join([str(blocked >> square & 1) for square in self.line])
        self[blocked] = found = _digits(pattern)
        return found


@cache
def _digits(pattern: str) -> tuple[str, ...]:
    """For each place of a line: the free ones before it and after it until a "1" or the end."""
    places = range(len(pattern))
    before = [place - pattern.rfind("1", 0, place) - 1 for place in places]
    after = [(pattern + "1").find("1", place + 1) - place - 1 for place in places]
    return tuple(f"{low:x}{high:x}" for low, high in zip(before, after, strict=True))


Lines = tuple[int, Line, int, int, Line, int, int, Line, int, int, Line, int]
"""The four lines through a square: of each its squares as a set, its table, the square's place."""


@cache
def _lines_of(grid: Grid) -> Mapping[int, Lines]:
    lines: dict[int, Any] = dict.fromkeys(squares(grid.board), ())
    for step in (RIGHT, UP, UP + RIGHT, UP - RIGHT):
        for first in squares(grid.board & ~(grid.board << step)):
            line = (first, *grid.walk(first, step))
            table, together = Line(line), sum(1 << square for square in line)
            for place, square in enumerate(line):
                lines[square] += (together, table, place)
    return lines


def starred(grid: Grid, bits: int, blocked: int) -> str:
    """Each square of a set with its star, "d2:36171613 e2:45181414". `blocked` holds all that
    stands in the way; the wall does not matter."""
    lines = _lines_of(grid)
    items = []
    while bits:
        low = bits & -bits
        square = low.bit_length() - 1
        bits ^= low
        in_row, row, x, in_column, column, y, in_up, up, u, in_down, down, d = lines[square]
        items.append(
            f"{NAMES[square]}:{row[blocked & in_row][x]}{column[blocked & in_column][y]}"
            f"{up[blocked & in_up][u]}{down[blocked & in_down][d]}"
        )
    return " ".join(items)
