"""Boards as bit sets: squares, walls, rays and rows for sizes up to 14 × 14.

The square (x, y), both from 1, is bit 16 y + x, on every board. So columns 0 and width + 1 and rows
0 and height + 1 represent the wall around the board, a shift by 1 or 16 moves a whole set by one
square without wrapping, and every ray ends on a wall. Sets of squares are ints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

RIGHT: Final = 1
UP: Final = 16
MAX_BOARD_SIZE: Final = 14
_ASCENDING: Final = (RIGHT, UP - RIGHT, UP, UP + RIGHT)

Ray = tuple[int, Mapping[int, int], Mapping[int, str]]
"""A ray's squares including the wall at its end, then two tables by first blocker: the squares
before it, and their names, each followed by a space. A blocker's key is its bit on an ascending ray
and its bit length on a descending one: the cheapest to compute."""


def name(square: int) -> str:
    """Return the name of a square: "d1" for x = 4, y = 1."""
    return f"{chr(96 + (square & 15))}{square >> 4}"


NAMES: Final = tuple(name(square) for square in range(256))
COORDINATES: Final = tuple(f"{square & 15} {square >> 4}" for square in range(256))  # "4 1"


def squares(bits: int) -> Iterator[int]:
    """Yield the squares of a set, row by row from below, each row from the left."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def nth(bits: int, index: int) -> int:
    """Return the square that `squares` yields at this index, which must exist."""
    for _ in range(index):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def names(bits: int) -> str:
    """Return the names of a set's squares, separated by spaces."""
    return " ".join([NAMES[square] for square in squares(bits)])


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Tables of one board size, created by `grid`. Indices are squares."""

    width: int
    height: int
    board: int = field(init=False)  # all squares
    wall: int = field(init=False)  # the squares around the board
    columns: Mapping[str, int] = field(init=False)  # "4" → offset of the column
    ranks: Mapping[str, int] = field(init=False)  # "1" → offset of the row
    by_name: Mapping[str, int] = field(init=False)  # "d1" → square
    ascending: tuple[tuple[Ray, ...], ...] = field(init=False)  # rays of at least one square
    descending: tuple[tuple[Ray, ...], ...] = field(init=False)
    lines: tuple[Mapping[int, int], ...] = field(init=False)  # origin → target → the squares
    # after the origin up to and with the target, for targets on a common line
    steps: tuple[int, ...] = field(init=False)  # the up to four orthogonal neighbours

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_BOARD_SIZE and 1 <= self.height <= MAX_BOARD_SIZE):
            raise ValueError(f"a board has 1 to {MAX_BOARD_SIZE} rows and columns")
        ring = {(x, y) for x in range(self.width + 2) for y in range(self.height + 2)}
        inner = {(x, y) for x in range(1, self.width + 1) for y in range(1, self.height + 1)}
        tables = {
            "board": sum(1 << (16 * y + x) for x, y in inner),
            "wall": sum(1 << (16 * y + x) for x, y in ring - inner),
            "columns": {str(x): x for x in range(1, self.width + 1)},
            "ranks": {str(y): 16 * y for y in range(1, self.height + 1)},
            "by_name": {NAMES[16 * y + x]: 16 * y + x for x, y in inner},
        }
        for key, table in tables.items():
            object.__setattr__(self, key, table)
        on = [bool(self.board >> square & 1) for square in range(256)]
        ascending = [self._rays(s, 1) if on[s] else () for s in range(256)]
        descending = [self._rays(s, -1) if on[s] else () for s in range(256)]
        object.__setattr__(self, "ascending", tuple(ascending))
        object.__setattr__(self, "descending", tuple(descending))
        object.__setattr__(
            self, "lines", tuple(self._lines(s) if on[s] else {} for s in range(256))
        )
        object.__setattr__(
            self,
            "steps",
            tuple(self.step(1 << s) & self.board if on[s] else 0 for s in range(256)),
        )

    def walk(self, square: int, step: int) -> list[int]:
        """Return the squares from here in one direction, without this one."""
        path = []
        while self.board >> (square + step) & 1:
            square += step
            path.append(square)
        return path

    def _rays(self, square: int, sign: int) -> tuple[Ray, ...]:
        rays = []
        for step in _ASCENDING:
            path = self.walk(square, sign * step)
            if not path:
                continue
            free: dict[int, int] = {}
            words: dict[int, str] = {}
            end = path[-1] + sign * step
            before, text = 0, ""
            for blocker in (*path, end):
                key = 1 << blocker if sign > 0 else blocker + 1
                free[key], words[key] = before, text
                before |= 1 << blocker
                text += NAMES[blocker] + " "
            rays.append((before, free, words))
        return tuple(rays)

    def _lines(self, square: int) -> dict[int, int]:
        lines = {}
        for step in (*_ASCENDING, *(-step for step in _ASCENDING)):
            way = 0
            for target in self.walk(square, step):
                way |= 1 << target
                lines[target] = way
        return lines

    def set_of(self, text: str) -> int:
        """Return the set of squares named in "a4 d1". Raises KeyError for a name off the board."""
        return sum(1 << self.by_name[square] for square in text.split())

    def path(self, parts: Sequence[str]) -> list[int]:
        """Return the squares in the parts of a canonical action ("move", "4", "1", "4", "7").

        Raises KeyError for a coordinate off the board. The number of parts must be odd.
        """
        columns, ranks = self.columns, self.ranks
        return [columns[x] + ranks[y] for x, y in zip(parts[1::2], parts[2::2], strict=True)]

    def reach(self, square: int, blocked: int) -> int:
        """Return the squares that a queen can reach; `blocked` includes the wall."""
        reached = 0
        for ray, free, _ in self.ascending[square]:
            hits = blocked & ray
            reached |= free[hits & -hits]
        for ray, free, _ in self.descending[square]:
            reached |= free[(blocked & ray).bit_length()]
        return reached

    def reach_names(self, square: int, blocked: int) -> str:
        """Return the names of the squares of `reach`, separated by spaces, in any order."""
        words = []
        for ray, _, by_blocker in self.ascending[square]:
            hits = blocked & ray
            words.append(by_blocker[hits & -hits])
        for ray, _, by_blocker in self.descending[square]:
            words.append(by_blocker[(blocked & ray).bit_length()])
        return "".join(words)[:-1]

    def first(self, origin: int, target: int, blocked: int) -> int:
        """Return the first blocked square on the line from origin to target; one must exist."""
        hits = self.lines[origin][target] & blocked
        return (hits & -hits if target > origin else hits).bit_length() - 1

    def step(self, bits: int) -> int:
        """Return all squares one step up, down, left or right of the set; may include walls."""
        return bits << RIGHT | bits >> RIGHT | bits << UP | bits >> UP

    def around(self, bits: int) -> int:
        """Return the set and all squares one king's move from it; may include walls."""
        bits |= bits << RIGHT | bits >> RIGHT
        return bits | bits << UP | bits >> UP

    def flood(self, seeds: int, within: int) -> int:
        """Return the squares of a set that kings on some squares ever reach, moving in the set.

        Seeds in the set are reached, others are not; both begin the way.
        """
        found, newest = 0, seeds
        while newest:
            newest = self.around(newest) & within & ~found
            found |= newest
        return found

    def read_rows(self, text: str, letters: str) -> list[int]:
        """Return the set of each letter in a text of `picture`. Raises ValueError."""
        rows = text.split("/")
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise ValueError(f"the board is not {self.height} rows of {self.width} squares")
        if not set(text) <= {*letters, ".", "/"}:
            raise ValueError("the board contains an unknown letter")
        # As a binary number: the top row first, in each row the last column first.
        digits = ("." * (UP - self.width)).join([row[::-1] for row in rows])
        return [int(digits.translate(_digits_of(letter)), 2) << 17 for letter in letters]


@cache
def _digits_of(letter: str) -> Mapping[int, str]:
    return {ord(other): "1" if other == letter else "0" for other in ".WBx"}


@cache
def grid(width: int, height: int) -> Grid:
    """Return the tables of this size, created once."""
    return Grid(width, height)


@lru_cache(maxsize=1024)
def picture(grid: Grid, *sets: tuple[str, int]) -> str:
    """Return rows from the top joined by "/", a letter for each set, "." for empty.

    Cached: a state is written once and shown to several audiences.
    """
    stride = grid.width + 1
    text = bytearray(("." * grid.width + "/").encode() * grid.height)
    corner = grid.height * stride - 1
    for letter, bits in sets:
        byte = ord(letter)
        while bits:
            low = bits & -bits
            square = low.bit_length() - 1
            text[corner - (square >> 4) * stride + (square & 15)] = byte
            bits ^= low
    return text[:-1].decode()
