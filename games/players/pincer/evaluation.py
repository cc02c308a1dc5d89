"""Static evaluation of a position of Pincer for the role to move."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from games.players.compiled import jit
from games.players.pincer.arrays import Ints, constants
from games.players.pincer.board import BOARD, EDGE, count, spread

TERMS: Final = (
    *("piece", "few", "mobility", "edge", "centre"),
    *("pair", "press", "tempo", "noise"),
)
PIECE, FEW, MOBILITY, AT_EDGE, IN_CENTRE, PAIR, PRESS, TEMPO, NOISE = range(len(TERMS))
SEED_INDEX: Final = len(TERMS)  # after the weights: the seed of the noise
CENTRE: Final = 0x1C1C1C0000 & BOARD  # the nine central squares
MAX_VALUE: Final = 9_000  # bound of the absolute value

FULL: Final[Mapping[str, int]] = MappingProxyType(
    {
        "piece": 100,  # each piece more than the opponent
        "few": 60,  # the same difference, as a share of all remaining pieces
        "mobility": 4,  # squares that can be reached in one step
        "edge": -6,  # pieces at the wall, where one enemy is enough to capture
        "centre": -6,  # pieces in the centre, which can be captured from every side
        "pair": -5,  # adjacent own pieces, which block each other
        "press": 4,  # squares both sides can step on, an advantage of the role to move
        "tempo": 6,  # two steps left in the turn instead of one
    }
)


def beginner(wall: int) -> Mapping[str, int]:
    """Return the terms of a beginner, who thinks that pieces at the wall are safe."""
    return {"piece": 100, "few": 1, "edge": wall}


def weights(terms: Mapping[str, int], noise: int = 0, seed: int = 0) -> Ints:
    """Return the array of weights for `evaluate`."""
    row = [terms.get(term, 0) for term in TERMS]
    row[NOISE] = noise
    return constants([*row, seed & (1 << 40) - 1])


@jit
def pairs(bits: int) -> int:
    """Return the number of adjacent pairs of one colour."""
    return count(bits & bits << 1) + count(bits & bits << 8)


@jit
def evaluate(own: int, theirs: int, stepped: int, weights: Ints) -> int:
    """Return the value in about hundredths of a piece; both sides must have pieces."""
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
        mixed = (own * 0x9E3779B1 + theirs * 0x85EBCA77 + weights[SEED_INDEX]) & (1 << 62) - 1
        mixed = (mixed ^ mixed >> 29) * 0x27D4EB2F & (1 << 62) - 1
        value += (mixed >> 31) % (2 * noise + 1) - noise
    return max(-MAX_VALUE, min(MAX_VALUE, value))  # type: ignore[no-any-return]
