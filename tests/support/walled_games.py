"""Games of Amazons with the free arrow in which both sides build a wall of arrows across the board.

After ten turns nothing can cross it: below the sixth row white has 46 squares to black's 36, below
the fifth 36 to 46. White is to move.
"""

from collections.abc import Iterator
from itertools import cycle

WHITE_AHEAD = (
    "play 1 4 1 5 1 6",
    "play 1 7 9 7 10 6",
    "play 4 1 8 5 9 6",
    "play 9 7 1 7 2 6",
    "play 7 1 3 5 3 6",
    "play 1 7 7 7 8 6",
    "play 3 5 4 5 4 6",
    "play 7 7 6 7 7 6",
    "play 4 5 5 5 5 6",
    "play 6 7 5 7 6 6",
)
BLACK_AHEAD = (
    "play 1 4 2 4 1 5",
    "play 10 7 9 6 10 5",
    "play 4 1 1 4 2 5",
    "play 9 6 8 6 9 5",
    "play 7 1 4 4 3 5",
    "play 8 6 7 6 8 5",
    "play 2 4 3 4 4 5",
    "play 7 6 6 6 7 5",
    "play 4 4 5 4 5 5",
    "play 6 6 5 6 6 5",
)
WHITE_AHEAD_TURNS = (
    "a4-a5/a6", "a7-i7/j6", "d1-h5/i6", "i7-a7/b6", "g1-c5/c6",
    "a7-g7/h6", "c5-d5/d6", "g7-f7/g6", "d5-e5/e6", "f7-e7/f6",
)  # fmt: skip


def quiet_turns() -> Iterator[str]:
    """Yield turns without an arrow that can follow the wall, white first, without end."""
    yield from cycle(
        (
            "play 10 4 10 3 10 4",
            "play 10 7 10 8 10 7",
            "play 10 3 10 4 10 3",
            "play 10 8 10 7 10 8",
        )
    )


def quiet_turns_from_start() -> Iterator[str]:
    """Yield turns without an arrow from the start, white first, without end."""
    yield from cycle(
        (
            "play 4 1 4 2 4 1",
            "play 4 10 4 9 4 10",
            "play 4 2 4 1 4 2",
            "play 4 9 4 10 4 9",
        )
    )
