"""Positions of Pincer as bit sets in machine words; fast, checked against `games.pincer`.

The square (x, y), both from 1, is bit 8 (y - 1) + x - 1. Column 8 and row 8 stay empty, so a shift
by 1 or 8 moves a whole set by one square without wrapping, and no set reaches the sign. A position
is seen by the role to move: `own`, `theirs`, and `stepped`: the piece that has moved in this turn,
DEAD if that captured it, 0 at the beginning of a turn.
"""

from __future__ import annotations

from typing import Final

from games.players.compiled import jit
from games.players.pincer.arrays import constants

BOARD_SIZE: Final = 7
MAX_MOVES: Final = 50  # single moves by both; then the pieces are counted
BOARD: Final = sum(0x7F << 8 * y for y in range(BOARD_SIZE))
LEFT: Final = BOARD & 0x0101010101010101
RIGHT: Final = LEFT << 6
BOTTOM_MASK: Final = 0x7F
TOP: Final = BOTTOM_MASK << 48
EDGE: Final = LEFT | RIGHT | BOTTOM_MASK | TOP
DEAD_BIT: Final = 1 << 7
WAYS: Final = (0, 1, 2, 3)  # right, up, left, down

# The remainders of 1, 2, 4, … 2**65 by 67 are all different: a table finds the bit of a square.
_SQUARES = constants([next((s for s in range(64) if 2**s % 67 == r), 0) for r in range(67)])


@jit
def square_of(bit: int) -> int:
    """Return the index of a set of one square."""
    return _SQUARES[bit % 67]  # type: ignore[no-any-return]


@jit
def count(bits: int) -> int:
    """Return the number of squares in a set."""
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return bits + (bits >> 32) & 127


@jit
def spread(bits: int) -> int:
    """Return the squares beside those of a set; some are off the board."""
    return bits << 1 | bits >> 1 | bits << 8 | bits >> 8


@jit
def shift(bit: int, way: int) -> int:
    """Move one square in a direction of WAYS."""
    if way == 0:
        return bit << 1
    if way == 1:
        return bit << 8
    return bit >> 1 if way == 2 else bit >> 8


@jit
def _find_captured_runs(own: int, theirs: int, low_wall: int, high_wall: int, shift: int) -> int:
    """Return the own runs along this axis between enemies or wall, at least one an enemy."""
    low_enemy, high_enemy = theirs << shift & own, theirs >> shift & own
    if not low_enemy | high_enemy:
        return 0
    low, high = low_enemy | low_wall & own, high_enemy | high_wall & own
    if not low or not high:
        return 0
    ahead, behind = own, own
    for steps in (shift, 2 * shift, 4 * shift):
        low |= ahead & low << steps
        low_enemy |= ahead & low_enemy << steps
        ahead &= ahead << steps
        high |= behind & high >> steps
        high_enemy |= behind & high_enemy >> steps
        behind &= behind >> steps
    return low & high_enemy | low_enemy & high


@jit
def captured_pieces(one: int, other: int) -> int:
    """Return all captured pieces of both colours, given in any order."""
    dead = 0
    if one & (other << 1 | other >> 1):
        dead = _find_captured_runs(one, other, LEFT, RIGHT, 1) | _find_captured_runs(
            other, one, LEFT, RIGHT, 1
        )
    if one & (other << 8 | other >> 8):
        dead |= _find_captured_runs(one, other, BOTTOM_MASK, TOP, 8) | _find_captured_runs(
            other, one, BOTTOM_MASK, TOP, 8
        )
    return dead


@jit
def apply_step(own: int, theirs: int, origin: int, target: int) -> tuple[int, int]:
    """Return own and their pieces after this step and its captures."""
    own ^= origin | target
    if not own & spread(theirs):
        return own, theirs
    dead = captured_pieces(own, theirs)
    return own & ~dead, theirs & ~dead


@jit
def is_decided(own: int, theirs: int, moves: int) -> bool:
    """Return whether the game is over whichever role is to move."""
    if moves >= MAX_MOVES or not own or not theirs:
        return True
    return not (own & own - 1 or theirs & theirs - 1)


@jit
def begin_turn(own: int, theirs: int) -> tuple[int, int, int, bool]:
    """Return the position after a turn of `own`, seen by the role to move next.

    Returns own, theirs, stepped, and whether it is the same role.
    """
    empty = BOARD & ~(own | theirs)
    if not spread(theirs) & empty and spread(own) & empty:
        return own, theirs, 0, True
    return theirs, own, 0, False


@jit
def hand_over(
    had: int, stepped: int, own: int, theirs: int, target: int
) -> tuple[int, int, int, bool]:
    """Return the position after a step to `target`, and whether the same role is to move.

    `had` are the own pieces before the step, `own` and `theirs` the pieces after its captures.
    """
    if not stepped and had & had - 1 and spread(own & ~target) & BOARD & ~(own | theirs):
        return own, theirs, target if own & target else DEAD_BIT, True
    return begin_turn(own, theirs)
