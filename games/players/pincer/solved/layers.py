"""Memory of the solver: what is known for each material and number of moves left."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import numpy

from games.players.pincer.arrays import Ints
from games.players.pincer.solved.families import (
    CHOOSE,
    CHUNK,
    CODES_AT,
    EVEN,
    INVERSE,
    MAX_PIECES,
    ODD,
    PRODUCT,
    Family,
    sets,
)
from games.players.pincer.solved.kernels import Groups, Middles, Values

ALL_PIECES: Final = 2 * MAX_PIECES


class Shard(NamedTuple):
    """Material: pieces of the role to move and of the other."""

    own: int
    theirs: int

    def __str__(self) -> str:
        return f"{self.own}v{self.theirs}"


def shards(pieces: int) -> list[Shard]:
    """Return the materials of up to this many pieces in all, fewer pieces first."""
    sizes = range(1, MAX_PIECES + 1)
    found = [Shard(own, theirs) for own in sizes for theirs in sizes if own + theirs > 2]
    return sorted((s for s in found if s.own + s.theirs <= pieces), key=lambda s: (sum(s), s))


def is_reached(shard: Shard, left: int) -> bool:
    """Return whether a turn can begin with this material and this number of moves left.

    Turns have two moves until a role has one piece, so the number is even before.
    """
    return left % 2 == 0 or min(shard) == 1


def largest_role(pieces: int) -> int:
    """Return the most pieces that one role has among this many."""
    return min(MAX_PIECES, pieces - 1)


def family(size: int, pieces: int = ALL_PIECES) -> Family:
    """Return the sets of a role at the beginning of a turn."""
    return sets(largest_role(pieces)).families[EVEN if size == MAX_PIECES else size]


def middle_family(size: int, pieces: int = ALL_PIECES) -> Family:
    """Return the sets of the role to move between its two moves."""
    return sets(largest_role(pieces)).families[ODD if size == MAX_PIECES else size]


def chunks(found: Family) -> int:
    """Return the number of words for one bit a class."""
    return -(-found.classes // CHUNK)


@cache
def groups(pieces: int) -> Groups:
    """Return the tables of the families for compiled code."""
    return Groups(sets(largest_role(pieces)).codes, CODES_AT, CHOOSE, PRODUCT, INVERSE)


def words_of(shard: Shard, pieces: int) -> int:
    """Return the number of words of a shard's values."""
    width = 8 * family(shard.own, pieces).classes
    return 2 * width * chunks(family(shard.theirs, pieces))


def _square() -> Any:
    return numpy.zeros((MAX_PIECES + 1, MAX_PIECES + 1), numpy.int64)


def _widths(pieces: int, *, is_middle: bool) -> Ints:
    of = middle_family if is_middle else family
    sizes = range(1, largest_role(pieces) + 1)
    row = [0, *(8 * of(size, pieces).classes for size in sizes)]
    return numpy.array(row + [0] * (MAX_PIECES + 1 - len(row)), numpy.int64)


def empty_values(pieces: int) -> Values:
    """Return room for one layer; pages that are never written take no memory."""
    at, total = _square(), 0
    for shard in shards(pieces):
        at[shard] = total
        total += words_of(shard, pieces)
    return Values(numpy.zeros(total, numpy.uint64), at, _widths(pieces, is_middle=False))


def empty_middles(pieces: int) -> Middles:
    """Return room for the values between two moves of all materials but that of the start."""
    at, total = _square(), 0
    for shard in sorted(shards(min(pieces, ALL_PIECES - 1))):  # by own pieces: see first_places
        at[shard] = total
        total += middle_words(shard, pieces) * chunks(family(shard.theirs, pieces))
    return Middles(numpy.zeros(total, numpy.uint64), at, _widths(pieces, is_middle=True))


def first_places(middles: Middles) -> Ints:
    """Return for each number of own pieces the first place: 64 * pair of words."""
    firsts = [int(row[row > 0].min()) if (row > 0).any() else 0 for row in middles.at]
    ends = len(middles.words)
    firsts = [0, 0, *(first or ends for first in firsts[2:])]
    return numpy.array([32 * first for first in firsts], numpy.int64)


def middle_words(shard: Shard, pieces: int) -> int:
    """Return the number of words between two moves in one chunk."""
    return 2 * 8 * middle_family(shard.own, pieces).classes * shard.own


def part_of(values: Values, shard: Shard, pieces: int) -> Any:
    """Return the words of one shard, as a view."""
    start = int(values.at[shard])
    return values.words[start : start + words_of(shard, pieces)]


def layer_shards(left: int, pieces: int) -> Iterator[Shard]:
    """Yield the shards of a layer in the order of their computation."""
    return (shard for shard in shards(pieces) if is_reached(shard, left))
