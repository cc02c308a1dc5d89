"""Who plays at each level: habits that a person can find out and beat, up to the equilibrium.

A character is what it may do at a moment, with exact probabilities, and what it remembers. That is
all its behaviour depends on, so that `games.players.blotto.exploit` can work out what the best
reply to it earns; the weights of the habits are chosen so that this falls from level to level.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from games.players.blotto import equilibrium
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
    """One thing that a character may do now."""

    weight: float  # the probability of this part
    why: str  # a word for it
    mix: Mix
    belief: Mix | None = None  # what it takes the other side to play; None: no idea


@dataclass(frozen=True, slots=True)
class Character:
    """A way to play."""

    parts: Callable[[int, int, Memory], tuple[Part, ...]]  # by rounds left, lead, memory
    remember: Callable[[Memory, int, int], Hashable]  # after a round: memory, own, theirs
    minds_own: bool = True  # whether its own split matters to what it remembers


def _calm(weight: float) -> Part:
    """The optimal mix for one round."""
    return Part(weight, "equilibrium", equilibrium.one_round())


def _nothing(memory: Memory, own: int, theirs: int) -> None:
    """Remembers nothing."""


# 1: nearly all on a favourite field, the same in every round of a match


@cache
def _massed(field: int) -> Mix:
    """Seven or eight on this field."""
    mix = mix_of_types({"8-1-1": 0.5, "7-2-1": 0.25, "8-2-0": 0.25})
    return tuple(
        FIELDS * chance if SPLITS[index].index(max(SPLITS[index])) == field else 0.0
        for index, chance in enumerate(mix)
    )


def _biggest(memory: Memory, own: int, theirs: int) -> int:
    """The field of the most own troops; the first of several."""
    return SPLITS[own].index(max(SPLITS[own]))


def _favourite(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    fields = range(FIELDS) if memory is None else (memory,)
    return tuple(Part(1 / len(fields), "favourite", _massed(field)) for field in fields)


# 2: rather even at first, then what the other side played last


def _theirs(memory: Memory, own: int, theirs: int) -> int:
    return theirs


@cache
def _balanced() -> Mix:
    return mix_of_types({"4-3-3": 0.4, "4-4-2": 0.3, "5-3-2": 0.3})


def _copies(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    if memory is None:
        return (Part(1.0, "even", _balanced()),)
    return (Part(0.7, "copies", even([memory])), _calm(0.3))


# 3: the same again after a won round, one field on after a lost one


def _own_and_result(memory: Memory, own: int, theirs: int) -> tuple[int, int]:
    return own, OUTCOME[own][theirs]


def _moved_on(own: int) -> int:
    """The same numbers one field further, the last on the first."""
    return INDEX[(*SPLITS[own][-1:], *SPLITS[own][:-1])]


def _repeats(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    if memory is None or memory[1] == 0:
        return (_calm(1.0),)
    own, result = memory
    if result > 0:
        return (Part(0.8, "repeats", even([own])), _calm(0.2))
    return (Part(0.8, "shifts", even([_moved_on(own)])), _calm(0.2))


# 4: what would have won the last round


@cache
def _winners(theirs: int) -> Mix:
    """All that beat this split, but for the extremes that hardly ever win."""
    return even([own for own in ALL if OUTCOME[own][theirs] > 0 and max(SPLITS[own]) <= 7])


def _answers(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    if memory is None:
        return (_calm(1.0),)
    return (Part(0.7, "answers", _winners(memory), even([memory])), _calm(0.3))


# 5: counts what the other side sends to each field, and plays the best reply to its average


def _sums(memory: Memory, own: int, theirs: int) -> tuple[int, ...]:
    """The rounds so far, then the troops of the other side on each field but the last."""
    before = memory or (0,) * FIELDS
    return (before[0] + 1, *(n + m for n, m in zip(before[1:], SPLITS[theirs], strict=False)))


REACH: Final = 3.0  # troops off the average of a field at which nothing is expected any more


@cache
def expected(memory: tuple[int, ...]) -> Mix:
    """The splits around the average, the less likely the further off on each field."""
    rounds, *sums = memory
    means = [n / rounds for n in sums]
    means.append(sum(SPLITS[0]) - sum(means))
    weights = []
    for split in SPLITS:
        weight = 1.0
        for troops, mean in zip(split, means, strict=True):
            weight *= max(0.0, REACH - abs(troops - mean))
        weights.append(weight)
    return tuple(weight / sum(weights) for weight in weights)


@cache
def best_replies(belief: Mix) -> Mix:
    """All splits that win most often and lose least often against this, alike."""
    seen = [(index, chance) for index, chance in enumerate(belief) if chance]
    gains = [sum(OUTCOME[own][theirs] * chance for theirs, chance in seen) for own in ALL]
    return even([own for own in ALL if gains[own] > max(gains) - 1e-9])


def _learns(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    if memory is None:
        return (_calm(1.0),)
    belief = expected(memory)
    return (Part(0.4, "learns", best_replies(belief), belief), _calm(0.6))


# 6: nearly the optimal mix, but its largest force likes to move to the next field


@cache
def _with_biggest_on(field: int) -> Mix:
    """The part of the optimal mix that has its largest force there, scaled up."""
    mix = equilibrium.one_round()
    kept = [
        chance if _biggest(None, index, 0) == field else 0.0 for index, chance in enumerate(mix)
    ]
    return tuple(chance / sum(kept) for chance in kept)


def _wanders(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    if memory is None:
        return (_calm(1.0),)
    return (Part(0.2, "wanders", _with_biggest_on((memory + 1) % FIELDS)), _calm(0.8))


# 7 and 8: the optimal mix for a round whatever the score, and that for the match


def _steady(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    return (_calm(1.0),)


def _perfect(left: int, lead: int, memory: Memory) -> tuple[Part, ...]:
    return (Part(1.0, "equilibrium", equilibrium.mix(left, lead)),)


CHARACTERS: Final[Mapping[int, Character]] = {
    1: Character(_favourite, _biggest),
    2: Character(_copies, _theirs, minds_own=False),
    3: Character(_repeats, _own_and_result),
    4: Character(_answers, _theirs, minds_own=False),
    5: Character(_learns, _sums, minds_own=False),
    6: Character(_wanders, _biggest),
    7: Character(_steady, _nothing, minds_own=False),
    8: Character(_perfect, _nothing, minds_own=False),
}
