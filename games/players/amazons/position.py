"""Positions as six words, actions as numbers, and how both are written outside this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.core import Action, View
from games.moves import Fire, Move, Play
from games.players.amazons.flood import HALF, STRIDE

Words = tuple[int, int, int, int, int, int]
WORD: Final = (1 << HALF) - 1
NO_MOVE: Final = -1


@dataclass(frozen=True, slots=True)
class Position:
    """A board, seen by the side to move."""

    own: int  # sets of cells as in `flood`, both words in one int
    other: int
    free: int
    move: int = NO_MOVE  # 128 * origin + target of the amazon that has yet to shoot

    @property
    def words(self) -> Words:
        """The position for compiled code."""
        own, other, free = self.own, self.other, self.free
        return (own & WORD, own >> HALF, other & WORD, other >> HALF, free & WORD, free >> HALF)

    def after(self, act: int, is_optional: bool) -> Position:
        """The position after a move or a shot; at the origin a shot is none if `is_optional`."""
        if self.move < 0:
            step = 1 << (act >> 7) | 1 << (act & 127)
            return Position(self.own ^ step, self.other, self.free ^ step, act)
        is_none = is_optional and act == self.move >> 7
        return Position(self.other, self.own, self.free if is_none else self.free ^ 1 << act)

    def go_to(self, later: Position) -> tuple[int, ...]:
        """The move and the shot of the side to move that led to `later`, a position of the other
        side, if one go did; else anything."""
        step = self.own ^ later.other
        origin, target = step & self.own, step & later.other
        before = self.own | self.other | self.free
        burnt = before & ~(later.own | later.other | later.free)
        if not origin or not target:
            return ()
        move = 128 * (origin.bit_length() - 1) + target.bit_length() - 1
        return (move, (burnt or origin).bit_length() - 1)


def read(view: View) -> Position:
    """The position in what `games.amazons` shows."""
    sets = {"W": 0, "B": 0, ".": 0, "x": 0}
    for y, row in enumerate(reversed(view["board"].split("/"))):
        for x, letter in enumerate(row):
            sets[letter] |= 1 << (STRIDE * y + x)
    mine, theirs = ("W", "B") if view["to_move"] == "white" else ("B", "W")
    moved = view["moved"]
    move = NO_MOVE if moved is None else 128 * cell_of(moved[0]) + cell_of(moved[1])
    return Position(sets[mine], sets[theirs], sets["."], move)


def cell_of(name: str) -> int:
    """The cell named "d1"."""
    return STRIDE * (int(name[1:]) - 1) + ord(name[0]) - 97


def square_of(cell: int) -> int:
    """The cell as a square of `games.grid`."""
    y, x = divmod(cell, STRIDE)
    return 16 * (y + 1) + x + 1


def move_of(act: int) -> Move:
    """A move as an action of the split form."""
    return Move(square_of(act >> 7), square_of(act & 127))


def play_of(move: int, arrow: int) -> Play:
    """A move and its arrow as one action."""
    return Play(square_of(move >> 7), square_of(move & 127), square_of(arrow))


def actions_of(acts: Sequence[int], is_shot: bool, is_split: bool) -> tuple[Action, ...]:
    """A line of moves and shots in turn as canonical actions; `is_shot`: it begins with a shot."""
    if is_split:
        return tuple(
            Fire(square_of(act)) if is_shot == (index % 2 == 0) else move_of(act)
            for index, act in enumerate(acts)
        )
    return tuple(play_of(*acts[at : at + 2]) for at in range(0, len(acts) - 1, 2))
