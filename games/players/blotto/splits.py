"""The 66 splits of ten troops over three fields, by index, and what comes of each pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from games.blotto import Split, score
from games.catalogue import BLOTTO
from games.choices import Splits

ROUNDS: Final = BLOTTO.rounds
FIELDS: Final = BLOTTO.fields
SPLITS: Final[tuple[Split, ...]] = tuple(Splits(BLOTTO.total, FIELDS, tuple, bool))
INDEX: Final[Mapping[Split, int]] = {split: index for index, split in enumerate(SPLITS)}
Mix = tuple[float, ...]  # a probability for each split, by index


def _sign(own: Split, theirs: Split) -> int:
    first, second = score((own, theirs))
    return (first > second) - (first < second)


# OUTCOME[own][theirs]: 1 if `own` wins the round, -1 if it loses it, 0 if it is level.
OUTCOME: Final = tuple(tuple(_sign(own, theirs) for theirs in SPLITS) for own in SPLITS)


def type_of(split: Split) -> str:
    """The split with its order left out: "6-4-0"."""
    return "-".join(map(str, sorted(split, reverse=True)))


TYPES: Final[tuple[str, ...]] = tuple(sorted(set(map(type_of, SPLITS))))
ORDERS: Final[Mapping[str, int]] = Counter(map(type_of, SPLITS))  # how many a type has


def mix_of_types(chances: Mapping[str, float]) -> Mix:
    """The mix that has these types with these chances, all orders of a type alike."""
    return tuple(chances.get(type_of(split), 0.0) / ORDERS[type_of(split)] for split in SPLITS)


def even(indices: list[int]) -> Mix:
    """Each of these splits with the same chance."""
    chosen = set(indices)
    return tuple(1.0 / len(chosen) if index in chosen else 0.0 for index in range(len(SPLITS)))
