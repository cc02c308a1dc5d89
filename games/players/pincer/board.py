"""Positions of Pincer as bit sets in machine words. `games.pincer` is the truth; this is fast.

The square (x, y), both from 1, is bit 8 (y - 1) + x - 1. Column 8 and row 8 stay empty, so a shift
by 1 or 8 moves a whole set by one square without wrapping, and no set reaches the sign. A position
is seen by the role to move: `own`, `theirs`, and `stepped`: the piece that has moved in this go,
DEAD if it died by that, 0 at the beginning of a go.
"""

from __future__ import annotations

from typing import Final

from games.players.compiled import compiled
from games.players.pincer.machine import constants

SIZE: Final = 7
LIMIT: Final = 50  # single moves by both; then the pieces are counted
BOARD: Final = sum(0x7F << 8 * y for y in range(SIZE))
LEFT: Final = BOARD & 0x0101010101010101
RIGHT: Final = LEFT << 6
BOTTOM: Final = 0x7F
TOP: Final = BOTTOM << 48
EDGE: Final = LEFT | RIGHT | BOTTOM | TOP
DEAD: Final = 1 << 7
WAYS: Final = (0, 1, 2, 3)  # right, up, left, down

# The remainders of 1, 2, 4, … 2**65 by 67 are all different: a table finds the bit of a square.
_SQUARES = constants([next((s for s in range(64) if 2**s % 67 == r), 0) for r in range(67)])


@compiled
def square_of(bit: int) -> int:
    """The index of a set of one square."""
    return _SQUARES[bit % 67]  # type: ignore[no-any-return]


@compiled
def count(bits: int) -> int:
    """How many squares a set has."""
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return bits + (bits >> 32) & 127


@compiled
def spread(bits: int) -> int:
    """The squares beside those of a set; some are off the board."""
    return bits << 1 | bits >> 1 | bits << 8 | bits >> 8


@compiled
def shifted(bit: int, way: int) -> int:
    """One step along a way of WAYS."""
    if way == 0:
        return bit << 1
    if way == 1:
        return bit << 8
    return bit >> 1 if way == 2 else bit >> 8


@compiled
def _taken(own: int, theirs: int, low_wall: int, high_wall: int, shift: int) -> int:
    """The own runs along this axis with a jaw at either end, at least one of them an enemy."""
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


@compiled
def captured(one: int, other: int) -> int:
    """All captured pieces of both colours, in whichever order these are given."""
    dead = 0
    if one & (other << 1 | other >> 1):
        dead = _taken(one, other, LEFT, RIGHT, 1) | _taken(other, one, LEFT, RIGHT, 1)
    if one & (other << 8 | other >> 8):
        dead |= _taken(one, other, BOTTOM, TOP, 8) | _taken(other, one, BOTTOM, TOP, 8)
    return dead


@compiled
def moved(own: int, theirs: int, origin: int, target: int) -> tuple[int, int]:
    """Own and their pieces after this step and its captures."""
    own ^= origin | target
    if not own & spread(theirs):
        return own, theirs
    dead = captured(own, theirs)
    return own & ~dead, theirs & ~dead


@compiled
def is_decided(own: int, theirs: int, moves: int) -> bool:
    """Is the game over whoever may move?"""
    if moves >= LIMIT or not own or not theirs:
        return True
    return not (own & own - 1 or theirs & theirs - 1)


@compiled
def begun(own: int, theirs: int) -> tuple[int, int, int, bool]:
    """Who is to move after a go of `own`: own, theirs, stepped, and whether it is the same role."""
    empty = BOARD & ~(own | theirs)
    if not spread(theirs) & empty and spread(own) & empty:
        return own, theirs, 0, True
    return theirs, own, 0, False


@compiled
def handed(
    had: int, stepped: int, own: int, theirs: int, target: int
) -> tuple[int, int, int, bool]:
    """The position after a step to `target`, seen by the role to move then; whether it is the same.

    `had` are the own pieces before the step, `own` and `theirs` the pieces after its captures.
    """
    if not stepped and had & had - 1 and spread(own & ~target) & BOARD & ~(own | theirs):
        return own, theirs, target if own & target else DEAD, True
    return begun(own, theirs)
