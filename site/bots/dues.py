"""What a computer player has to do in a game, as the game stands: pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bots import budget
from games.core import ROLES, Role
from play.live import Live

PACE: Mapping[str, int] = {"split": 6_000, "path": 2_500}  # ms between two goes of an exhibition
Key = tuple[str, Role]  # slug and seat


@dataclass(frozen=True, slots=True)
class Due:
    """One thing that a computer player has to do."""

    live: Live
    role: Role
    what: Literal["go", "draw", "takeback"]  # play on, or answer that offer
    at: int  # epoch ms, not before
    is_exhibition: bool = False

    @property
    def key(self) -> Key:
        """The seat that it concerns."""
        return self.live.slug, self.role

    @property
    def rank(self) -> tuple[bool, float, int]:
        """People before exhibitions, then the shortest time, then what has waited longest."""
        return self.is_exhibition, budget.in_a_hurry(self.live, self.role), self.live.times.since


def dues_of(live: Live, is_exhibition: bool = False) -> tuple[Due, ...]:
    """Everything that computer players have to do in a game; most often nothing."""
    bots = [role for role in ROLES if live.people[role].bot]
    if live.ending:
        return ()
    answers = [
        Due(live, role, what, offer.at + budget.FOLLOW)
        for what, offer in live.offers.items()
        for role in bots
        if role != offer.by
    ]
    pace = live.times.since + PACE[live.rules.kind]
    goes = [
        Due(live, role, "go", pace if is_exhibition else budget.earliest(live, role), is_exhibition)
        for role in bots
        if role in live.waiting
    ]
    return (*answers, *goes)


def is_same(one: Live, other: Live, role: Role) -> bool:
    """Whether a thought about a game is still one about it: same turn, running, not yet sealed."""
    same = (one.turn, one.takebacks) == (other.turn, other.takebacks)
    return same and role in other.waiting
