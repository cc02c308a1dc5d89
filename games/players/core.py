"""What every computer player is given, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from games.choices import Choices
from games.core import Action, Role, View


def never() -> bool:
    """Time without end: only the nodes count."""
    return False


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a player may spend on one action.

    With `is_over` left alone the same seed gives the same action again.
    """

    nodes: int  # positions looked at (simulations of a tree search)
    is_over: Callable[[], bool] = never  # asked at least every 50 ms; True ends the search


@dataclass(frozen=True, slots=True)
class Thought:
    """An action, and what its player thought of it."""

    action: Action
    value: float  # expected result for the role that acts, -1 (lost) to 1 (won)
    line: tuple[str, ...]  # canonical actions expected from here on, the own one first
    nodes: int  # looked at
    depth: int  # actions seen ahead on the longest line; 0 where nothing was searched
    seed: int
    why: str = ""  # a stable word where there is more to say: a habit, "mistake", "solved"


class Player(Protocol):
    """One who plays one role of one game; what he remembers between turns only saves him work."""

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """An action out of `choices`, which are never empty.

        `view` is `Rules.view` for this role: nothing else of the game is known to him. Chance
        comes from `seed` alone.
        """


@dataclass(frozen=True, slots=True)
class Level:
    """How much a computer player of one game may spend at one level."""

    number: int  # 1 to 8
    nodes: int  # most nodes for one action
    seconds: float  # longest thought for one action, whatever the nodes
    needs_numba: bool = False  # too slow without compiled code
    resigns: bool = False  # gives up what is hopeless
