"""Sets of cells on boards of up to 10 × 10, with the reach of kings and queens.

The cell in column x and row y, both from 0, is bit 11 y + x. A set is two words, rows 0 to 4 in the
low one and rows 5 to 9 in the high one, 55 bits each. Column 10 is never in a set that a piece may
enter, so a shift by one step never wraps around. Smaller boards use the low corner.
"""

from __future__ import annotations

from typing import Final

from games.players.compiled import jit

ROW_STRIDE_BITS: Final = 11
HALF_BITS: Final = 55  # bits in a word

Pair = tuple[int, int]


@jit
def reach(from_low: int, from_high: int, free_low: int, free_high: int) -> Pair:
    """Return the cells of `free` that queens on `from` can reach in one move through `free`."""
    a0 = b0 = c0 = d0 = e0 = f0 = g0 = h0 = from_low
    a1 = b1 = c1 = d1 = e1 = f1 = g1 = h1 = from_high
    low = high = 0
    while True:
        a0, a1 = (a0 << 1) & free_low, (a1 << 1) & free_high
        b0, b1 = (b0 >> 1) & free_low, (b1 >> 1) & free_high
        c0, c1 = (c0 << 11) & free_low, (c1 << 11 | c0 >> 44) & free_high
        d0, d1 = (d0 >> 11 | d1 << 44) & free_low, (d1 >> 11) & free_high
        e0, e1 = (e0 << 12) & free_low, (e1 << 12 | e0 >> 43) & free_high
        f0, f1 = (f0 >> 12 | f1 << 43) & free_low, (f1 >> 12) & free_high
        g0, g1 = (g0 << 10) & free_low, (g1 << 10 | g0 >> 45) & free_high
        h0, h1 = (h0 >> 10 | h1 << 45) & free_low, (h1 >> 10) & free_high
        new_low = a0 | b0 | c0 | d0 | e0 | f0 | g0 | h0
        new_high = a1 | b1 | c1 | d1 | e1 | f1 | g1 | h1
        if new_low | new_high == 0:
            return low, high
        low |= new_low
        high |= new_high


@jit
def around(low: int, high: int) -> Pair:
    """Return the set and all cells one king's move from it; may include cells off the board."""
    low |= low << 1 | low >> 1
    high |= high << 1 | high >> 1
    return low | low << 11 | low >> 11 | high << 44, high | high << 11 | high >> 11 | low >> 44


@jit
def spread(from_low: int, from_high: int, free_low: int, free_high: int) -> Pair:
    """Return the cells of `free` that kings on `from` can ever reach through `free`."""
    low = high = 0
    while True:
        next_low, next_high = around(low | from_low, high | from_high)
        next_low &= free_low
        next_high &= free_high
        if next_low == low and next_high == high:
            return low, high
        low, high = next_low, next_high


@jit
def are_apart(
    own_low: int, own_high: int, other_low: int, other_high: int, free_low: int, free_high: int
) -> bool:
    """Return whether no path of unburnt cells joins the two sides."""
    low, high = own_low, own_high
    open_low, open_high = free_low | own_low | other_low, free_high | own_high | other_high
    while True:
        next_low, next_high = around(low, high)
        next_low &= open_low
        next_high &= open_high
        if next_low & other_low | next_high & other_high:
            return False
        if next_low == low and next_high == high:
            return True
        low, high = next_low, next_high
