"""The 66 splits of ten troops over three fields, with the outcome of each pair."""

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


# OUTCOME[own][theirs]: 1 if `own` wins the round, -1 if it loses, 0 for a draw.
OUTCOME: Final = tuple(tuple(_sign(own, theirs) for theirs in SPLITS) for own in SPLITS)


def type_of(split: Split) -> str:
    """Return the split without its order: "6-4-0"."""
    return "-".join(map(str, sorted(split, reverse=True)))


TYPES: Final[tuple[str, ...]] = tuple(sorted(set(map(type_of, SPLITS))))
ORDERS: Final[Mapping[str, int]] = Counter(map(type_of, SPLITS))  # number of splits of each type


def mix_of_types(chances: Mapping[str, float]) -> Mix:
    """Return the mix with these probabilities of types, all orders of a type alike."""
    return tuple(chances.get(type_of(split), 0.0) / ORDERS[type_of(split)] for split in SPLITS)


def even(indices: list[int]) -> Mix:
    """Return the mix that gives each of these splits the same probability."""
    chosen = set(indices)
    return tuple(1.0 / len(chosen) if index in chosen else 0.0 for index in range(len(SPLITS)))
