"""Pools: a rating for each game and speed, and their constants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from games.catalogue import RULES
from games.rating.standing import START, UNIT, Numbers


class Speed(StrEnum):
    """Kind of time control."""

    LIVE = "live"
    DAYS = "days"


@dataclass(frozen=True, slots=True, order=True)
class Pool:
    """Games of one rule set at one speed."""

    rules: str
    speed: Speed

    def __str__(self) -> str:
        return f"{self.rules}/{self.speed}"


SPEEDS: Final = frozenset(speed.value for speed in Speed)
POOLS: Final = tuple(Pool(rules, speed) for rules in RULES for speed in Speed)
KEY: Final = re.compile(r"[a-z0-9-]{1,32}")  # of a rule set, also of one that was withdrawn

# A duel of Blotto says little about skill, and strengths lie close together: the best opponent of
# the equilibrium is 257 points above it. From a start of ±350, early luck spreads the ratings
# further than the strengths, and pairing by rating keeps them apart: after 30 simulated games the
# mean error is 174 points, from ±120 it is 57 (tests/bench/ratings/simulation.py).
# The constants of a rule set stay when it is withdrawn: its games are folded for ever.
TAU: Final[Mapping[str, float]] = MappingProxyType({"blotto": 0.3})
DEFAULT_TAU: Final = 0.5
START_DEVIATION: Final[Mapping[str, int]] = MappingProxyType({"blotto": 120 * UNIT})

# Games from which a newcomer's first rating is taken over.
SISTER_RULES: Final[Mapping[str, str]] = MappingProxyType(
    {"amazons-10x10": "amazons-8x8", "amazons-8x8": "amazons-10x10"}
)


class UnknownPool(ValueError):
    """No pool can have this name; `str` is an English sentence."""


def pool_of(name: str) -> Pool:
    """Return the pool with this name, such as pincer/live. Raises UnknownPool.

    The rule set need not exist: that of an old game may have been withdrawn.
    """
    rules, _, speed = name.partition("/")
    if not is_rules_key(rules) or speed not in SPEEDS:
        raise UnknownPool(f"There is no pool “{name[:40]}”.")
    return Pool(rules, Speed(speed))


def is_rules_key(name: str) -> bool:
    """Return whether a rule set can have this key."""
    return KEY.fullmatch(name) is not None


def tau_of(pool: Pool) -> float:
    """Return the constant that limits changes of the volatility in this pool."""
    return TAU.get(pool.rules, DEFAULT_TAU)


def start_of(pool: Pool) -> Numbers:
    """Return the numbers of a person about whom nothing is known."""
    deviation = START_DEVIATION.get(pool.rules, START.deviation)
    return START._replace(deviation=deviation)
