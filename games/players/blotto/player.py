"""The computer player of Blotto: a character and a seed. It needs nothing compiled."""

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

LOOKED_AT: Final = len(SPLITS)  # nodes: every split is weighed


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands for a role."""

    left: int  # rounds to go, this one included
    lead: int  # rounds won more than lost
    memory: Memory


def standing(character: Character, view: View, role: Role) -> Standing:
    """What a character makes of the rounds played."""
    memory, lead = None, 0
    for splits in view["splits"]:
        own, theirs = (INDEX[tuple(splits[side])] for side in (role, OTHER[role]))
        memory = character.remember(memory, own, theirs)
        lead += OUTCOME[own][theirs]
    return Standing(ROUNDS - len(view["splits"]), lead, memory)


@dataclass(frozen=True, slots=True)
class Commander:
    """Remembers nothing between turns: all is read from the view."""

    character: Character

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """A split drawn from the character's mix; the clock is not needed."""
        now = standing(self.character, view, role)
        parts = self.character.parts(now.left, now.lead, now.memory)
        rng = Random(seed)
        (part,) = rng.choices(parts, [part.weight for part in parts])
        (index,) = rng.choices(range(len(SPLITS)), part.mix)
        action = Troops(SPLITS[index])
        value = expected(now, index, part)
        return Thought(action, value, (str(action),), LOOKED_AT, 0, seed, part.why)


def expected(now: Standing, own: int, part: Part) -> float:
    """The result to expect, -1 to 1: of this split against what the character takes the other side
    to play, then best play of both; where it has no idea of that, of best play from here."""
    if part.belief is None:
        return equilibrium.value(now.left, now.lead)
    hoped = sum(
        chance * equilibrium.value(now.left - 1, now.lead + OUTCOME[own][theirs])
        for theirs, chance in enumerate(part.belief)
        if chance
    )
    return max(-1.0, min(1.0, hoped))  # the chances add up to 1 but for rounding


def player_of(key: str, number: int) -> Player:
    """A player of a level."""
    return Commander(CHARACTERS[number])


def warm() -> None:
    """Reads the table."""
    equilibrium.table()
