"""Compiled steps of the solver, for 64 sets of the role that is not to move at once.

A word holds one bit for each of 64 classes (a chunk) of that role's sets. A value is two words:
WON, the role wins, and SAFE, it wins or draws; so the best of several values is their bitwise "or".
The functions write into arrays that they are given.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy

from games.players.compiled import jit
from games.players.pincer.arrays import Ints
from games.players.pincer.board import captured_pieces, count, spread
from games.players.pincer.solved.families import bit_index, rank

unsigned: Any = numpy.uint64
signed: Any = numpy.int64  # an operation of a signed and an unsigned number gives a float
WON, SAFE = 0, 1
ONE: Final = numpy.uint64(1)
NONE: Final = numpy.uint64(0)
ALL: Final = numpy.uint64(0xFFFFFFFFFFFFFFFF)
_HALF: Final = numpy.uint64(32)
LOW_32: Final = numpy.uint64(0xFFFFFFFF)
FINAL: Final = (1 << 32) - 3  # as a place: the game is over; plus 0, 1 or 2


class Groups(NamedTuple):
    """Tables of the families in the form that compiled code takes."""

    codes: Ints  # `Sets.codes`
    codes_at: Ints
    choose: Ints
    product: Ints
    inverse: Ints


class Values(NamedTuple):
    """Values at the beginning of a turn of all materials, for one number of moves left.

    words[at[own, theirs] + 2 * (chunk * width[own] + code) + WON or SAFE]
    """

    words: Ints
    at: Ints
    width: Ints


class Middles(NamedTuple):
    """Values between the two moves of a turn, for each piece that may have made the first.

    words[at[own, theirs] + 2 * ((chunk * width[own] + code) * own + piece) + WON or SAFE]; with one
    piece left, that of a turn whose first piece was captured.
    """

    words: Ints
    at: Ints
    width: Ints


@jit
def _add(won: int, safe: int) -> int:
    """Return the sum of two bits of words as a signed number."""
    return signed(won) + signed(safe)  # type: ignore[no-any-return]


@jit
def transpose(block: Ints) -> None:
    """Transpose a matrix of 64 words of 64 bits in place (Hacker's Delight, 7-3)."""
    distance, mask = _HALF, LOW_32
    while distance != NONE:
        step = signed(distance)
        row = 0
        while row < 64:
            swap = (block[row] >> distance ^ block[row + step]) & mask
            block[row + step] ^= swap
            block[row] ^= swap << distance
            row = row + step + 1 & ~step
        distance >>= ONE
        mask ^= mask << distance


@jit
def find_occupied(masks: Ints, chunk: int, classes: int, occupied: Ints) -> None:
    """Fill in for each square, 7 y + x, the word of the representatives that stand on it."""
    occupied[:] = NONE
    for lane in range(min(64, classes - 64 * chunk)):
        mask = masks[8 * (64 * chunk + lane)]
        while mask:
            bit = mask & -mask
            mask ^= bit
            index = bit_index(bit)
            occupied[index - (index >> 3)] |= ONE << numpy.uint64(lane)


@jit
def find_captures(own: Ints, masks: Ints, chunk: int, classes: int, captures: Ints) -> None:
    """Fill in for each set the word of the representatives with which a capture is due."""
    for code in range(len(own)):
        mask, word = own[code], NONE
        near = spread(mask)
        for lane in range(min(64, classes - 64 * chunk)):
            other = masks[8 * (64 * chunk + lane)]
            if other & near and not other & mask and captured_pieces(mask, other):
                word |= ONE << numpy.uint64(lane)
        captures[code] = word


@jit
def read_reversed(
    values: Values,
    own: int,
    theirs: int,
    chunk: int,
    classes: int,
    inverse: Ints,
    block: Ints,
    after: Ints,
) -> None:
    """Fill in after[2 * code + plane]: the value for `own`, a family, when `theirs` is to move.

    The chunk is one of the representatives of `theirs`; `classes` those of `own`. The symmetry that
    leads a set of `own` back to its representative is applied to both.
    """
    at, width = values.at[theirs, own], values.width[theirs]
    lanes = min(64, width // 8 - 64 * chunk)
    for other in range((classes + 63) // 64):
        start = at + 2 * other * width
        for symmetry in range(8):
            back = inverse[symmetry]
            for plane in (WON, SAFE):
                for lane in range(64):
                    block[lane] = NONE
                for lane in range(lanes):
                    code = 8 * (64 * chunk + lane) + back
                    block[lane] = ~values.words[start + 2 * code + (SAFE if plane == WON else WON)]
                transpose(block)
                for lane in range(min(64, classes - 64 * other)):
                    after[2 * (8 * (64 * other + lane) + symmetry) + plane] = block[lane]


@jit
def code_of(groups: Groups, mask: int) -> int:
    """Return the code of a set of one to four squares."""
    at = groups.codes_at[count(mask)]
    return groups.codes[at + rank(mask, groups.choose)]  # type: ignore[no-any-return]


@jit
def result_of(many: int, others: int) -> int:
    """Return 0, 1 or 2 (loss, draw, win) for the role that has `many` pieces at the end."""
    return 1 + (many > others) - (many < others)


@jit
def place_of(groups: Groups, values: Values, own: int, theirs: int) -> int:
    """Return where the value of the role to move, `own`, is: 64 * pair of words + lane."""
    code, mover = code_of(groups, theirs), code_of(groups, own)
    moved = mover & ~7 | groups.product[groups.inverse[code & 7], mover & 7]
    size = count(own)
    pair = values.at[size, count(theirs)] // 2 + (code >> 9) * values.width[size] + moved
    return 64 * pair + (code >> 3 & 63)  # type: ignore[no-any-return]


@jit
def read_place(words: Ints, place: int) -> int:
    """Return 0, 1 or 2 (loss, draw, win), the value at this place."""
    pair, lane = place >> 6, numpy.uint64(place & 63)
    return _add(words[2 * pair] >> lane & ONE, words[2 * pair + 1] >> lane & ONE)


@jit
def next_lane(word: int) -> int:
    """Return the lowest lane of a word that is not empty."""
    low = signed(word & LOW_32)
    if low:
        return bit_index(low & -low)
    high = signed(word >> _HALF)
    return 32 + bit_index(high & -high)


@jit
def second_moves(
    targets: Ints,
    successors: Ints,
    size: int,
    maps: Ints,
    product: Ints,
    occupied: Ints,
    after: Ints,
    best: Ints,
    into: Ints,
    start: int,
) -> None:
    """Fill in the value of the best second move by any piece but the one that moved first."""
    for number in range(len(targets)):
        for symmetry in range(8):
            for piece in range(size):
                won, safe = NONE, NONE
                for way in range(4 * piece, 4 * piece + 4):
                    target = targets[number, way]
                    if target >= 0:
                        free = ~occupied[maps[symmetry, target]]
                        code = successors[number, way]
                        at = 2 * (code & ~7 | product[symmetry, code & 7])
                        won |= after[at] & free
                        safe |= after[at + 1] & free
                best[2 * piece], best[2 * piece + 1] = won, safe
            at = start + 2 * (8 * number + symmetry) * size
            for piece in range(size):
                won, safe = NONE, NONE
                for other in range(size):
                    if other != piece or size == 1:
                        won |= best[2 * other]
                        safe |= best[2 * other + 1]
                into[at + 2 * piece], into[at + 2 * piece + 1] = won, safe


@jit
def first_moves(
    targets: Ints,
    successors: Ints,
    slots: Ints,
    size: int,
    fields: int,
    squares: Ints,
    maps: Ints,
    product: Ints,
    occupied: Ints,
    captures: Ints,
    lanes: int,
    below: Ints,
    below_at: int,
    into: Ints,
    start: int,
) -> None:
    """Fill in the value of the best first move, 0 where the board cannot be at a turn's beginning.

    `below[below_at + 2 * (code * fields + piece)]` are the values after it: one for each piece that
    may have moved (`fields` is the size), or one for all if the turn has only this move (1).
    """
    room = ALL if lanes >= 64 else (ONE << numpy.uint64(lanes)) - ONE
    for number in range(len(targets)):
        for symmetry in range(8):
            won, safe, here = NONE, NONE, NONE
            for piece in range(size):
                here |= occupied[maps[symmetry, squares[number, piece]]]
                for way in range(4 * piece, 4 * piece + 4):
                    target = targets[number, way]
                    if target >= 0:
                        free = ~occupied[maps[symmetry, target]]
                        code = successors[number, way]
                        at = (code & ~7 | product[symmetry, code & 7]) * fields
                        if fields > 1:
                            at += slots[number, way]
                        won |= below[below_at + 2 * at] & free
                        safe |= below[below_at + 2 * at + 1] & free
            code = 8 * number + symmetry
            keep = ~(here | captures[code]) & room
            into[start + 2 * code], into[start + 2 * code + 1] = won & keep, safe & keep
