"""A yardstick: plain alpha-beta that counts pieces, as student programs do it."""

from __future__ import annotations

from random import Random

from games.choices import Choices
from games.core import Action, Role, View
from games.moves import Move
from games.players.compiled import compiled
from games.players.core import Allowance, Thought
from games.players.pincer.board import (
    BOARD,
    WAYS,
    count,
    handed,
    is_decided,
    moved,
    shifted,
)
from games.players.pincer.machine import Ints, zeros
from games.players.pincer.position import Position, move_of, position_of, step_of
from games.players.pincer.thinking import after

PIECE, GAME = 100, 10_000


@compiled
def _final(own: int, theirs: int) -> int:
    """More pieces win."""
    many, others = count(own), count(theirs)
    return GAME * ((many > others) - (many < others))


@compiled
def search(
    own: int, theirs: int, stepped: int, moves: int, depth: int, alpha: int, beta: int, nodes: Ints
) -> int:
    """The value to the role to move, `depth` steps ahead; nodes[0] counts."""
    nodes[0] += 1
    if is_decided(own, theirs, moves):
        return _final(own, theirs)
    if depth == 0:
        return PIECE * (count(own) - count(theirs))
    free, empty, best = own & ~stepped, BOARD & ~(own | theirs), -2 * GAME
    while free:
        origin = free & -free
        free ^= origin
        for way in WAYS:
            target = shifted(origin, way) & empty
            if not target:
                continue
            left, enemies = moved(own, theirs, origin, target)
            one, other, step, is_same = handed(own, stepped, left, enemies, target)
            if is_same:
                value = search(one, other, step, moves + 1, depth - 1, alpha, beta, nodes)
            else:
                value = -search(one, other, step, moves + 1, depth - 1, -beta, -alpha, nodes)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                return best
    return best if best > -2 * GAME else _final(own, theirs)


class Material:
    """Looks a fixed number of single steps ahead; of steps alike in value the seed takes one.

    Asks for neither nodes nor time: its depth is its allowance.
    """

    def __init__(self, depth: int = 6) -> None:
        self.depth = depth

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """One of the steps with the highest value."""
        at, nodes = position_of(view, role), zeros(1)
        steps = [step_of(move) for move in choices if isinstance(move, Move)]
        Random(seed).shuffle(steps)
        best, action = -2 * GAME, steps[0]
        for step in steps:
            # Only a higher value takes the place of the best: equal ones may come back lower.
            value = self._worth(at, step, best, nodes)
            if value > best:
                best, action = value, step
        move = move_of(action)
        worth = best / GAME if abs(best) == GAME else best / (10 * PIECE)
        return Thought(move, worth, (str(move),), int(nodes[0]), self.depth, seed)

    def _worth(self, at: Position, step: int, floor: int, nodes: Ints) -> int:
        """What a step is worth, if that is more than the floor; else the floor or less."""
        below, is_same = after(at, step)
        window = (floor, 2 * GAME) if is_same else (-2 * GAME, -floor)
        value = int(search(*below, self.depth - 1, *window, nodes))
        return value if is_same else -value
