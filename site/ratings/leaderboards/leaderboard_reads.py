"""Read leaderboards for pages: keyset pages by position, in a fixed number of statements.

Users suspended or deleted since the pass are left out here; the places of the others stay the same
until the next pass.
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import Q, QuerySet

from games.rating.pools import POOLS, Pool, Speed
from ratings.leaderboards.ranking import MIN_NAMES
from ratings.models import CombinedRow, LeaderboardPass, LeaderboardRow

ROWS_A_PAGE = 50
TOP_ROWS = 5
SPARE_ROWS = 5  # read beyond the top, in case some of them have left since the pass
IS_LISTED = Q(person__user__is_active=True, person__user__is_guest=False)


class LeaderboardLine(NamedTuple):
    """A row of a leaderboard as pages read it; ratings in thousandths of a point."""

    position: int
    place: int
    name: str
    rating: int
    deviation: int
    games: int
    week_change: int | None
    rounds: int = 0  # of Blotto, and their mean points against the equilibrium, in thousandths
    round_points: int | None = None


class CombinedLine(NamedTuple):
    """A row of the combined table; the score is in thousandths of a percent."""

    position: int
    place: int
    name: str
    score: int
    leaderboards: int


LINE = (
    "position",
    "place",
    "person__user__username",
    "rating",
    "deviation",
    "games",
    "week_change",
    "rounds",
    "round_points",
)
COMBINED_LINE = ("position", "place", "person__user__username", "score", "leaderboards")


def read_board(shown: LeaderboardPass, pool: Pool, after: int = 0) -> list[LeaderboardLine]:
    """Return the rows of a leaderboard after a position, one more than fit on a page."""
    rows = _rows_of(shown, pool).filter(position__gt=after).order_by("position")
    return [LeaderboardLine(*row) for row in rows.values_list(*LINE)[: ROWS_A_PAGE + 1]]


def count_first_names(shown: LeaderboardPass, pool: Pool) -> int:
    """Return how many people are on a leaderboard, counted up to `MIN_NAMES`."""
    rows = _rows_of(shown, pool).order_by("position")
    return len(rows.values_list("position")[:MIN_NAMES])


def _rows_of(shown: LeaderboardPass, pool: Pool) -> QuerySet[LeaderboardRow]:
    return LeaderboardRow.objects.filter(
        IS_LISTED, leaderboard_pass=shown, rules=pool.rules, speed=pool.speed.value
    )


def read_tops(shown: LeaderboardPass) -> Mapping[Pool, list[LeaderboardLine]]:
    """Return the first rows of all leaderboards, at most `TOP_ROWS` of each; one statement."""
    rows = LeaderboardRow.objects.filter(
        IS_LISTED,
        leaderboard_pass=shown,
        # Named one by one, so that the index leads to the first positions of each pool.
        rules__in=sorted({pool.rules for pool in POOLS}),
        speed__in=sorted({pool.speed.value for pool in POOLS}),
        position__lte=TOP_ROWS + SPARE_ROWS,
    ).order_by("rules", "speed", "position")
    tops: dict[Pool, list[LeaderboardLine]] = {pool: [] for pool in POOLS}
    for rules, speed, *line in rows.values_list("rules", "speed", *LINE):
        top = tops.get(Pool(rules, Speed(speed)), [])
        if len(top) < TOP_ROWS:
            top.append(LeaderboardLine(*line))
    return tops


def read_movers(shown: LeaderboardPass) -> list[tuple[Pool, LeaderboardLine]]:
    """Return those whose ratings have grown most in a week, over all pools; most first.

    Ratings that were provisional a week ago are left out. Losses are not listed: a table of them
    would help nobody.
    """
    rows = LeaderboardRow.objects.filter(IS_LISTED, leaderboard_pass=shown, week_change__gt=0)
    ordered = rows.order_by("-week_change", "rules", "speed", "position")
    found = ordered.values_list("rules", "speed", *LINE)[:TOP_ROWS]
    return [(Pool(rules, Speed(speed)), LeaderboardLine(*line)) for rules, speed, *line in found]


def read_combined(
    shown: LeaderboardPass, after: int = 0, limit: int = ROWS_A_PAGE + 1
) -> list[CombinedLine]:
    """Return the rows of the combined table after a position."""
    rows = CombinedRow.objects.filter(IS_LISTED, leaderboard_pass=shown, position__gt=after)
    found = rows.order_by("position").values_list(*COMBINED_LINE)[:limit]
    return [CombinedLine(*row) for row in found]
