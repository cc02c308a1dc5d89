"""Proof of who wins a position of Amazons from the turns that are safe on each side.

A plan of one side, say A: it leaves every amazon that guards a border where it stands, and makes
turns only in the cells that B cannot reach. As long as A follows it, B is shut in among the cells
that it can reach now, so

- A can make at least as many turns as fit in its own cells (a lower bound, guards held), and
- B can make at most as many as fit in all cells that it reaches, shared ones included (an upper
  bound).

A wins if its lower bound is larger than B's upper bound, or as large if B is to move. This holds
only where every turn burns a cell.
"""

from __future__ import annotations

from games.players.amazons.area_turns import UPPER, Scratch, side_turns, upper_bound
from games.players.amazons.bits import wide
from games.players.amazons.flood import around, spread
from games.players.compiled import jit

Words = tuple[int, int, int, int, int, int]


@jit
def safe_words(
    own_low: int, own_high: int, other_low: int, other_high: int, free_low: int, free_high: int
) -> Words:
    """Return the amazons of a side that must hold their cell, its safe cells, and the other's.

    Safe are the empty cells that only this side can reach; the other's are all that it can reach.
    """
    low, high = spread(other_low, other_high, free_low, free_high)
    mine_low, mine_high = spread(own_low, own_high, free_low, free_high)
    near_low, near_high = around(low | other_low, high | other_high)
    return (
        own_low & near_low,
        own_high & near_high,
        mine_low & ~low,
        mine_high & ~high,
        low,
        high,
    )


@jit
def safe_turns(
    own_low: int,
    own_high: int,
    other_low: int,
    other_high: int,
    free_low: int,
    free_high: int,
    scratch: Scratch,
) -> tuple[int, int]:
    """Return the least turns of a side that keeps its borders, and the most of the other then."""
    held_low, held_high, low, high, open_low, open_high = safe_words(
        own_low, own_high, other_low, other_high, free_low, free_high
    )
    none = wide(0)  # a literal 0 has its own type: the callee would be compiled twice
    least = side_turns(own_low, own_high, held_low, held_high, low, high, none, scratch) % UPPER
    most = upper_bound(
        side_turns(other_low, other_high, none, none, open_low, open_high, none, scratch)
    )
    return int(least), int(most)


@jit
def decide(
    own_low: int,
    own_high: int,
    other_low: int,
    other_high: int,
    free_low: int,
    free_high: int,
    scratch: Scratch,
) -> int:
    """Return 1 if the side to move wins by its plan, -1 if the other does, 0 if nothing is proved.

    The side to move is about to move, not to shoot.
    """
    least, most = safe_turns(own_low, own_high, other_low, other_high, free_low, free_high, scratch)
    if least > most:
        return 1
    least, most = safe_turns(other_low, other_high, own_low, own_high, free_low, free_high, scratch)
    return -1 if least >= most else 0
