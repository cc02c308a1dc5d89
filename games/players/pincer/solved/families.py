"""Sets of squares by their class under the eight symmetries of the board.

A family holds the sets of one size: of four squares those of one parity, since each piece of a role
that has lost none has moved once in every turn of two, or not at all. A set has the code 8 c + g if
symmetry g maps the representative of class c to it. A set that a symmetry leaves unchanged has
several codes; `codes` gives the one with the lowest g, and each code of a set names its pieces in
the order of the representative, so that a symmetry changes neither class nor piece number.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any, Final, NamedTuple

import numpy

from games.players.compiled import jit
from games.players.pincer.arrays import Ints
from games.players.pincer.board import BOARD_SIZE

SQUARES: Final = BOARD_SIZE * BOARD_SIZE
MAX_PIECES: Final = 4  # of one role
EVEN: Final = 4  # four pieces, an even number of them on squares of odd x + y
ODD: Final = 5  # four pieces, between the two moves of a turn
FAMILIES: Final = (1, 2, 3, EVEN, ODD)
SYMMETRIES: Final = 8
CHUNK: Final = 64  # classes of the role that is not to move in one machine word

_DE_BRUIJN: Final = 0x03F79D71B4CB0A89
_FACTOR: Final = numpy.uint64(_DE_BRUIJN)  # unsigned: the product of signed numbers must not wrap
_SHIFT: Final = numpy.uint64(58)


def _lowest_bits() -> list[int]:
    """Return for the upper 6 bits of a product with the de Bruijn number the index of the bit."""
    table = [0] * 64
    for index in range(64):
        table[(_DE_BRUIJN << index & (1 << 64) - 1) >> 58] = index
    return table


_INDEX: Final = numpy.array(_lowest_bits(), numpy.int64)


@jit
def bit_index(bit: int) -> int:
    """Return the index, 0 to 62, of a set of one bit."""
    return _INDEX[numpy.int64(numpy.uint64(bit) * _FACTOR >> _SHIFT)]  # type: ignore[no-any-return]


class Family(NamedTuple):
    """Sets of one size and parity. Squares are 7 y + x, from 0."""

    size: int
    classes: int
    squares: Ints  # [class, piece]: of the representative
    masks: Ints  # [code]: as bits of `pincer.board`
    targets: Ints  # [class, 4 * piece + way]: square after a step, -1 if it is not possible
    after: Ints  # [class, 4 * piece + way]: code of the set after that step
    slots: Ints  # [class, 4 * piece + way]: number of the stepped piece in that set


def _maps() -> Any:
    """Return for each symmetry the square to which it maps each square."""
    last = BOARD_SIZE - 1
    rows = []
    for number in range(SYMMETRIES):
        row = []
        for square in range(SQUARES):
            y, x = divmod(square, BOARD_SIZE)
            if number & 4:
                x, y = y, x
            x, y = (last - x if number & 1 else x), (last - y if number & 2 else y)
            row.append(BOARD_SIZE * y + x)
        rows.append(row)
    return numpy.array(rows, numpy.int64)


MAPS: Final = _maps()
_ROWS: Final = [tuple(row) for row in MAPS.tolist()]
# PRODUCT[g, h] is the symmetry h followed by g.
PRODUCT: Final = numpy.array(
    [[_ROWS.index(tuple(g[s] for s in h)) for h in _ROWS] for g in _ROWS], numpy.int64
)
INVERSE: Final = numpy.array([list(row).index(0) for row in PRODUCT], numpy.int64)
# CHOOSE[n, k]: k of n.
CHOOSE: Final = numpy.array(
    [[comb(n, k) for k in range(MAX_PIECES + 1)] for n in range(SQUARES + 1)], numpy.int64
)


@jit
def rank(mask: int, choose: Ints) -> int:
    """Return the number of a set among those of its size, by the combinatorial number system."""
    total, size = 0, 0
    while mask:
        bit = mask & -mask
        mask ^= bit
        size += 1
        index = bit_index(bit)
        total += choose[index - (index >> 3), size]
    return total


@jit
def _mask_of(squares: Ints, size: int, symmetry: Ints) -> int:
    """Return the bits of a set of squares after a symmetry."""
    mask = 0
    for piece in range(size):
        square = symmetry[squares[piece]]
        mask |= 1 << square + square // BOARD_SIZE
    return mask


@jit
def _next_set(squares: Ints, size: int) -> bool:
    """Change the squares to the next set in the order of `rank`; False after the last."""
    for piece in range(size):
        limit = squares[piece + 1] if piece + 1 < size else SQUARES
        if squares[piece] + 1 < limit:
            squares[piece] += 1
            for lower in range(piece):
                squares[lower] = lower
            return True
    return False


@jit
def _oddness(squares: Ints, size: int) -> int:
    """Return the parity of the number of squares with odd x + y."""
    total = 0
    for piece in range(size):
        total += squares[piece]  # 7 y + x has the parity of x + y
    return total & 1


@jit
def _number(size: int, maps: Ints, choose: Ints, codes: Ints, first: Ints) -> tuple[int, int]:
    """Fill in the code of each set; return the number of classes of each parity.

    `first` becomes the squares of each representative, for each parity of its own.
    """
    squares = numpy.arange(size)
    even, odd = 0, 0
    codes[:] = -1
    while True:
        if codes[rank(_mask_of(squares, size, maps[0]), choose)] < 0:
            parity = _oddness(squares, size) if size == MAX_PIECES else 0
            number = odd if parity else even
            first[parity, number, :size] = squares
            for symmetry in range(SYMMETRIES):
                at = rank(_mask_of(squares, size, maps[symmetry]), choose)
                if codes[at] < 0:
                    codes[at] = SYMMETRIES * number + symmetry
            if parity:
                odd += 1
            else:
                even += 1
        if not _next_set(squares, size):
            return even, odd


@jit
def _list_steps(
    firsts: Ints,
    others: Ints,
    size: int,
    maps: Ints,
    choose: Ints,
    codes: Ints,
    targets: Ints,
    after: Ints,
    slots: Ints,
) -> None:
    """Fill in the steps of each representative; `others` are those of the family after a step."""
    for number in range(len(firsts)):
        mask = _mask_of(firsts[number], size, maps[0])
        for piece in range(size):
            square = firsts[number, piece]
            y, x = square // BOARD_SIZE, square % BOARD_SIZE
            for way in range(4):
                to_x, to_y = x + (way == 0) - (way == 2), y + (way == 1) - (way == 3)
                at = 4 * piece + way
                targets[number, at] = -1
                if not (0 <= to_x < BOARD_SIZE and 0 <= to_y < BOARD_SIZE):
                    continue
                bit = 1 << 8 * to_y + to_x
                if mask & bit:
                    continue
                target = BOARD_SIZE * to_y + to_x
                code = codes[rank(mask ^ bit ^ 1 << 8 * y + x, choose)]
                targets[number, at], after[number, at] = target, code
                for slot in range(size):
                    if maps[code & 7, others[code >> 3, slot]] == target:
                        slots[number, at] = slot


class Sets(NamedTuple):
    """All families with what is needed to find the code of a set."""

    families: dict[int, Family]
    codes: Ints  # [CODES_AT[size] + rank]


CODES_AT: Final = numpy.array(
    [0, 0, *[sum(comb(SQUARES, k) for k in range(1, n)) for n in (2, 3, 4, 5)]], numpy.int64
)


def number_sets(largest: int) -> tuple[Any, dict[int, Any]]:
    """Return the code of each set of up to this many pieces, and the representatives by family.

    That is all that the players' table needs: the steps take four times the memory.
    """
    codes = numpy.full(int(CODES_AT[MAX_PIECES + 1]), -1, numpy.int64)
    firsts: dict[int, Any] = {}
    for size in range(1, largest + 1):
        own = codes[CODES_AT[size] : CODES_AT[size + 1]]
        room = numpy.zeros((2, len(own) // 4 + 64, size), numpy.int64)
        even, odd = _number(size, MAPS, CHOOSE, own, room)
        firsts[size] = room[0, :even].copy()
        if size == MAX_PIECES:
            firsts[ODD] = room[1, :odd].copy()
    return codes, firsts


@cache
def sets(largest: int = MAX_PIECES) -> Sets:
    """Return the families of up to this many pieces; takes a tenth of a second."""
    codes, firsts = number_sets(largest)
    families = {}
    for key, squares in firsts.items():
        size = min(key, MAX_PIECES)
        other = {EVEN: ODD, ODD: EVEN}.get(key, key)
        shape = len(squares), 4 * size
        steps = [numpy.zeros(shape, numpy.int64) for _ in range(3)]
        own = codes[CODES_AT[size] : CODES_AT[size + 1]]
        _list_steps(squares, firsts[other], size, MAPS, CHOOSE, own, *steps)
        places = MAPS[:, squares].transpose(1, 0, 2)
        masks = (1 << places + places // BOARD_SIZE).sum(axis=2).reshape(-1)
        families[key] = Family(size, len(squares), squares, masks, *steps)
    return Sets(families, codes)
