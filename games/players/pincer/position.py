"""From what a role is shown to the sets of the search, and back to actions."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.core import Role, View
from games.moves import Move
from games.players.pincer.board import DEAD, SIZE, shifted

LETTERS: Final = {"white": ("W", "B"), "black": ("B", "W")}


class Position(NamedTuple):
    """What the role to move sees."""

    own: int
    theirs: int
    stepped: int
    moves: int  # single moves made by both


def _bit(name: str) -> int:
    """The set of one square named like "d4"."""
    return 1 << 8 * (int(name[1]) - 1) + "abcdefg".index(name[0])


def position_of(view: View, role: Role) -> Position:
    """The position that `Pincer.view` shows the role in control."""
    own = theirs = 0
    mine, other = LETTERS[role]
    for y, row in enumerate(reversed(view["board"].split("/"))):
        for x in range(SIZE):
            own |= (row[x] == mine) << 8 * y + x
            theirs |= (row[x] == other) << 8 * y + x
    stepped = 0
    if view["step"] == 2:
        stepped = _bit(view["stepped"]) if view["stepped"] else DEAD
    return Position(own, theirs, stepped, view["moves_made"])


def _square(bit: int) -> int:
    """The square of `games.grid`."""
    index = bit.bit_length() - 1
    return 16 * (index // 8 + 1) + index % 8 + 1


def move_of(step: int) -> Move:
    """The action of a step, 4 * square + way."""
    origin = 1 << (step >> 2)
    return Move(_square(origin), _square(shifted(origin, step & 3)))


def step_of(move: Move) -> int:
    """The step of an action."""
    square = 8 * ((move.origin >> 4) - 1) + (move.origin & 15) - 1
    return 4 * square + {1: 0, 16: 1, -1: 2, -16: 3}[move.target - move.origin]
