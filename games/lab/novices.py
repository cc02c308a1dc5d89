"""Models of a person who has just learned the rules of a board game, as yardsticks.

In Amazons the novice imagines some turns at random, and takes the one after which its amazons can
go to most squares, compared with the other side's. In Pincer it takes what one step wins, and does
not step into death. It foresees no reply in either game.
"""

from __future__ import annotations

from random import Random
from typing import Final

from games.choices import Choices
from games.core import NOOP, Action, Role, View
from games.moves import Fire, Move, Play
from games.players.amazons.flood import ROW_STRIDE_BITS, reach
from games.players.amazons.position import Position, read, split, square_of, whole
from games.players.core import Allowance, Player, Thought
from games.players.pincer.board import apply_step, shift
from games.players.pincer.position import position_of, step_of

IMAGINED_TURNS: Final = 40
SCORES_FILE: Final = "novice.json"  # scores against the first levels, with the commands


class _AmazonsNovice(Player):
    """Novice of all forms of Amazons; remembers only the arrow that belongs to its last move."""

    def __init__(self) -> None:
        self._after = Position(0, 0, 0)  # the position in which the arrow is to be shot
        self._arrow = 0

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return the first action of the best imagined turn, or the arrow of the last one."""
        if view["to_move"] != role:
            return Thought(NOOP, 0.0, (str(NOOP),), 0, 0, seed)
        position, rng = read(view), Random(seed)
        if position.move >= 0:
            return self._shoot(position, rng, seed)
        best, chosen = -1000, None
        for _ in range(IMAGINED_TURNS):
            action = choices.sample(rng)
            assert isinstance(action, Move | Play)
            moved = position.after(128 * _cell(action.origin) + _cell(action.target), False)
            arrow = _cell(action.arrow) if isinstance(action, Play) else rng.choice(_shots(moved))
            mobility = _mobility(moved.after(arrow, isinstance(action, Play)))
            if mobility > best:
                best, chosen = mobility, action
                self._after, self._arrow = moved, arrow
        assert chosen is not None
        return Thought(chosen, 0.0, (str(chosen),), IMAGINED_TURNS, 1, seed)

    def _shoot(self, position: Position, rng: Random, seed: int) -> Thought:
        arrow = self._arrow
        if position != self._after:
            arrow = max(
                rng.choices(_shots(position), k=IMAGINED_TURNS),
                key=lambda arrow: _mobility(position.after(arrow, False)),
            )
        fire = Fire(square_of(arrow))
        return Thought(fire, 0.0, (str(fire),), 1, 1, seed)


def _cell(square: int) -> int:
    """Return a square of `games.grid` as a cell of `games.players.amazons.flood`."""
    return ROW_STRIDE_BITS * ((square >> 4) - 1) + (square & 15) - 1


def _shots(position: Position) -> list[int]:
    """Return the arrows of a position in which an amazon has moved."""
    reached = whole(reach(*split(1 << (position.move & 127)), *split(position.free)))
    return list(_bits(reached))


def _mobility(position: Position) -> int:
    """Return the moves of the side that has just played, minus those of the side to move."""
    return _count_moves(position.other, position.free) - _count_moves(position.own, position.free)


def _count_moves(amazons: int, free: int) -> int:
    low, high = split(free)
    reached = (reach(*split(1 << cell), low, high) for cell in _bits(amazons))
    return sum(whole(cells).bit_count() for cells in reached)


def _bits(cells: int) -> list[int]:
    """Return the cells of a set."""
    return [cell for cell in range(cells.bit_length()) if cells >> cell & 1]


class _PincerNovice(Player):
    """Novice of Pincer."""

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return one of the steps that win most pieces at once; ties are broken by the seed."""
        at, rng = position_of(view, role), Random(seed)
        moves = [move for move in choices if isinstance(move, Move)]
        gains = []
        for move in moves:
            step = step_of(move)
            origin = 1 << (step >> 2)
            own, theirs = apply_step(at.own, at.theirs, origin, shift(origin, step & 3))
            taken = at.theirs.bit_count() - int(theirs).bit_count()
            gains.append(taken - (at.own.bit_count() - int(own).bit_count()))
        most = max(gains)
        best = [move for move, gain in zip(moves, gains, strict=True) if gain == most]
        move = rng.choice(best)
        return Thought(move, 0.0, (str(move),), len(moves), 1, seed)


class Novice(Player):
    """Novice of any board game."""

    def __init__(self) -> None:
        self._amazons, self._pincer = _AmazonsNovice(), _PincerNovice()

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return the action of the novice of the view's game."""
        novice: Player = self._amazons if "moved" in view else self._pincer
        return novice.choose(view, role, choices, clock, seed)
