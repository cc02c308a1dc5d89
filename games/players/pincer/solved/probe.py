"""Look up the exact value of a position with few pieces; the players call it from their search.

Arrays only, without numpy, so that uncompiled players can import it: they hold an empty table.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.players.compiled import jit
from games.players.pincer.arrays import Ints, zeros
from games.players.pincer.board import (
    BOARD,
    MAX_MOVES,
    WAYS,
    apply_step,
    count,
    hand_over,
    is_decided,
    shift,
    square_of,
)

UNKNOWN: Final = 3  # after 0, 1, 2: loss, draw, win of the role to move
TABLE_PIECES: Final = 5
LAYERS: Final = MAX_MOVES + 1


class FewPieces(NamedTuple):
    """Values of all positions with up to TABLE_PIECES pieces at the beginning of a turn.

    A position has a pattern: its value for each number of moves left. `patterns[ids[place]]` is
    the first of LAYERS numbers.
    """

    pieces: int  # 0: nothing is known
    ids: Ints
    patterns: Ints
    ids_at: Ints  # [5 * own + theirs]
    patterns_at: Ints  # [5 * own + theirs]
    width: Ints  # [own]: sets of the role to move
    codes: Ints  # see `families.Sets`
    codes_at: Ints
    choose: Ints  # [5 * n + k]
    product: Ints  # [8 * g + h]
    inverse: Ints


def nothing_known() -> FewPieces:
    """Return an empty table."""
    return FewPieces(0, zeros(1, 8), zeros(1, 8), *(zeros(1) for _ in FewPieces._fields[3:]))


@jit
def code_of(table: FewPieces, mask: int, size: int) -> int:
    """Return the code of a set of squares."""
    total, number = 0, 0
    while mask:
        bit = mask & -mask
        mask ^= bit
        number += 1
        index = square_of(bit)
        total += table.choose[5 * (index - (index >> 3)) + number]
    return table.codes[table.codes_at[size] + total]  # type: ignore[no-any-return]


@jit
def _odd_squares(mask: int) -> int:
    """Return the number of squares of odd x + y."""
    return count(mask & 0x2A552A552A552A)


@jit
def value_at_turn(table: FewPieces, own: int, theirs: int, moves: int) -> int:
    """Return the value at the beginning of a turn for the role to move, or UNKNOWN.

    Four pieces on an odd number of odd squares, and an odd number of moves with two pieces or more
    each, cannot come from the start.
    """
    many, others = count(own), count(theirs)
    if many + others > table.pieces or many > 4 or others > 4:
        return UNKNOWN
    if (many == 4 and _odd_squares(own) & 1) or (others == 4 and _odd_squares(theirs) & 1):
        return UNKNOWN
    code, mover = code_of(table, theirs, others), code_of(table, own, many)
    turned = table.product[8 * table.inverse[code & 7] + (mover & 7)]
    place = (code >> 3) * table.width[many] + (mover & ~7 | turned)
    shard = 5 * many + others
    pattern = table.patterns_at[shard] + table.ids[table.ids_at[shard] + place]
    return table.patterns[LAYERS * pattern + MAX_MOVES - moves]  # type: ignore[no-any-return]


@jit
def value_after(
    table: FewPieces, had: int, stepped: int, own: int, theirs: int, target: int, moves: int
) -> int:
    """Return the value, for the role that moved, of the position after its move, or UNKNOWN.

    `had` are its pieces before the move, `own` and `theirs` the pieces after the captures; `moves`
    includes the move. As a second move it ends the turn.
    """
    if is_decided(own, theirs, moves):
        many, others = count(own), count(theirs)
        return 1 + (many > others) - (many < others)
    one, other, step, is_same = hand_over(had, stepped, own, theirs, target)
    value = UNKNOWN
    if step:
        value = value_between(table, one, other, step, moves)
    else:
        value = value_at_turn(table, one, other, moves)
    return value if is_same or value == UNKNOWN else 2 - value


@jit
def value_between(table: FewPieces, own: int, theirs: int, stepped: int, moves: int) -> int:
    """Return the value between the two moves of a turn: that of the best second move."""
    best = -1
    free, empty = own & ~stepped, BOARD & ~(own | theirs)
    while free:
        origin = free & -free
        free ^= origin
        for way in WAYS:
            target = shift(origin, way) & empty
            if not target:
                continue
            mine, others = apply_step(own, theirs, origin, target)
            value = 1
            if is_decided(mine, others, moves + 1):
                many, enemies = count(mine), count(others)
                value = 1 + (many > enemies) - (many < enemies)
            else:
                one, other, _, is_same = hand_over(own, stepped, mine, others, target)
                value = value_at_turn(table, one, other, moves + 1)
                if value == UNKNOWN:
                    return UNKNOWN
                if not is_same:
                    value = 2 - value
            if value == 2:
                return 2
            best = max(best, value)
    return best if best >= 0 else UNKNOWN


@jit
def value_of(table: FewPieces, own: int, theirs: int, stepped: int, moves: int) -> int:
    """Return the value of a position for the role to move, or UNKNOWN."""
    if count(own) + count(theirs) > table.pieces:
        return UNKNOWN
    if stepped:
        return value_between(table, own, theirs, stepped, moves)
    return value_at_turn(table, own, theirs, moves)
