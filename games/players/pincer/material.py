"""Material player, plain alpha-beta that counts pieces: a yardstick."""

from __future__ import annotations

from random import Random

from games.choices import Choices
from games.core import Action, Role, View
from games.moves import Move
from games.players.compiled import jit
from games.players.core import Allowance, Player, Thought
from games.players.pincer.arrays import Ints, zeros
from games.players.pincer.board import BOARD, WAYS, apply_step, count, hand_over, is_decided, shift
from games.players.pincer.deepening import after
from games.players.pincer.position import Position, move_of, position_of, step_of

PIECE_VALUE, GAME_VALUE = 100, 10_000


@jit
def _final(own: int, theirs: int) -> int:
    """Return the value of a finished game: more pieces win."""
    many, others = count(own), count(theirs)
    return GAME_VALUE * ((many > others) - (many < others))


@jit
def search(
    own: int, theirs: int, stepped: int, moves: int, depth: int, alpha: int, beta: int, nodes: Ints
) -> int:
    """Return the value for the role to move, `depth` steps ahead; nodes[0] is the counter."""
    nodes[0] += 1
    if is_decided(own, theirs, moves):
        return _final(own, theirs)
    if depth == 0:
        return PIECE_VALUE * (count(own) - count(theirs))
    free, empty, best = own & ~stepped, BOARD & ~(own | theirs), -2 * GAME_VALUE
    while free:
        origin = free & -free
        free ^= origin
        for way in WAYS:
            target = shift(origin, way) & empty
            if not target:
                continue
            left, enemies = apply_step(own, theirs, origin, target)
            one, other, step, is_same = hand_over(own, stepped, left, enemies, target)
            if is_same:
                value = search(one, other, step, moves + 1, depth - 1, alpha, beta, nodes)
            else:
                value = -search(one, other, step, moves + 1, depth - 1, -beta, -alpha, nodes)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                return best
    return best if best > -2 * GAME_VALUE else _final(own, theirs)


class Material(Player):
    """Player with a fixed depth in single steps; ties are broken by the seed.

    Ignores nodes and time: only the depth limits it.
    """

    def __init__(self, depth: int = 6) -> None:
        self.depth = depth

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return one of the steps with the highest value."""
        at, nodes = position_of(view, role), zeros(1)
        steps = [step_of(move) for move in choices if isinstance(move, Move)]
        Random(seed).shuffle(steps)
        best, action = -2 * GAME_VALUE, steps[0]
        for step in steps:
            # Only a higher value replaces the best: equal ones may be upper bounds.
            value = self._worth(at, step, best, nodes)
            if value > best:
                best, action = value, step
        move = move_of(action)
        worth = best / GAME_VALUE if abs(best) == GAME_VALUE else best / (10 * PIECE_VALUE)
        return Thought(move, worth, (str(move),), int(nodes[0]), self.depth, seed)

    def _worth(self, at: Position, step: int, floor: int, nodes: Ints) -> int:
        """Return the value of a step if it exceeds the floor; else the floor or less."""
        below, is_same = after(at, step)
        window = (floor, 2 * GAME_VALUE) if is_same else (-2 * GAME_VALUE, -floor)
        value = int(search(*below, self.depth - 1, *window, nodes))
        return value if is_same else -value
