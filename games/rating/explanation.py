"""The arithmetic of one change of a rating, in the terms in which a page states it."""

from __future__ import annotations

from dataclasses import dataclass

from games.rating.exact import sqrt
from games.rating.glicko2 import SCALE, expected_score, weight
from games.rating.standing import UNIT, Numbers


@dataclass(frozen=True, slots=True)
class Explanation:
    """A change of a rating: `points_a_score` × (`score` − `expected`), in points.

    The stored change differs where a bound of `games.rating.standing` cut it off.
    """

    expected: float  # 0 to 1
    score: float  # 1, 0.5 or 0
    points_a_score: float  # change in points for each whole point above the expectation

    @property
    def change(self) -> float:
        """The change of the rating in points."""
        return self.points_a_score * (self.score - self.expected)


def explain(own: Numbers, opponent: Numbers, score: float, edge: int = 0) -> Explanation:
    """Explain the change of `own` by a game, from both sides' numbers before it.

    `edge` is the advantage of this side by moving first, in thousandths of a point. The factor is
    that of steps 7 and 8 of Glickman's paper (see `games.rating.glicko2`), in points: with one game
    the volatility has no part in it.
    """
    deviation = opponent.deviation / UNIT
    expected = expected_score((own.rating + edge - opponent.rating) / UNIT, deviation)
    g, phi = weight(deviation), own.deviation / UNIT / SCALE
    information = g * g * expected * (1.0 - expected)
    new_phi = 1.0 / sqrt(1.0 / (phi * phi) + information)
    return Explanation(expected, score, SCALE * g * new_phi * new_phi)
