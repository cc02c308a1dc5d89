"""First-move advantage of a game, fitted to its rated games by logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.rating.exact import sqrt
from games.rating.glicko2 import SCALE, logistic, weight
from games.rating.standing import UNIT, Numbers

MIN_GAMES: Final = 300  # with fewer the advantage counts as 0
MAX_ADVANTAGE: Final = 60 * UNIT
MAX_STEPS: Final = 50  # of Newton's method; it takes under 10
TOLERANCE: Final = 1e-9  # on Glicko-2's own scale


@dataclass(frozen=True, slots=True)
class Meeting:
    """A rated game as the fit sees it.

    `difference` is white's rating minus black's on Glicko-2's own scale, `weight` the weight of
    the result by the uncertainty of both, `score` white's score.
    """

    difference: float
    weight: float
    score: float


def meeting(white: Numbers, black: Numbers, score: float) -> Meeting:
    """Return a game for the fit, from both sides' numbers before it and white's score."""
    own, other = white.deviation / UNIT, black.deviation / UNIT
    difference = (white.rating - black.rating) / UNIT / SCALE
    return Meeting(difference, weight(sqrt(own * own + other * other)), score)


def first_move_advantage(meetings: Sequence[Meeting]) -> int:
    """Return the likeliest advantage of white, in thousandths of a point, at most ±60 points.

    0 with fewer than 300 games. The sum is taken in the order of the games.
    """
    if len(meetings) < MIN_GAMES:
        return 0
    limit = MAX_ADVANTAGE / UNIT / SCALE
    advantage = 0.0
    for _ in range(MAX_STEPS):
        slope = curvature = 0.0
        for each in meetings:
            expected = logistic(each.weight * (each.difference + advantage))
            slope += each.weight * (each.score - expected)
            curvature += each.weight * each.weight * expected * (1.0 - expected)
        change = slope / curvature
        # The likelihood has one maximum, so the nearest point inside the limits is the answer.
        moved = max(-limit, min(advantage + change, limit))
        if abs(moved - advantage) <= TOLERANCE:
            break
        advantage = moved
    return max(-MAX_ADVANTAGE, min(round(moved * SCALE * UNIT), MAX_ADVANTAGE))
