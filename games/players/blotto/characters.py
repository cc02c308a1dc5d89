"""Characters of the levels: habits that a person can find out and beat, up to the equilibrium.

A character is the set of its choices at a moment, with exact probabilities, and its memory. Its
behaviour depends on nothing else, so `games.players.blotto.exploitability` can compute what the
best reply to it earns. For the habits of levels 1 to 5 their weights are chosen so that this falls
from level to level. Levels 6 to 8 have no habits of their own but exploit the opponent's: a higher
level knows more habits and has a larger, still small, exploitability.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from games.players.blotto import equilibrium
from games.players.blotto.predictions import History, belief
from games.players.blotto.safety import safe_play
from games.players.blotto.splits import (
    FIELDS,
    INDEX,
    OUTCOME,
    SPLITS,
    Mix,
    even,
    mix_of_types,
)

Memory = Any  # hashable; None before the first round
ALL: Final = range(len(SPLITS))


@dataclass(frozen=True, slots=True)
class Part:
    """One choice of a character, with its probability."""

    weight: float  # the probability of this part
    why: str  # stable word for this habit
    mix: Mix
    belief: Mix | None = None  # assumed mix of the opponent; None: unknown


@dataclass(frozen=True, slots=True)
class Character:
    """Way to play: choices and memory."""

    parts: Callable[[int, int, Memory], tuple[Part, ...]]  # by rounds left, lead, memory
    remember: Callable[[Memory, int, int], Hashable]  # after a round: memory, own, theirs
    minds_own: bool = True  # whether its memory depends on its own split
    # Bound of the exploitability, proved in `safety`; too many memories for an exact computation.
    bound: float | None = None


def _optimal_part(weight: float) -> Part:
    """Return the optimal mix for one round."""
    return Part(weight, "equilibrium", equilibrium.one_round())


# 1: nearly all on a favourite field, the same in every round of a match


@cache
def _mass_on(field: int) -> Mix:
    """Return a mix with seven or eight troops on this field."""
    mix = mix_of_types({"8-1-1": 0.5, "7-2-1": 0.25, "8-2-0": 0.25})
    return tuple(
        FIELDS * chance if SPLITS[index].index(max(SPLITS[index])) == field else 0.0
        for index, chance in enumerate(mix)
    )


def _biggest(memory: Memory, own: int, theirs: int) -> int:
    """Return the field with the most own troops; the first of several."""
    return SPLITS[own].index(max(SPLITS[own]))


def _favourite(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    fields = range(FIELDS) if memory is None else (memory,)
    return tuple(Part(1 / len(fields), "favourite", _mass_on(field)) for field in fields)


# 2: a balanced split at first, then the opponent's last split


def _theirs(memory: Memory, own: int, theirs: int) -> int:
    return theirs


@cache
def _balanced_mix() -> Mix:
    return mix_of_types({"4-3-3": 0.4, "4-4-2": 0.3, "5-3-2": 0.3})


def _copies(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    if memory is None:
        return (Part(1.0, "even", _balanced_mix()),)
    return (Part(0.7, "copies", even([memory])), _optimal_part(0.3))


# 3: the same again after a won round, one field on after a lost one


def _own_and_result(memory: Memory, own: int, theirs: int) -> tuple[int, int]:
    return own, OUTCOME[own][theirs]


def _rotate_split(own: int) -> int:
    """Return the same numbers one field further, the last on the first."""
    return INDEX[(*SPLITS[own][-1:], *SPLITS[own][:-1])]


def _repeats(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    if memory is None or memory[1] == 0:
        return (_optimal_part(1.0),)
    own, result = memory
    if result > 0:
        return (Part(0.8, "repeats", even([own])), _optimal_part(0.2))
    return (Part(0.8, "shifts", even([_rotate_split(own)])), _optimal_part(0.2))


# 4: a split that would have won the last round


@cache
def _winners(theirs: int) -> Mix:
    """Return all splits that beat this one, except extremes that hardly ever win."""
    return even([own for own in ALL if OUTCOME[own][theirs] > 0 and max(SPLITS[own]) <= 7])


def _answers(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    if memory is None:
        return (_optimal_part(1.0),)
    return (Part(0.7, "answers", _winners(memory), even([memory])), _optimal_part(0.3))


# 5: the best reply to the opponent's average troops on each field


def _sums(memory: Memory, own: int, theirs: int) -> tuple[int, ...]:
    """Return the number of rounds, then the opponent's troops on each field but the last."""
    before = memory or (0,) * FIELDS
    return (before[0] + 1, *(n + m for n, m in zip(before[1:], SPLITS[theirs], strict=False)))


REACH_TROOPS: Final = 3.0  # distance from a field's average at which the probability is 0


@cache
def expected_splits(memory: tuple[int, ...]) -> Mix:
    """Return the splits around the average, less likely with distance on each field."""
    rounds, *sums = memory
    means = [n / rounds for n in sums]
    means.append(sum(SPLITS[0]) - sum(means))
    weights = []
    for split in SPLITS:
        weight = 1.0
        for troops, mean in zip(split, means, strict=True):
            weight *= max(0.0, REACH_TROOPS - abs(troops - mean))
        weights.append(weight)
    return tuple(weight / sum(weights) for weight in weights)


@cache
def best_replies(belief: Mix) -> Mix:
    """Return all splits with the highest expected gain against this mix, equally likely."""
    seen = [(index, chance) for index, chance in enumerate(belief) if chance]
    gains = [sum(OUTCOME[own][theirs] * chance for theirs, chance in seen) for own in ALL]
    return even([own for own in ALL if gains[own] > max(gains) - 1e-9])


def _learns(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    if memory is None:
        return (_optimal_part(1.0),)
    belief = expected_splits(memory)
    return (Part(0.4, "learns", best_replies(belief), belief), _optimal_part(0.6))


# 6 to 8: the equilibrium of the match, and against habits as much as is safe


def _history(memory: Memory, own: int, theirs: int) -> History:
    """Return all rounds so far."""
    return (*(memory or ()), (own, theirs))


def _adapting(budget: float, habits: str) -> Character:
    """Return a character that never loses more than a budget to the best reply."""

    def parts(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
        play = safe_play(memory or (), budget, habits)
        steady = Part(1.0 - play.share, "equilibrium", equilibrium.mix(left, lead))
        if not play.share:
            return (steady,)
        return (steady, Part(play.share, "adapts", play.reply, belief(memory or (), habits)))

    return Character(parts, _history, bound=budget)


CHARACTERS: Final[Mapping[int, Character]] = {
    1: Character(_favourite, _biggest),
    2: Character(_copies, _theirs, minds_own=False),
    3: Character(_repeats, _own_and_result),
    4: Character(_answers, _theirs, minds_own=False),
    5: Character(_learns, _sums, minds_own=False),
    6: _adapting(0.005, "keen"),
    7: _adapting(0.01, "keen"),
    8: _adapting(0.02, "shrewd"),
}
