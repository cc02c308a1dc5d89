"""Payoffs of all pairs of splits and the equilibrium of one round, as integers for pages.

The pages' scripts do not implement the rules of Blotto: they read the points from this table.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import lcm
from typing import Final, TypedDict

from games.blotto import score
from games.players.blotto.equilibrium import table
from games.players.blotto.splits import FIELDS, ORDERS, SPLITS, type_of

ROUND_POINTS: Final = 2 * FIELDS  # shared by both players in each round


class LabTable(TypedDict):
    """The table of one round."""

    splits: list[list[int]]  # troops by field
    points: str  # a digit for each pair, own split by row: the points of the row's split
    round_points: int  # of both players together
    mix: list[int]  # the equilibrium: the chance of each split, times `mix_total`
    mix_total: int


@cache
def lab_table() -> LabTable:
    """Return the table of one round, in the order of `SPLITS`."""
    chances = {name: Fraction(str(chance)) for name, chance in table()["1"]["0"]["mix"].items()}
    mix = [chances.get(type_of(split), Fraction(0)) / ORDERS[type_of(split)] for split in SPLITS]
    total = lcm(*(chance.denominator for chance in mix))
    return {
        "splits": [list(split) for split in SPLITS],
        "points": "".join(str(score((own, theirs))[0]) for own in SPLITS for theirs in SPLITS),
        "round_points": ROUND_POINTS,
        "mix": [int(chance * total) for chance in mix],
        "mix_total": total,
    }
