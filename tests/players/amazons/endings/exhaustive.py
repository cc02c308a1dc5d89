"""Exhaustive solver of Amazons with few open cells, independent of the player's code.

Every turn of both sides is tried to the end; nothing is known of areas, bounds or territory. The
cells that are not burnt are numbered; a state is three sets of them as bits, the side to move
first: own amazons, the other's, burnt cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from games.players.compiled import jit

MAX_CELLS: Final = 20  # open at the beginning, amazons included: three sets fit into a word
ENTRIES: Final = 1 << 22
DIRECTIONS: Final = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_MIX: Final = 0x1E3779B97F4A7C15


@jit
def _solve(own: int, other: int, burnt: int, rays: Any, keys: Any) -> int:
    """Return 1 if the side to move wins, else -1; -2 if the table is full."""
    key = (own << 40 | other << 20 | burnt) + 1  # 0 is an empty entry
    slot = (key * _MIX >> 20) & (ENTRIES - 1)
    for _ in range(64):
        if keys[slot, 0] == key:
            return int(keys[slot, 1])
        if keys[slot, 0] == 0:
            break
        slot = (slot + 1) & (ENTRIES - 1)
    result = -1
    for origin in range(rays.shape[0]):
        if result != -1:
            break
        if not own >> origin & 1:
            continue
        for way in range(8):
            if result != -1:
                break
            for length in range(rays.shape[2]):
                target = rays[origin, way, length]
                if target < 0 or (own | other | burnt) >> target & 1 or result != -1:
                    break
                moved = own ^ (1 << origin) ^ (1 << target)
                for aim in range(8):
                    if result != -1:
                        break
                    for far in range(rays.shape[2]):
                        arrow = rays[target, aim, far]
                        if arrow < 0 or (moved | other | burnt) >> arrow & 1:
                            break
                        below = _solve(other, moved, burnt | 1 << arrow, rays, keys)
                        if below == -2:
                            return -2
                        if below == -1:
                            result = 1
                            break
    for _ in range(64):
        if keys[slot, 0] == 0 or keys[slot, 0] == key:
            keys[slot, 0] = key
            keys[slot, 1] = result
            return result
        slot = (slot + 1) & (ENTRIES - 1)
    return -2


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as canonical actions, and the board after it."""

    move: str
    fire: str
    board: str


@dataclass
class Solver:
    """The game from one board on: rows from the top, joined by "/", of W, B, x and "."."""

    board: str
    keys: Any = field(default_factory=lambda: np.zeros((ENTRIES, 2), np.int64))

    def __post_init__(self) -> None:
        rows = self.board.split("/")[::-1]
        self.cells = [
            (x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "x"
        ]
        assert len(self.cells) <= MAX_CELLS, len(self.cells)
        index = {cell: number for number, cell in enumerate(self.cells)}
        self.rays = np.full((len(self.cells), 8, 10), -1, np.int64)
        for number, (x, y) in enumerate(self.cells):
            for way, (dx, dy) in enumerate(DIRECTIONS):
                for length in range(10):
                    there = (x + dx * (length + 1), y + dy * (length + 1))
                    if there not in index:
                        break
                    self.rays[number, way, length] = index[there]

    def wins(self, board: str, to_move: str) -> bool:
        """Whether the side to move, W or B, wins on a board that follows from the first one."""
        own, other, burnt = self._sets(board, to_move)
        result = _solve(own, other, burnt, self.rays, self.keys)
        assert result != -2, "the table is full"
        return bool(result == 1)

    def turns(self, board: str, to_move: str) -> Iterator[Turn]:
        """All turns of a side, one by one, in plain Python."""
        rows = [list(row) for row in board.split("/")[::-1]]

        def queen(x: int, y: int) -> Iterator[tuple[int, int]]:
            for dx, dy in DIRECTIONS:
                u, v = x + dx, y + dy
                while 0 <= v < len(rows) and 0 <= u < len(rows) and rows[v][u] == ".":
                    yield u, v
                    u, v = u + dx, v + dy

        for x, y in [cell for cell in self.cells if rows[cell[1]][cell[0]] == to_move]:
            for u, v in list(queen(x, y)):
                rows[y][x], rows[v][u] = ".", to_move
                for a, b in list(queen(u, v)):
                    rows[b][a] = "x"
                    after = "/".join("".join(row) for row in rows[::-1])
                    yield Turn(
                        f"move {x + 1} {y + 1} {u + 1} {v + 1}", f"fire {a + 1} {b + 1}", after
                    )
                    rows[b][a] = "."
                rows[y][x], rows[v][u] = to_move, "."

    def _sets(self, board: str, to_move: str) -> tuple[int, int, int]:
        rows = board.split("/")[::-1]
        sets = {"W": 0, "B": 0, ".": 0, "x": 0}
        for number, (x, y) in enumerate(self.cells):
            sets[rows[y][x]] |= 1 << number
        return sets[to_move], sets["B" if to_move == "W" else "W"], sets["x"]
