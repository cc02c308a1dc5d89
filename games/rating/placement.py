"""Placement: a newcomer's first rating from games against levels of the computer.

Each game is against the level nearest to the estimate so far. A bisection between the highest level
beaten and the lowest that won was tried: one lucky game misleads it for good. For strengths of
1500 ± 250 its mean error was 155 points, that of six games of this search 106.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from games.rating.pools import DEFAULT_TAU
from games.rating.standing import MIN_DEVIATION, START, UNIT, Numbers, Standing, rate_side

LEVELS: Final = 8
MAX_GAMES: Final = 6
PLACED_DEVIATION: Final = 250 * UNIT  # people's games shall soon count for more

Outcome = Literal["won", "drawn", "lost"]  # for the newcomer
SCORES: Final[dict[Outcome, float]] = {"won": 1.0, "drawn": 0.5, "lost": 0.0}


@dataclass(frozen=True, slots=True)
class PlacementGame:
    """A newcomer's game against a level, 1 to 8."""

    level: int
    result: Outcome


class NotNext(ValueError):
    """A game is not against the level that the search asks for; `str` is an English sentence."""


def next_level(games: Sequence[PlacementGame], anchors: Sequence[int]) -> int | None:
    """Return the level of the next game, None after the last.

    `anchors` are the ratings of the eight levels in thousandths of a point. Raises NotNext.
    """
    estimate = _estimate(games, anchors)
    return None if len(games) >= MAX_GAMES else _nearest(estimate.rating, anchors)


def place(games: Sequence[PlacementGame], anchors: Sequence[int], at: int) -> Standing:
    """Return the first standing by one to six games, the last of which ended at `at` (epoch ms).

    `anchors` are as in `next_level`. Raises NotNext, also without a game or with too many.
    """
    if not 0 < len(games) <= MAX_GAMES:
        raise NotNext(f"A placement has 1 to {MAX_GAMES} games.")
    rating = _estimate(games, anchors).rating
    return Standing(Numbers(rating, PLACED_DEVIATION, START.volatility), at)


def _estimate(games: Sequence[PlacementGame], anchors: Sequence[int]) -> Numbers:
    """Return the numbers after rating the games one by one against opponents of fixed rating."""
    estimate = START
    for game in games:
        level = _nearest(estimate.rating, anchors)
        if game.level != level:
            raise NotNext(f"Placement asks for level {level}, not {game.level}.")
        opponent = Numbers(anchors[level - 1], MIN_DEVIATION, START.volatility)
        estimate = rate_side(estimate, opponent, SCORES[game.result], DEFAULT_TAU, 0)
    return estimate


def _nearest(rating: int, anchors: Sequence[int]) -> int:
    """Return the level nearest to a rating, the lower one of two."""
    return min(range(1, LEVELS + 1), key=lambda level: abs(anchors[level - 1] - rating))
