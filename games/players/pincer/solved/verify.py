"""Compare the solver with an independent one: plain Python on the rules of `games.pincer`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final

from games.catalogue import PINCER
from games.core import NOOP, OTHER, Role
from games.moves import Move
from games.pincer import State
from games.players.compiled import jit
from games.players.pincer.board import (
    BOARD,
    MAX_MOVES,
    WAYS,
    apply_step,
    captured_pieces,
    count,
    hand_over,
    is_decided,
    shift,
)
from games.players.pincer.solved.compute import Computation
from games.players.pincer.solved.families import SQUARES
from games.players.pincer.solved.kernels import result_of
from games.players.pincer.solved.layers import Shard, family

Position = tuple[int, int]  # own and their squares as bits of `pincer.board`

_SQUARES_OF_RULES: Final = tuple(
    1 << 16 * (square // 7 + 1) + square % 7 + 1 for square in range(SQUARES)
)


def to_rules(mask: int) -> int:
    """Return a set of squares as in `games.grid`."""
    return sum(
        bit for square, bit in enumerate(_SQUARES_OF_RULES) if mask >> square + square // 7 & 1
    )


def state_of(at: Position, left: int, role: Role = "white") -> State:
    """Return the state of the rules at the beginning of a turn with this many moves left."""
    own, theirs = to_rules(at[0]), to_rules(at[1])
    white, black = (own, theirs) if role == "white" else (theirs, own)
    moves = PINCER.limit - left
    return State(white, black, role, None, moves, moves // 2)


def slow_value(state: State) -> int:
    """Return 0, 1 or 2 for white: loss, draw, win; by all moves of the rules."""
    return _value(replace(state, turns=0))


@cache
def _value(state: State) -> int:
    outcome = PINCER.outcome(state)
    if outcome is not None:
        return outcome.goals["white"] // 50
    role = state.to_move
    worst, top = (0, 2) if role == "white" else (2, 0)
    best = worst
    for child in _children(state):
        value = slow_value(child)
        best = max(best, value) if role == "white" else min(best, value)
        if best == top:
            break
    return best


def _children(state: State) -> Iterator[State]:
    role = state.to_move
    for action in PINCER.choices(state, role):
        if isinstance(action, Move):
            yield PINCER.play(state, {role: action, OTHER[role]: NOOP})


@jit
def search(own: int, theirs: int, stepped: int, left: int, alpha: int, beta: int) -> int:
    """Return 0, 1 or 2 for the role to move by alpha-beta, at least within alpha and beta."""
    if is_decided(own, theirs, MAX_MOVES - left):
        return result_of(count(own), count(theirs))
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
            one, other, step, is_same = hand_over(own, stepped, mine, others, target)
            if is_same:
                value = search(one, other, step, left - 1, max(alpha, best), beta)
            else:
                value = 2 - search(one, other, step, left - 1, 2 - beta, 2 - max(alpha, best))
            best = max(best, value)
            if best >= beta:
                return best
    return best if best >= 0 else result_of(count(own), count(theirs))


def positions(shard: Shard) -> Iterator[Position]:
    """Yield every position of a material, one for each class of the other role's sets."""
    own, theirs = (family(size).masks.tolist() for size in shard)
    for other in theirs[::8]:
        for mask in sorted(set(own)):
            if can_begin(mask, other):
                yield mask, other


def sample(shard: Shard, random: Random, how_many: int) -> Iterator[Position]:
    """Yield random positions of a material."""
    own, theirs = (family(size).masks for size in shard)
    while how_many:
        mask, other = int(random.choice(own)), int(random.choice(theirs))
        if can_begin(mask, other):
            how_many -= 1
            yield mask, other


def can_begin(own: int, theirs: int) -> bool:
    """Return whether this can be a board at the beginning of a turn: no capture is due."""
    return not own & theirs and not captured_pieces(own, theirs)


def compare(
    computation: Computation, found: Iterable[Position], left: int, *, by_rules: bool
) -> Iterator[str]:
    """Yield a sentence for each of these positions whose value is another one."""
    for at in found:
        value = computation.value(*at, left)
        other = slow_value(state_of(at, left)) if by_rules else int(search(*at, 0, left, 0, 2))
        if value != other:
            yield f"{PINCER.write(state_of(at, left))}: {value}, but {other} was found by search."
