"""Random player, the lowest yardstick: all actions are equally likely."""

from __future__ import annotations

from random import Random

from games.choices import Choices
from games.core import Action, Role, View
from games.players.core import Allowance, Player, Thought


class RandomPlayer(Player):
    """Player without knowledge."""

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return a random action."""
        action = choices.sample(Random(seed))
        return Thought(action, 0.0, (str(action),), 1, 0, seed)
