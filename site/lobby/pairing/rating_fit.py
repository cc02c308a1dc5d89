"""Distance between the ratings of two searchers, and the game that fits both. Pure.

The distance is |Δr| · g, with g = 1 / √(1 + 3 (d₁² + d₂²) (ln 10 / 400)² / π²) of both deviations:
the greater the uncertainty of the ratings, the less the difference counts. The expected score of
the Glicko system is 1 / (1 + 10^(-g Δr / 400)) (Glickman, “Parameter estimation in large dynamic
paired comparison experiments”, Applied Statistics 48, 1999), so pairs at the same distance are
equally uneven.
"""

from collections.abc import Mapping, Sequence
from math import log, pi, sqrt
from typing import Final

from games.rating.standing import UNIT, Numbers
from lobby.pairing.pairing import Searcher, Terms

MAX_RATED_GAP: Final = 600  # points between two players of a rated game
VARIANCE_FACTOR: Final = 3 * (log(10) / 400 / pi) ** 2  # of deviations in points


class RatingFit:
    """Judges pairs by their ratings; `numbers` are those of each user by rules key."""

    def __init__(self, numbers: Mapping[int, Mapping[str, Numbers]]) -> None:
        self._known = {
            user: {key: _rating_and_variance(each) for key, each in pools.items()}
            for user, pools in numbers.items()
        }

    def __call__(
        self, one: Searcher, two: Searcher, common: Sequence[Terms]
    ) -> tuple[int, Terms] | None:
        """Return the least distance at which the two may play, and the choice that has it.

        Of equal ones the first is taken. None if each would be a rated game of players who are too
        far apart.
        """
        first, second = self._known[one.user], self._known[two.user]
        gaps: dict[str, tuple[float, int]] = {}  # by rules key, with the distance
        best: tuple[int, Terms] | None = None
        for terms in common:
            rules = terms.rules
            if rules not in gaps:
                gaps[rules] = _gap(first[rules], second[rules])
            gap, distance = gaps[rules]
            if terms.is_rated and gap > MAX_RATED_GAP:
                continue
            if best is None or distance < best[0]:
                best = distance, terms
        return best


def _rating_and_variance(numbers: Numbers) -> tuple[float, float]:
    """Return the rating in points, and the square of the deviation as it stands in the weight."""
    deviation = numbers.deviation / UNIT
    return numbers.rating / UNIT, VARIANCE_FACTOR * deviation * deviation


def _gap(one: tuple[float, float], two: tuple[float, float]) -> tuple[float, int]:
    """Return how many points two ratings are apart, and the distance: the same, weighted."""
    gap = abs(one[0] - two[0])
    return gap, round(gap / sqrt(1 + (one[1] + two[1])))
