"""What a position of Pincer is worth to the role to move, without looking ahead."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from games.players.compiled import compiled
from games.players.pincer.board import BOARD, EDGE, count, spread
from games.players.pincer.machine import Ints, constants

TERMS: Final = (
    *("piece", "few", "mobility", "edge", "centre"),
    *("pair", "press", "tempo", "noise"),
)
PIECE, FEW, MOBILITY, AT_EDGE, IN_CENTRE, PAIR, PRESS, TEMPO, NOISE = range(len(TERMS))
SEED: Final = len(TERMS)  # after the weights: what the noise is made of
CENTRE: Final = 0x1C1C1C0000 & BOARD  # the nine squares in the middle
MOST: Final = 9_000  # no evaluation is worth more than this, or less than its negative

MATERIAL: Final[Mapping[str, int]] = MappingProxyType({"piece": 100})
FULL: Final[Mapping[str, int]] = MappingProxyType(
    {
        "piece": 100,  # each piece more than they have
        "few": 60,  # the same difference, as a share of all the pieces that are left
        "mobility": 4,  # squares that can be stepped on
        "edge": -6,  # pieces at the wall, where one enemy is enough to capture
        "centre": -6,  # pieces in the middle, which can be caught from every side
        "pair": -5,  # own pieces side by side, which stand in each other's way
        "press": 4,  # squares that both can step on: whoever is to move is there first
        "tempo": 6,  # two steps to come rather than one
    }
)


def weights(terms: Mapping[str, int], noise: int = 0, seed: int = 0) -> Ints:
    """The array that `evaluate` wants."""
    row = [terms.get(term, 0) for term in TERMS]
    row[NOISE] = noise
    return constants([*row, seed & (1 << 40) - 1])


@compiled
def pairs(bits: int) -> int:
    """How many neighbours of one colour there are."""
    return count(bits & bits << 1) + count(bits & bits << 8)


@compiled
def evaluate(own: int, theirs: int, stepped: int, weights: Ints) -> int:
    """In units of about a hundredth of a piece; both have pieces."""
    many, others = count(own), count(theirs)
    value = weights[PIECE] * (many - others)
    if weights[FEW]:
        empty = BOARD & ~(own | theirs)
        value += weights[FEW] * 4 * (many - others) // (many + others)
        reach, others_reach = spread(own) & empty, spread(theirs) & empty
        value += weights[MOBILITY] * (count(reach) - count(others_reach))
        value += weights[AT_EDGE] * (count(own & EDGE) - count(theirs & EDGE))
        value += weights[IN_CENTRE] * (count(own & CENTRE) - count(theirs & CENTRE))
        value += weights[PAIR] * (pairs(own) - pairs(theirs))
        value += weights[PRESS] * count(reach & others_reach)
        if not stepped:
            value += weights[TEMPO]
    noise = weights[NOISE]
    if noise:
        mixed = (own * 0x9E3779B1 + theirs * 0x85EBCA77 + weights[SEED]) & (1 << 62) - 1
        mixed = (mixed ^ mixed >> 29) * 0x27D4EB2F & (1 << 62) - 1
        value += (mixed >> 31) % (2 * noise + 1) - noise
    return max(-MOST, min(MOST, value))  # type: ignore[no-any-return]
