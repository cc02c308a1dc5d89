"""Predict the next split of an opponent from those it has played in this match.

A hypothesis is a habit: a mix for the next round, given the rounds so far. The belief is the
average of all hypotheses, weighted by how likely each makes what has been seen (Bayes). One of them
is that the opponent has no habit and plays the optimal mix; it has half of the weight at first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Final

from games.players.blotto import equilibrium
from games.players.blotto.splits import (
    FIELDS,
    INDEX,
    OUTCOME,
    SPLITS,
    Mix,
    even,
    type_of,
)

History = tuple[tuple[int, int], ...]  # own and the opponent's split of each round, oldest first
Hypothesis = Callable[[History], Mix]
ALL: Final = range(len(SPLITS))
SLIP: Final = 0.15  # share of rounds in which an opponent does not follow its habit
NO_HABIT: Final = 0.5  # weight of no habit before the first round


@cache
def _noise() -> Mix:
    """Return the mix by which the rounds of an opponent without a habit are judged.

    It is optimal, and now and then anything, so that no split is impossible.
    """
    return tuple(0.8 * chance + 0.2 / len(SPLITS) for chance in equilibrium.one_round())


def _repeats(history: History) -> Mix:
    """The same split again."""
    return even([history[-1][1]])


@cache
def _orders(split: int) -> tuple[int, ...]:
    """Return all splits with the same numbers."""
    return tuple(index for index in ALL if type_of(SPLITS[index]) == type_of(SPLITS[split]))


def _same_numbers(history: History) -> Mix:
    """The same numbers, on any fields."""
    return even(list(_orders(history[-1][1])))


def _turned(split: int, steps: int) -> int:
    """Return the same numbers so many fields further."""
    numbers = SPLITS[split]
    return INDEX[tuple(numbers[(field - steps) % FIELDS] for field in range(FIELDS))]


def _turns(history: History) -> Mix:
    """The same numbers, one field further."""
    return even([_turned(history[-1][1], 1)])


def _turns_back(history: History) -> Mix:
    return even([_turned(history[-1][1], -1)])


def _last_winner(history: History) -> Mix:
    """The latest split with which it has won a round, else any."""
    won = [theirs for own, theirs in history if OUTCOME[theirs][own] > 0]
    return even([won[-1]]) if won else equilibrium.one_round()


def _to_lost_field(history: History) -> Mix:
    """Its largest force on the field that it has just lost."""
    own, theirs = history[-1]
    lost = [field for field in range(FIELDS) if SPLITS[own][field] > SPLITS[theirs][field]]
    chosen = [
        index
        for index in _orders(theirs)
        if any(SPLITS[index][field] == max(SPLITS[index]) for field in lost)
    ]
    return even(chosen) if chosen else even([theirs])


def _copies(history: History) -> Mix:
    """Our own split of the last round."""
    return even([history[-1][0]])


def _cycle(history: History) -> Mix:
    """The split of two rounds ago, or of three."""
    back = [history[-count][1] for count in (2, 3) if len(history) >= count]
    return even(back) if back else equilibrium.one_round()


KEEN: Final[tuple[Hypothesis, ...]] = (_repeats, _same_numbers, _last_winner)
SHREWD: Final[tuple[Hypothesis, ...]] = (
    _repeats,
    _same_numbers,
    _turns,
    _turns_back,
    _last_winner,
    _to_lost_field,
    _copies,
    _cycle,
)
SETS: Final[Mapping[str, tuple[Hypothesis, ...]]] = {
    "keen": KEEN,
    "shrewd": SHREWD,
}


@lru_cache(maxsize=4096)
def belief(history: History, name: str) -> Mix:
    """Return the chances of the opponent's next split by a set of hypotheses."""
    if not history:
        return equilibrium.one_round()
    habits = SETS[name]
    weights = [NO_HABIT, *((1.0 - NO_HABIT) / len(habits) for _ in habits)]
    for played in range(1, len(history)):
        before, seen = history[:played], history[played][1]
        likely = [mix[seen] for mix in _mixes(before, habits, _noise())]
        weights = [weight * chance for weight, chance in zip(weights, likely, strict=True)]
    total = sum(weights)
    mixes = _mixes(history, habits, equilibrium.one_round())
    return tuple(
        sum(weight * mix[index] for weight, mix in zip(weights, mixes, strict=True)) / total
        for index in ALL
    )


def _mixes(history: History, habits: tuple[Hypothesis, ...], rest: Mix) -> list[Mix]:
    """Return `rest`, the mix without a habit, then each habit's mix blended with it by SLIP."""
    mixes = [rest]
    for habit in habits:
        mix = habit(history)
        mixes.append(
            tuple((1.0 - SLIP) * own + SLIP * other for own, other in zip(mix, rest, strict=True))
        )
    return mixes
