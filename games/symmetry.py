"""Symmetries of a board's start, and canonical positions and turns under them.

A symmetry counts if it leaves both sides' pieces where they start, so that it keeps the side to
move: in Amazons the mirror from left to right, in Pincer the half turn. The image of
a position or a turn whose text sorts first is the canonical one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, Final

from games.core import Action, BadAction, IllegalAction, Rules, advance, fill_noop
from games.grid import squares
from games.moves import Fire, Move, Play
from games.notation import write

Symmetry = Mapping[int, int]  # square → square
NO_PART_TURN: Final = "-"  # in `Rules.write`, where no turn has been begun


@dataclass(frozen=True, slots=True)
class CanonicalPosition:
    """The text that stands for a position and its images, and the symmetries that lead to it.

    There is more than one if the position is its own image.
    """

    text: str
    symmetries: tuple[Symmetry, ...]


def canonical_position(rules: Rules[Any], state: Any) -> CanonicalPosition | None:
    """Return the text that stands for a position in which a turn begins; None within a turn.

    `rules` has a board.
    """
    board, *rest = rules.write(state).split(" ")
    if rest[1] != NO_PART_TURN:
        return None
    reorders = _reorders(rules)  # type: ignore[arg-type]  # rule sets are frozen
    images = [(reorder(board), symmetry) for symmetry, reorder in reorders]
    first = min(image for image, _ in images)
    text = " ".join((first, *rest))
    return CanonicalPosition(text, tuple(found for image, found in images if image == first))


def canonical_turn(
    rules: Rules[Any], state: Any, actions: Sequence[Action], symmetries: Sequence[Symmetry]
) -> str:
    """Return a legal turn for people, written alike for all its images under some symmetries.

    `state` is the position in which the turn begins. Two moves that lead to the same in either
    order are written in one order.
    """
    orders = [actions, *_other_orders(rules, state, actions)]
    return min(
        turn_text(rules, [image_of(action, symmetry) for action in order])
        for order in orders
        for symmetry in symmetries
    )


def turn_text(rules: Rules[Any], actions: Sequence[Action]) -> str:
    """Return a turn for people: "d1-d7/g7", "a5-b5 g3-f3"."""
    parts = [write(rules, None, "white", action) for action in actions]
    return " ".join(parts).replace(" /", "/")


def start_symmetries(rules: Rules[Any]) -> tuple[Symmetry, ...]:
    """Return the symmetries of a board that leave both sides' pieces where they start.

    The identity is among them.
    """
    start = rules.start()
    white, black = frozenset(squares(start.white)), frozenset(squares(start.black))
    return _symmetries(rules.width, rules.height, white, black)


def inverse_of(symmetry: Symmetry) -> Symmetry:
    """Return the symmetry that undoes one."""
    return {target: square for square, target in symmetry.items()}


def image_of(action: Action, symmetry: Symmetry) -> Action:
    """Return the image of an action on squares. Raises BadAction for any other."""
    if not isinstance(action, (Move, Fire, Play)):
        raise BadAction(f"{action} is not an action on squares.")
    return type(action)(*(symmetry[square] for square in action))


@cache
def _symmetries(
    width: int, height: int, white: frozenset[int], black: frozenset[int]
) -> tuple[Symmetry, ...]:
    """Return the reflections and rotations of a board that leave both sets of squares in place."""
    found: list[Symmetry] = []
    for has_turned in (False, True) if width == height else (False,):
        for flips_x in (False, True):
            for flips_y in (False, True):
                table = {}
                for square in (
                    16 * y + x for y in range(1, height + 1) for x in range(1, width + 1)
                ):
                    row, column = divmod(square, 16)
                    column, row = (row, column) if has_turned else (column, row)
                    column = width + 1 - column if flips_x else column
                    row = height + 1 - row if flips_y else row
                    table[square] = 16 * row + column
                if all({table[square] for square in side} == side for side in (white, black)):
                    found.append(table)
    return tuple(found)


@cache
def _reorders(rules: Rules[Any]) -> tuple[tuple[Symmetry, Callable[[str], str]], ...]:
    """Return for each symmetry of the start how the text of a board becomes that of its image."""
    return tuple(
        (symmetry, _reorder(rules.width, rules.height, symmetry))
        for symmetry in start_symmetries(rules)
    )


def _reorder(width: int, height: int, symmetry: Symmetry) -> Callable[[str], str]:
    def place(square: int) -> int:
        return (height - (square >> 4)) * (width + 1) + (square & 15) - 1

    order = list(range((width + 1) * height - 1))  # slashes stay
    for square, target in symmetry.items():
        order[place(target)] = place(square)
    pick = itemgetter(*order)
    return lambda board: "".join(pick(board))


def _other_orders(
    rules: Rules[Any], state: Any, actions: Sequence[Action]
) -> list[Sequence[Action]]:
    """Return the turn in the other order, if it has two moves that then lead to the same."""
    if len(actions) != 2 or not all(isinstance(action, Move) for action in actions):
        return []
    (role,) = rules.control(state)
    other, reached = state, state
    try:
        for action in reversed(actions):
            other = advance(rules, other, fill_noop(rules, {role: action}))
    except IllegalAction:
        return []
    for action in actions:
        reached = rules.play(reached, fill_noop(rules, {role: action}))
    return [actions[::-1]] if other == reached else []
