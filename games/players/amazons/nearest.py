"""Find the side that is nearer to each empty cell, in queen moves."""

from __future__ import annotations

from games.players.amazons.flood import reach
from games.players.compiled import jit

Owners = tuple[int, int, int, int, int, int]


@jit
def owners(
    own_low: int, own_high: int, other_low: int, other_high: int, free_low: int, free_high: int
) -> Owners:
    """Return the cells nearer to the side to move, to the other side, and as near to both."""
    a_low, a_high, b_low, b_high = own_low, own_high, other_low, other_high
    x_low = y_low = free_low  # not yet reached by the side to move, by the other
    x_high = y_high = free_high
    near_low = near_high = far_low = far_high = even_low = even_high = 0
    while a_low | a_high | b_low | b_high:
        if a_low | a_high:
            a_low, a_high = reach(a_low, a_high, x_low, x_high)
        if b_low | b_high:
            b_low, b_high = reach(b_low, b_high, y_low, y_high)
        x_low ^= a_low
        x_high ^= a_high
        y_low ^= b_low
        y_high ^= b_high
        even_low |= a_low & b_low
        even_high |= a_high & b_high
        near_low |= a_low & y_low
        near_high |= a_high & y_high
        far_low |= b_low & x_low
        far_high |= b_high & x_high
    return near_low, near_high, far_low, far_high, even_low, even_high
