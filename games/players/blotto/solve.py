"""Compute the equilibrium for winning the match, by linear programming. Needs scipy.

A match that is won counts 1, drawn 0, lost -1; only the lead in won rounds matters. With `left`
rounds to go it is a zero-sum game over one round whose pay-off is the value of the next round; its
optimal mix is a linear program (J. von Neumann; G. Dantzig), solved from the last round backwards.
The rules treat all fields alike, so some optimal mix gives all orders of a split the same
probability, and the program needs one variable for each type of split.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np
from scipy.optimize import linprog

from games.players.blotto.splits import ORDERS, OUTCOME, ROUNDS, SPLITS, TYPES, type_of

VALUE_SLACK: Final = 1e-9  # loss of value allowed to the second program
PROBABILITY_DIGITS: Final = 6  # kept in the table
Array = Any  # a numpy array


def _shares(sign: int) -> Array:
    """Return each type's probability of this outcome against each, over all orders."""
    member = np.array([[type_of(split) == name for split in SPLITS] for name in TYPES], float)
    hits = np.array(OUTCOME) == sign
    sizes = np.array([ORDERS[name] for name in TYPES], float)
    return member @ hits @ member.T / np.outer(sizes, sizes)


SHARES: Final[Mapping[int, Array]] = {sign: _shares(sign) for sign in (-1, 0, 1)}


@cache
def value(left: int, lead: int) -> float:
    """Return the expected result of the match with best play on both sides, -1 to 1."""
    if lead < 0:
        return -value(left, -lead)
    if lead == 0 or lead > left:
        return float(lead > 0)
    return _program(_pay_off(left, lead))[0]


def _pay_off(left: int, lead: int) -> Array:
    """Return the value after a round for each pair of types."""
    return sum(SHARES[sign] * value(left - 1, lead + sign) for sign in SHARES)


def _program(pay_off: Array) -> tuple[float, Array]:
    """Return the value of the game and an optimal mix of types.

    Among all optimal mixes, minimises the probability of the likeliest split: the hardest to guess.
    """
    count = len(TYPES)
    ones = np.ones((count, 1))
    sums = {"A_eq": [[1.0] * count + [0.0]], "b_eq": [1.0]}
    goal = [0.0] * count + [-1.0]
    bounds = [(0, 1)] * count + [(None, None)]
    first = linprog(
        goal, A_ub=np.hstack([-pay_off.T, ones]), b_ub=np.zeros(count), bounds=bounds, **sums
    )
    best = -first.fun
    sizes = np.array([ORDERS[name] for name in TYPES], float)
    holds = np.vstack([np.hstack([-pay_off.T, 0 * ones]), np.hstack([np.diag(1 / sizes), -ones])])
    limits = np.concatenate([np.full(count, VALUE_SLACK - best), np.zeros(count)])
    second = linprog([0.0] * count + [1.0], A_ub=holds, b_ub=limits, bounds=bounds, **sums)
    return best, second.x[:count]


def mix(left: int, lead: int) -> dict[str, float]:
    """Return an optimal mix of types, rounded; if the match is decided, that for a single round."""
    if abs(lead) > left:
        return mix(1, 0)
    chances = _program(_pay_off(left, lead))[1]
    rounded = {
        name: round(float(chance), PROBABILITY_DIGITS)
        for name, chance in zip(TYPES, chances, strict=True)
        if chance > 10.0**-PROBABILITY_DIGITS
    }
    likeliest = max(rounded, key=lambda name: rounded[name])
    rounded[likeliest] = round(rounded[likeliest] + 1.0 - sum(rounded.values()), PROBABILITY_DIGITS)
    return rounded


def table() -> dict[str, dict[str, Any]]:
    """Return value and mix by rounds left and lead, for all situations of a match."""
    return {
        str(left): {
            str(lead): {
                "value": round(value(left, lead), PROBABILITY_DIGITS),
                "mix": mix(left, lead),
            }
            for lead in range(left - ROUNDS, ROUNDS - left + 1)
        }
        for left in range(1, ROUNDS + 1)
    }
