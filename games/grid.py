"""Boards as sets of bits: squares, walls, rays and rows for any size up to 14 × 14.

The square (x, y), both from 1, is bit 16 y + x, on every board. So columns 0 and width + 1 and
rows 0 and height + 1 are free to stand for the wall around it, a shift by 1 or 16 moves a whole
set by one square without wrapping, and every ray ends on a wall. Sets of squares are ints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

RIGHT: Final = 1
UP: Final = 16
MAX_SIZE: Final = 14
_ASCENDING: Final = (RIGHT, UP - RIGHT, UP, UP + RIGHT)

Ray = tuple[int, Mapping[int, int], Mapping[int, str]]
"""A ray's squares with the wall at its end; then, by its first blocker, the squares before that
and their names with a blank after each. The key of a blocker is its bit on an ascending ray and
its bit length on a descending one: what each costs least to find."""


def name(square: int) -> str:
    """The human name: "d1" for x = 4, y = 1."""
    return f"{chr(96 + (square & 15))}{square >> 4}"


NAMES: Final = tuple(name(square) for square in range(256))
COORDINATES: Final = tuple(f"{square & 15} {square >> 4}" for square in range(256))  # "4 1"


def squares(bits: int) -> Iterator[int]:
    """The squares of a set, row by row from below, each row from the left."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def nth(bits: int, index: int) -> int:
    """The square that `squares` yields at this index, which must exist."""
    for _ in range(index):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def names(bits: int) -> str:
    """The human names of a set, blanks between them."""
    return " ".join([NAMES[square] for square in squares(bits)])


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The tables of one board size; take it from `grid`. Indices are squares."""

    width: int
    height: int
    board: int = field(init=False)  # all squares
    wall: int = field(init=False)  # the ring around them
    columns: Mapping[str, int] = field(init=False)  # "4" → what the column adds to a square
    ranks: Mapping[str, int] = field(init=False)  # "1" → what the row adds
    by_name: Mapping[str, int] = field(init=False)  # "d1" → square
    ascending: tuple[tuple[Ray, ...], ...] = field(init=False)  # rays of at least one square
    descending: tuple[tuple[Ray, ...], ...] = field(init=False)
    lines: tuple[Mapping[int, int], ...] = field(init=False)  # origin → target → the squares
    # after the origin up to and with the target, for targets on a common line
    steps: tuple[int, ...] = field(init=False)  # the up to four orthogonal neighbours

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIZE and 1 <= self.height <= MAX_SIZE):
            raise ValueError(f"a board has 1 to {MAX_SIZE} rows and columns")
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
        """The squares from here in one direction, without this one."""
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
        """The set of squares named in "a4 d1". Raises KeyError for a name off the board."""
        return sum(1 << self.by_name[square] for square in text.split())

    def path(self, parts: Sequence[str]) -> list[int]:
        """The squares spelled in the parts of a canonical action, "move", "4", "1", "4", "7".

        Raises KeyError for a coordinate off the board. The number of parts must be odd.
        """
        columns, ranks = self.columns, self.ranks
        return [columns[x] + ranks[y] for x, y in zip(parts[1::2], parts[2::2], strict=True)]

    def reach(self, square: int, blocked: int) -> int:
        """Where a queen can go. `blocked` holds the wall and all that stands in the way."""
        reached = 0
        for ray, free, _ in self.ascending[square]:
            hits = blocked & ray
            reached |= free[hits & -hits]
        for ray, free, _ in self.descending[square]:
            reached |= free[(blocked & ray).bit_length()]
        return reached

    def reach_names(self, square: int, blocked: int) -> str:
        """The names of the squares of `reach`, blanks between them, in no special order."""
        words = []
        for ray, _, by_blocker in self.ascending[square]:
            hits = blocked & ray
            words.append(by_blocker[hits & -hits])
        for ray, _, by_blocker in self.descending[square]:
            words.append(by_blocker[(blocked & ray).bit_length()])
        return "".join(words)[:-1]

    def first(self, origin: int, target: int, blocked: int) -> int:
        """The first blocked square on the line from origin to target; there must be one."""
        hits = self.lines[origin][target] & blocked
        return (hits & -hits if target > origin else hits).bit_length() - 1

    def step(self, bits: int) -> int:
        """All squares one step up, down, left or right from the set; may hold walls."""
        return bits << RIGHT | bits >> RIGHT | bits << UP | bits >> UP

    def around(self, bits: int) -> int:
        """The set and all squares one king's step from it; may hold walls."""
        bits |= bits << RIGHT | bits >> RIGHT
        return bits | bits << UP | bits >> UP

    def read_rows(self, text: str, letters: str) -> list[int]:
        """The set of each letter in a picture made by `picture`. Raises ValueError."""
        rows = text.split("/")
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise ValueError(f"the board is not {self.height} rows of {self.width} squares")
        if not set(text) <= {*letters, ".", "/"}:
            raise ValueError("the board has a letter that means nothing here")
        # As a binary number: the top row first, in each row the last column first.
        digits = ("." * (UP - self.width)).join([row[::-1] for row in rows])
        return [int(digits.translate(_digits_of(letter)), 2) << 17 for letter in letters]


@cache
def _digits_of(letter: str) -> Mapping[int, str]:
    return {ord(other): "1" if other == letter else "0" for other in ".WBx"}


@cache
def grid(width: int, height: int) -> Grid:
    """The tables of this size, made once."""
    return Grid(width, height)


@lru_cache(maxsize=1024)
def picture(grid: Grid, *sets: tuple[str, int]) -> str:
    """Rows from the top joined by "/", a letter for each set, "." for empty. Kept for a while: a
    state is written, and viewed by each audience."""
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
