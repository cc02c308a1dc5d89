"""A person's rating in a pool, as integers, and its change by one game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from games.rating.glicko2 import Result, Strength, aged_deviation, update

UNIT: Final = 1000  # of ratings and deviations: thousandths of a point
VOLATILITY_UNIT: Final = 1_000_000_000
DAY_MS: Final = 86_400_000
PERIODS_A_DAY: Final = 0.21436  # deviation 60 grows to 110 in a year, as on lichess

MIN_DEVIATION: Final = 45 * UNIT
MAX_DEVIATION: Final = 350 * UNIT
MAX_VOLATILITY: Final = 100_000_000
MIN_RATING: Final = 100 * UNIT
MAX_RATING: Final = 4000 * UNIT
MAX_CHANGE: Final = 350 * UNIT  # by one game
ESTABLISHED_DEVIATION: Final = 110 * UNIT  # at most, for a rating that others may start from


class Numbers(NamedTuple):
    """A rating and its deviation in thousandths of a point; the volatility in units of 10⁻⁹."""

    rating: int
    deviation: int
    volatility: int


START: Final = Numbers(1500 * UNIT, MAX_DEVIATION, 60_000_000)


def rate_side(own: Numbers, opponent: Numbers, score: float, tau: float, edge: int) -> Numbers:
    """Return one side's numbers after a game, from both sides' at its end.

    `score` is 1, 0.5 or 0. `tau` limits the change of the volatility. `edge` is the advantage of
    this side by moving first, negative for the other, in thousandths of a point.
    """
    player = Strength(own.rating / UNIT, own.deviation / UNIT, own.volatility / VOLATILITY_UNIT)
    result = Result((opponent.rating - edge) / UNIT, opponent.deviation / UNIT, score)
    new = update(player, [result], tau)
    rating = round(new.rating * UNIT)
    rating = _clamp(rating, own.rating - MAX_CHANGE, own.rating + MAX_CHANGE)
    return Numbers(
        _clamp(rating, MIN_RATING, MAX_RATING),
        _clamp(round(new.deviation * UNIT), MIN_DEVIATION, MAX_DEVIATION),
        min(round(new.volatility * VOLATILITY_UNIT), MAX_VOLATILITY),
    )


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's numbers in a pool, as they were after the last game.

    `at` is the time of that game in epoch milliseconds, `games` counts rated games. The deviation
    of a standing without a rated game does not grow.
    """

    numbers: Numbers = START
    at: int = 0
    games: int = 0

    def numbers_at(self, at: int) -> Numbers:
        """Return the numbers at a time (epoch ms): the deviation has grown since the last game.

        A time before the last game, as after a step of a clock, counts as the time of that game.
        """
        if not self.games:
            return self.numbers
        rating, deviation, volatility = self.numbers
        periods = max(0, at - self.at) / DAY_MS * PERIODS_A_DAY
        aged = aged_deviation(deviation / UNIT, volatility / VOLATILITY_UNIT, periods)
        return Numbers(rating, min(round(aged * UNIT), MAX_DEVIATION), volatility)

    def lower_bound(self, at: int) -> int:
        """Return rating − 2 deviations at a time (epoch ms): boards are sorted by it."""
        now = self.numbers_at(at)
        return now.rating - 2 * now.deviation

    def is_established(self, at: int) -> bool:
        """Return whether the rating is certain enough to start another pool from."""
        return self.games > 0 and self.numbers_at(at).deviation <= ESTABLISHED_DEVIATION

    def plus_game(self, numbers: Numbers, at: int) -> Standing:
        """Return the standing after a rated game that left these numbers."""
        return Standing(numbers, max(self.at, at), self.games + 1)
