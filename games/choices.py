"""Lazy sets of legal actions: membership, length, iteration and random samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from games.grid import nth

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)

# tuple.__new__ builds a named tuple in two thirds of the time of its own constructor.
_new_tuple: Callable[[type[Any], tuple[int, ...]], Any] = tuple.__new__

Fan = tuple[tuple[int, ...], int]
"""Paths that differ only in their last square: the squares before it, the set of last ones."""


class Choices(Protocol[A_co]):
    """Finite set of actions in a fixed order."""

    def __contains__(self, action: object) -> bool:
        """Return whether the action is legal, without listing any."""

    def __iter__(self) -> Iterator[A_co]:
        """Iterate over the actions, each once."""

    def __len__(self) -> int:
        """Return the number of actions, without creating any."""

    def __bool__(self) -> bool:
        """Return whether there is any action."""

    def sample(self, rng: Random) -> A_co:
        """Return one action, all equally likely. Raises IndexError if there is none."""


class Listed(Generic[A]):
    """Short explicit list of actions."""

    __slots__ = ("actions",)

    def __init__(self, *actions: A) -> None:
        self.actions = actions

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def __iter__(self) -> Iterator[A]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def __bool__(self) -> bool:
        return bool(self.actions)

    def sample(self, rng: Random) -> A:
        return rng.choice(self.actions)


@dataclass(frozen=True, slots=True)
class Paths(Generic[A]):
    """Actions that are sequences of squares, all of one length."""

    fans: Callable[[], Iterable[Fan]]  # a new iterable at each call
    kind: type[A]  # a named tuple of squares
    allows: Callable[[object], bool]

    def __contains__(self, action: object) -> bool:
        return self.allows(action)

    def __iter__(self) -> Iterator[A]:
        made, kind = _new_tuple, self.kind
        for head, tails in self.fans():
            # The loop of `squares` is inlined, since this lists thousands of actions.
            while tails:
                low = tails & -tails
                yield made(kind, (*head, low.bit_length() - 1))
                tails ^= low

    def __len__(self) -> int:
        return sum(tails.bit_count() for _, tails in self.fans())

    def __bool__(self) -> bool:
        return any(tails for _, tails in self.fans())

    def sample(self, rng: Random) -> A:
        fans = list(self.fans())
        count = sum(tails.bit_count() for _, tails in fans)
        if not count:
            raise IndexError("no action to choose from")
        index = rng.randrange(count)
        for head, tails in fans:
            if index < tails.bit_count():
                action: A = _new_tuple(self.kind, (*head, nth(tails, index)))
                return action
            index -= tails.bit_count()
        raise AssertionError("the index is below the sum of the counts")


@dataclass(frozen=True, slots=True)
class Splits(Generic[A]):
    """All ways to split a total over fields, in whole numbers from 0."""

    total: int
    fields: int
    make: Callable[[tuple[int, ...]], A]
    allows: Callable[[object], bool]

    def __contains__(self, action: object) -> bool:
        return self.allows(action)

    def __iter__(self) -> Iterator[A]:
        return map(self.make, _splits(self.total, self.fields))

    def __len__(self) -> int:
        return comb(self.total + self.fields - 1, self.fields - 1)

    def __bool__(self) -> bool:
        return True

    def sample(self, rng: Random) -> A:
        # Stars and bars: the gaps between fields - 1 bars among total stars.
        slots = self.total + self.fields - 1
        bars = sorted(rng.sample(range(slots), self.fields - 1))
        return self.make(tuple(b - a - 1 for a, b in pairwise((-1, *bars, slots))))


def _splits(total: int, fields: int) -> Iterator[tuple[int, ...]]:
    if fields == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _splits(total - first, fields - 1):
            yield (first, *rest)
