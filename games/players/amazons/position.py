"""Positions as six words, actions as numbers, and conversion to the rules' forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.core import Action, View
from games.moves import Fire, Move, Play
from games.players.amazons.flood import HALF_BITS, ROW_STRIDE_BITS

Words = tuple[int, int, int, int, int, int]
WORD: Final = (1 << HALF_BITS) - 1
NO_MOVE: Final = -1


@dataclass(frozen=True, slots=True)
class Position:
    """Board as seen by the side to move."""

    own: int  # set of cells as in `flood`, both words in one int
    other: int
    free: int
    move: int = NO_MOVE  # 128 * origin + target of the amazon that has yet to shoot

    @property
    def words(self) -> Words:
        """The position as words for compiled code."""
        own, other, free = self.own, self.other, self.free
        return (
            own & WORD,
            own >> HALF_BITS,
            other & WORD,
            other >> HALF_BITS,
            free & WORD,
            free >> HALF_BITS,
        )

    def after(self, act: int, is_optional: bool) -> Position:
        """Return the position after an action; with `is_optional`, a shot at the origin is none."""
        if self.move < 0:
            step = 1 << (act >> 7) | 1 << (act & 127)
            return Position(self.own ^ step, self.other, self.free ^ step, act)
        is_none = is_optional and act == self.move >> 7
        return Position(self.other, self.own, self.free if is_none else self.free ^ 1 << act)

    def go_to(self, later: Position) -> tuple[int, ...]:
        """Return the move and the shot of the side to move that led to `later`.

        `later` is a position of the other side. The result is meaningless if no single turn led to
        it.
        """
        step = self.own ^ later.other
        origin, target = step & self.own, step & later.other
        before = self.own | self.other | self.free
        burnt = before & ~(later.own | later.other | later.free)
        if not origin or not target:
            return ()
        move = 128 * (origin.bit_length() - 1) + target.bit_length() - 1
        return (move, (burnt or origin).bit_length() - 1)


def split(cells: int) -> tuple[int, int]:
    """Return a set as two words, low and high."""
    return cells & WORD, cells >> HALF_BITS


def whole(words: tuple[int, int]) -> int:
    """Return a set of two words as one int."""
    return int(words[0]) | int(words[1]) << HALF_BITS


def read(view: View) -> Position:
    """Return the position in a view of `games.amazons`."""
    sets = {"W": 0, "B": 0, ".": 0, "x": 0}
    for y, row in enumerate(reversed(view["board"].split("/"))):
        for x, letter in enumerate(row):
            sets[letter] |= 1 << (ROW_STRIDE_BITS * y + x)
    mine, theirs = ("W", "B") if view["to_move"] == "white" else ("B", "W")
    moved = view["moved"]
    move = NO_MOVE if moved is None else 128 * cell_of(moved[0]) + cell_of(moved[1])
    return Position(sets[mine], sets[theirs], sets["."], move)


def cell_of(name: str) -> int:
    """Return the cell named "d1"."""
    return ROW_STRIDE_BITS * (int(name[1:]) - 1) + ord(name[0]) - 97


def square_of(cell: int) -> int:
    """Return the cell as a square of `games.grid`."""
    y, x = divmod(cell, ROW_STRIDE_BITS)
    return 16 * (y + 1) + x + 1


def move_of(act: int) -> Move:
    """Return a move as an action of the split form."""
    return Move(square_of(act >> 7), square_of(act & 127))


def play_of(move: int, arrow: int) -> Play:
    """Return a move and its arrow as one action."""
    return Play(square_of(move >> 7), square_of(move & 127), square_of(arrow))


def actions_of(acts: Sequence[int], is_shot: bool, is_split: bool) -> tuple[Action, ...]:
    """Return alternating moves and shots as actions; `is_shot`: the first is a shot."""
    if is_split:
        return tuple(
            Fire(square_of(act)) if is_shot == (index % 2 == 0) else move_of(act)
            for index, act in enumerate(acts)
        )
    return tuple(play_of(*acts[at : at + 2]) for at in range(0, len(acts) - 1, 2))
