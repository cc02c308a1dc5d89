"""Compiled steps of the solver for boards on which a capture is due: a quarter of all.

What is left after the captures is a position of fewer pieces, known before. `list_ends` and
`list_middles` write down where its value is, once for all numbers of moves left; `settle_ends` and
`settle_middles` read the values of a layer there.
"""

from __future__ import annotations

from games.players.compiled import jit
from games.players.pincer.arrays import Ints
from games.players.pincer.board import captured_pieces, count
from games.players.pincer.solved.kernels import (
    FINAL,
    NONE,
    ONE,
    SAFE,
    WON,
    Groups,
    Middles,
    Values,
    code_of,
    next_lane,
    place_of,
    read_place,
    result_of,
    signed,
    unsigned,
)


@jit
def list_ends(
    groups: Groups,
    values: Values,
    own: Ints,
    masks: Ints,
    chunk: int,
    captures: Ints,
    places: Ints,
) -> None:
    """List where the values after due captures at the end of a turn are, or FINAL + result."""
    at = 0
    for code in range(len(own)):
        word = captures[code]
        while word != NONE:
            lane = next_lane(word)
            word &= word - ONE
            other = masks[8 * (64 * chunk + lane)]
            dead = captured_pieces(own[code], other)
            mine, others = own[code] & ~dead, other & ~dead
            many, enemies = count(mine), count(others)
            if not many or not enemies or many + enemies == 2:
                places[at] = FINAL + result_of(many, enemies)
            else:
                places[at] = place_of(groups, values, others, mine)
            at += 1


@jit
def settle_ends(words: Ints, captures: Ints, places: Ints, after: Ints) -> None:
    """Replace in `after` the values of the boards on which a capture is due."""
    at = 0
    for code in range(len(captures)):
        word = captures[code]
        if word == NONE:
            continue
        won, safe = after[2 * code] & ~word, after[2 * code + 1] & ~word
        while word != NONE:
            bit = word & ~word + ONE
            word ^= bit
            place = signed(places[at])
            at += 1
            value = place - FINAL if place >= FINAL else 2 - read_place(words, place)
            if value:
                safe |= bit
            if value == 2:
                won |= bit
        after[2 * code], after[2 * code + 1] = won, safe


@jit
def settle_last(own: Ints, masks: Ints, chunk: int, captures: Ints, after: Ints) -> None:
    """Do the same after the last move of the game: the pieces are counted."""
    for code in range(len(own)):
        word = captures[code]
        after[2 * code] &= ~word
        after[2 * code + 1] &= ~word
        while word != NONE:
            lane = next_lane(word)
            bit = ONE << unsigned(lane)
            word ^= bit
            other = masks[8 * (64 * chunk + lane)]
            dead = captured_pieces(own[code], other)
            value = result_of(count(own[code] & ~dead), count(other & ~dead))
            if value:
                after[2 * code + 1] |= bit
            if value == 2:
                after[2 * code] |= bit


@jit
def list_middles(
    groups: Groups,
    middles: Middles,
    own: Ints,
    size: int,
    masks: Ints,
    chunk: int,
    captures: Ints,
    places: Ints,
) -> None:
    """List where the values after captures by a first move are, of piece 0; or FINAL + result."""
    at = 0
    for code in range(len(own)):
        word = captures[code]
        while word != NONE:
            lane = next_lane(word)
            word &= word - ONE
            other = masks[8 * (64 * chunk + lane)]
            dead = captured_pieces(own[code], other)
            mine, others = own[code] & ~dead, other & ~dead
            many, enemies = count(mine), count(others)
            if not many or not enemies or many + enemies == 2:
                places[at] = FINAL + result_of(many, enemies)
            else:
                mover = code if many == size else code_of(groups, mine)
                theirs = code_of(groups, others)
                moved = mover & ~7 | groups.product[groups.inverse[theirs & 7], mover & 7]
                pair = (theirs >> 9) * middles.width[many] + moved
                pair = middles.at[many, enemies] // 2 + pair * many
                places[at] = 64 * pair + (theirs >> 3 & 63)
            at += 1


@jit
def settle_middles(
    words: Ints,
    first_of: Ints,
    size: int,
    captures: Ints,
    places: Ints,
    into: Ints,
    start: int,
) -> None:
    """Replace the values between two moves where the first captures something.

    `into[start + 2 * (code * size + piece) + plane]` are those of this chunk. If the role has lost
    pieces by its move, the one that moved is among them, so each piece left may move.
    `first_of[n]` is the first place of a role with n pieces.
    """
    next_place = 0
    for code in range(len(captures)):
        word = captures[code]
        at = start + 2 * code * size
        if word == NONE:
            continue
        for field in range(2 * size):
            into[at + field] &= ~word
        while word != NONE:
            bit = word & ~word + ONE
            word ^= bit
            place = signed(places[next_place])
            next_place += 1
            if place < FINAL and place >= first_of[size]:
                for piece in range(size):
                    value = read_place(words, place + 64 * piece)
                    if value:
                        into[at + 2 * piece + SAFE] |= bit
                    if value == 2:
                        into[at + 2 * piece + WON] |= bit
                continue
            value = place - FINAL
            if place < FINAL:
                many = 3 if place >= first_of[3] else 2 if place >= first_of[2] else 1
                value = 0
                for piece in range(many):
                    value = max(value, read_place(words, place + 64 * piece))
            for piece in range(size):
                if value:
                    into[at + 2 * piece + SAFE] |= bit
                if value == 2:
                    into[at + 2 * piece + WON] |= bit
