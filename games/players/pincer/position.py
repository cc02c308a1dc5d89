"""Conversion between views and the search's sets, steps and actions."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.core import Role, View
from games.moves import Move
from games.players.pincer.board import BOARD_SIZE, DEAD_BIT, shift

LETTERS: Final = {"white": ("W", "B"), "black": ("B", "W")}


class Position(NamedTuple):
    """Position as seen by the role to move."""

    own: int
    theirs: int
    stepped: int
    moves: int  # single moves made by both


def _bit(name: str) -> int:
    """Return the set of one square named like "d4"."""
    return 1 << 8 * (int(name[1]) - 1) + "abcdefg".index(name[0])


def position_of(view: View, role: Role) -> Position:
    """Return the position in the view that `Pincer.view` gives the role in control."""
    own = theirs = 0
    mine, other = LETTERS[role]
    for y, row in enumerate(reversed(view["board"].split("/"))):
        for x in range(BOARD_SIZE):
            own |= (row[x] == mine) << 8 * y + x
            theirs |= (row[x] == other) << 8 * y + x
    stepped = 0
    if view["step"] == 2:
        stepped = _bit(view["stepped"]) if view["stepped"] else DEAD_BIT
    return Position(own, theirs, stepped, view["moves_made"])


def _square(bit: int) -> int:
    """Return the square of `games.grid`."""
    index = bit.bit_length() - 1
    return 16 * (index // 8 + 1) + index % 8 + 1


def move_of(step: int) -> Move:
    """Return the action of a step, 4 * square + way."""
    origin = 1 << (step >> 2)
    return Move(_square(origin), _square(shift(origin, step & 3)))


def step_of(move: Move) -> int:
    """Return the step of an action."""
    square = 8 * ((move.origin >> 4) - 1) + (move.origin & 15) - 1
    return 4 * square + {1: 0, 16: 1, -1: 2, -16: 3}[move.target - move.origin]
