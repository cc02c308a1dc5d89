"""Whole turns of a position: all of them, or one that somebody tries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from games.core import Role, Rules, advance, assemble_joint

MAX_ACTIONS: Final = 2  # of a turn
Turn = tuple[str, ...]  # canonical actions


class NotOneTurn(ValueError):
    """The actions are legal, but make less or more than one whole turn."""


def role_of(rules: Rules[Any], state: Any) -> Role | None:
    """Return the role whose turn it is; None after the end and where both roles decide."""
    roles = rules.control(state)
    return next(iter(roles)) if len(roles) == 1 else None


def is_turn_over(rules: Rules[Any], before: Any, after: Any) -> bool:
    """Return whether a turn that began in one position is complete in another."""
    return rules.turns(after) > rules.turns(before) or not rules.control(after)


def all_turns(rules: Rules[Any], state: Any) -> Iterator[tuple[Turn, Any]]:
    """Yield each whole turn of the role to move, and the position after it.

    Turns that lead to the same position are yielded each.
    """
    role = role_of(rules, state)
    if role is None:
        return
    for first in rules.choices(state, role):
        between = rules.play(state, assemble_joint(rules, state, {role: first}))
        if is_turn_over(rules, state, between):
            yield (str(first),), between
            continue
        for second in rules.choices(between, role):
            after = rules.play(between, assemble_joint(rules, between, {role: second}))
            yield (str(first), str(second)), after


def play_turn(rules: Rules[Any], state: Any, turn: Sequence[str]) -> Any:
    """Return the position after a turn of the role to move.

    Raises BadAction, IllegalAction, NotOneTurn.
    """
    role = role_of(rules, state)
    if role is None or not 1 <= len(turn) <= MAX_ACTIONS:
        raise NotOneTurn
    at = state
    for text in turn:
        if at is not state and is_turn_over(rules, state, at):
            raise NotOneTurn
        at = advance(rules, at, assemble_joint(rules, at, {role: rules.parse(text)}))
    if not is_turn_over(rules, state, at):
        raise NotOneTurn
    return at
