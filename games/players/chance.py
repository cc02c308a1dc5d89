"""A player who takes any action, each as likely as any other: the lowest yardstick."""

from __future__ import annotations

from random import Random

from games.choices import Choices
from games.core import Action, Role, View
from games.players.core import Allowance, Thought


class Chance:
    """Knows nothing."""

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Any action."""
        action = choices.sample(Random(seed))
        return Thought(action, 0.0, (str(action),), 1, 0, seed)
