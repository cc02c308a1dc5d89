"""Shortest won games, found by search; each is won by the side that begins."""

import re

AMAZONS_8X8 = [
    "c1-g5/a5", "c8-a8/a7",
    "f1-b5/b6", "f8-b8/b7",
    "h3-c8/c7", "h6-h1/g1",
    "g5-g2/h2",
]  # fmt: skip
AMAZONS_10X10 = [
    "d1-i6/j6", "d10-f10/e9",
    "g1-g9/h9", "a7-i7/i8",
    "a4-f9/e10", "i7-j8/j9",
    "j4-g7/i7", "j8-h10/j8",
    "g7-i9/i10",
]  # fmt: skip
FREE_ARROW = [
    "d1-i6", "d10-f10/j6",
    "a4-f9/h9", "a7-i7/g9",
    "j4-e9/e10", "i7-j8/i8",
    "g1-g7/i7", "j8-h10/i10",
    "g7-i9/j8",
]  # fmt: skip
PINCER = ["g3-g4 a5-a4", "a3-a2 g5-g6", "a4-a3 g4-g5"]


def squares(turn: str) -> list[str]:
    """The squares of a turn in their order."""
    return re.findall(r"[a-j]\d+", turn)
