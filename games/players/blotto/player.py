"""Computer player of Blotto: a character and a seed. Works without numba."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from games.blotto import Troops
from games.choices import Choices
from games.core import OTHER, Action, Role, View
from games.players.blotto import equilibrium
from games.players.blotto.characters import CHARACTERS, Character, Memory, Part
from games.players.blotto.splits import INDEX, OUTCOME, ROUNDS, SPLITS
from games.players.core import Allowance, Player, Thought

SPLIT_COUNT: Final = len(SPLITS)  # reported as nodes: every split is weighed


@dataclass(frozen=True, slots=True)
class Standing:
    """Standing of a match for a role."""

    left: int  # rounds left, this one included
    lead: int  # rounds won minus rounds lost
    memory: Memory


def standing(character: Character, view: View, role: Role) -> Standing:
    """Return the standing and the character's memory of the rounds played."""
    memory, lead = None, 0
    for splits in view["splits"]:
        own, theirs = (INDEX[tuple(splits[side])] for side in (role, OTHER[role]))
        memory = character.remember(memory, own, theirs)
        lead += OUTCOME[own][theirs]
    return Standing(ROUNDS - len(view["splits"]), lead, memory)


@dataclass(frozen=True, slots=True)
class Commander(Player):
    """Player without memory between steps: it reads everything from the view."""

    character: Character

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return a split drawn from the character's mix, ignoring the clock."""
        now = standing(self.character, view, role)
        parts = self.character.parts(now.left, now.lead, now.memory)
        rng = Random(seed)
        (part,) = rng.choices(parts, [part.weight for part in parts])
        (index,) = rng.choices(range(len(SPLITS)), part.mix)
        action = Troops(SPLITS[index])
        value = expected_result(now, index, part)
        return Thought(action, value, (str(action),), SPLIT_COUNT, 0, seed, part.why)


def expected_result(now: Standing, own: int, part: Part) -> float:
    """Return the expected result of this split, -1 to 1.

    Assumes the character's belief about the opponent, then best play of both; without a belief,
    best play from here on.
    """
    if part.belief is None:
        return equilibrium.value(now.left, now.lead)
    hoped = sum(
        chance * equilibrium.value(now.left - 1, now.lead + OUTCOME[own][theirs])
        for theirs, chance in enumerate(part.belief)
        if chance
    )
    return max(-1.0, min(1.0, hoped))  # the chances add up to 1 but for rounding


def player_of(key: str, number: int) -> Player:
    """Return a player of a level."""
    return Commander(CHARACTERS[number])


def warm() -> None:
    """Load the table."""
    equilibrium.table()
