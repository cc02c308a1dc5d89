"""Five habits of people in Blotto, as opponents to measure the levels against.

Each begins with a split of the optimal mix for one round, so the first round gives nothing away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from games.blotto import Troops
from games.choices import Choices
from games.core import OTHER, Action, Role, View
from games.players.blotto import equilibrium
from games.players.blotto.splits import FIELDS, INDEX, OUTCOME, SPLITS, type_of
from games.players.core import Allowance, Player, Thought

Rounds = list[tuple[int, int]]  # own and the opponent's split of each round


def _any(random: Random) -> int:
    return random.choices(range(len(SPLITS)), equilibrium.one_round())[0]


def _orders(split: int) -> list[int]:
    return [index for index, each in enumerate(SPLITS) if type_of(each) == type_of(SPLITS[split])]


def _same_split(rounds: Rounds, random: Random) -> int:
    """The same split in every round."""
    return rounds[-1][0]


def _same_numbers(rounds: Rounds, random: Random) -> int:
    """The same numbers in every round, on random fields."""
    return random.choice(_orders(rounds[-1][0]))


def _cycle(rounds: Rounds, random: Random) -> int:
    """The same numbers, each round one field further."""
    numbers = SPLITS[rounds[-1][0]]
    return INDEX[(*numbers[-1:], *numbers[:-1])]


def _last_winner(rounds: Rounds, random: Random) -> int:
    """The latest own split that has won a round; before there is one, anything."""
    won = [own for own, theirs in rounds if OUTCOME[own][theirs] > 0]
    return won[-1] if won else _any(random)


def _to_lost_field(rounds: Rounds, random: Random) -> int:
    """The largest force on a field that was lost in the last round; else the same split."""
    own, theirs = rounds[-1]
    lost = [field for field in range(FIELDS) if SPLITS[own][field] < SPLITS[theirs][field]]
    if not lost:
        return own
    field = random.choice(lost)
    there = [index for index in _orders(own) if SPLITS[index][field] == max(SPLITS[index])]
    return random.choice(there)


HABITS: Final[Mapping[int, Callable[[Rounds, Random], int]]] = {
    1: _same_split,
    2: _same_numbers,
    3: _cycle,
    4: _last_winner,
    5: _to_lost_field,
}


@dataclass(frozen=True, slots=True)
class Habit(Player):
    """Player with one of `HABITS`, by its number."""

    number: int

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return the split of the habit; see `games.players.core.Player`."""
        rounds = [
            (INDEX[tuple(splits[role])], INDEX[tuple(splits[OTHER[role]])])
            for splits in view["splits"]
        ]
        random = Random(seed)
        split = HABITS[self.number](rounds, random) if rounds else _any(random)
        action = Troops(SPLITS[split])
        return Thought(action, 0.0, (str(action),), 1, 0, seed, "habit")
