"""Interface of the computer players: allowance, thought, player and level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from games.choices import Choices
from games.core import Action, Role, View
from games.players.time_management import ActionTime

SMALL_PLAYER_BYTES: Final = 1_024  # of a player without memory between steps


def never() -> bool:
    """Return False: no time limit, only nodes count."""
    return False


@dataclass(frozen=True, slots=True)
class Allowance:
    """Budget of a player for one action.

    With the default `is_over`, the same seed gives the same action.
    """

    nodes: int  # positions examined (simulations of a tree search)
    is_over: Callable[[], bool] = never  # called at least every 50 ms; True ends the search
    time: ActionTime | None = None  # time beyond the nodes; None: the search ends with them


@dataclass(frozen=True, slots=True)
class Thought:
    """An action and its player's evaluation."""

    action: Action
    value: float  # expected result for the role that acts, -1 (lost) to 1 (won)
    line: tuple[str, ...]  # expected canonical actions, beginning with the own one
    nodes: int  # positions examined
    depth: int  # actions on the longest line; 0 without a search
    seed: int
    why: str = ""  # stable word for the reason, if any: a habit, "mistake", "solved"


class Player(Protocol):
    """Player of one role of one game.

    Its memory between steps saves work, and makes a lapse last for a turn.
    """

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return an action out of `choices`, which are never empty.

        `view` is `Rules.view` for this role: the player knows nothing else of the game. All
        randomness comes from `seed`.
        """

    def ponder(self, view: View, role: Role, clock: Allowance) -> int:
        """Go on with the search of its last turn while the opponent is to act.

        `view` is `Rules.view` for this role. Runs at most `clock.nodes` simulations and returns how
        many. The next `choose` begins with what they have found, so its result no longer follows
        from its seed alone; `Thought.nodes` does not count them. A player without a search that
        outlasts its turn runs none.
        """
        return 0

    @property
    def nbytes(self) -> int:
        """The bytes of memory that it holds between steps, about; what players share is not in it.

        A player with memory of its own overrides it.
        """
        return SMALL_PLAYER_BYTES


@dataclass(frozen=True, slots=True)
class Level:
    """Budget of a computer player at one level of one game."""

    number: int  # 1 to 8
    nodes: int  # maximum for one action
    seconds: float  # maximum for one action, whatever the nodes
    needs_numba: bool = False  # too slow without compiled code
    uses_clock: bool = False  # thinks beyond its nodes while its time allows
    ponders: bool = False  # thinks on the opponent's time too
