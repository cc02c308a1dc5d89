"""Expected points of splits against the equilibrium, exactly.

Against the optimal mix for a round no split expects more than half of a round's points; the
difference is its expected loss against an opponent who plays that mix.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Final

from games.blotto import Split, score
from games.players.blotto.equilibrium import table
from games.players.blotto.splits import FIELDS, ORDERS, SPLITS, type_of

EVEN_POINTS: Final = FIELDS  # of a round: half of two for each field


@cache
def expected_points(split: Split) -> Fraction:
    """Return the expected points of a split in one round against the equilibrium's mix."""
    chances = {name: Fraction(str(chance)) for name, chance in table()["1"]["0"]["mix"].items()}
    return sum(
        (
            chances[name] / ORDERS[name] * score((split, theirs))[0]
            for theirs in SPLITS
            if (name := type_of(theirs)) in chances
        ),
        Fraction(0),
    )


def mean_points(splits: Sequence[Split]) -> Fraction:
    """Return the mean of the expected points of some splits, at least one."""
    return sum(map(expected_points, splits), Fraction(0)) / len(splits)
