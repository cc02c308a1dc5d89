"""OpenSpiel's tree search with random rollouts: a yardstick for Amazons 10×10.

Needs the module `pyspiel` (the extra "yardsticks"). OpenSpiel's game "amazons" takes three actions
a turn (from, to, shoot), each a square numbered 0 to 99 row by row from the top; its first player
starts on the low edge, like our white.
"""

from __future__ import annotations

from typing import Any, Final

from games.choices import Choices
from games.core import Action, Role, View
from games.grid import UP
from games.moves import Fire, Move
from games.players.core import Allowance, Player, Thought

BOARD_SIZE: Final = 10  # rows and columns
EXPLORATION: Final = 2.0  # the constant of OpenSpiel's own example of this search
MAX_TREE_MB: Final = 1000  # a new tree for each action
SEED_COUNT: Final = 2**31


def number_of(square: int) -> int:
    """Return OpenSpiel's number of a square of `games.grid`."""
    return (BOARD_SIZE - square // UP) * BOARD_SIZE + square % UP - 1


def square_of(number: int) -> int:
    """Return the square of `games.grid` with this number in OpenSpiel."""
    return (BOARD_SIZE - number // BOARD_SIZE) * UP + number % BOARD_SIZE + 1


def numbers_of(action: Action) -> tuple[int, ...]:
    """Return OpenSpiel's actions for one of ours."""
    if isinstance(action, Move):
        return number_of(action.origin), number_of(action.target)
    assert isinstance(action, Fire)
    return (number_of(action.arrow),)


class OutOfStep(RuntimeError):
    """OpenSpiel does not allow an action that our rules allow."""


class Spiel(Player):
    """`Follower` that knows the game from the actions it is told, not from the view."""

    def __init__(self, simulations: int) -> None:
        import pyspiel

        self._spiel: Any = pyspiel
        self._simulations = simulations  # for each of OpenSpiel's actions
        self._game: Any = pyspiel.load_game("amazons")
        self._state: Any = self._game.new_initial_state()

    def follow(self, action: Action) -> None:
        """Apply the action to OpenSpiel's state. Raises OutOfStep."""
        for number in numbers_of(action):
            if number not in self._state.legal_actions():
                raise OutOfStep(f"OpenSpiel does not allow {action} in\n{self._state}")
            self._state.apply_action(number)

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Search once for each of the one or two squares, ignoring the clock."""
        search = self._search(seed % SEED_COUNT)
        state = self._state.clone()
        first = search.step(state)
        action: Action = Fire(square_of(first))
        if view["step"] == "move":
            state.apply_action(first)
            action = Move(square_of(first), square_of(search.step(state)))
        nodes = self._simulations * len(numbers_of(action))
        return Thought(action, 0.0, (str(action),), nodes, 0, seed)

    def _search(self, seed: int) -> Any:
        rollouts = self._spiel.RandomRolloutEvaluator(1, seed)
        return self._spiel.MCTSBot(
            self._game, rollouts, EXPLORATION, self._simulations, MAX_TREE_MB, True, seed, False
        )
