"""Read boards for pages: keyset pages by position, in a fixed number of statements.

Users suspended or deleted since the pass are left out here; the places of the others stay the same
until the next pass.
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import Q, QuerySet

from games.rating.pools import POOLS, Pool, Speed
from ratings.boards.ranking import MIN_NAMES
from ratings.models import BoardPass, BoardRow, CombinedRow

ROWS_A_PAGE = 50
TOP_ROWS = 5
SPARE_ROWS = 5  # read beyond the top, in case some of them have left since the pass
IS_LISTED = Q(person__user__is_active=True, person__user__is_guest=False)


class BoardLine(NamedTuple):
    """A row of a board as pages read it; ratings in thousandths of a point."""

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
    boards: int


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
COMBINED_LINE = ("position", "place", "person__user__username", "score", "boards")


def read_board(shown: BoardPass, pool: Pool, after: int = 0) -> list[BoardLine]:
    """Return the rows of a board after a position, one more than fit on a page."""
    rows = _rows_of(shown, pool).filter(position__gt=after).order_by("position")
    return [BoardLine(*row) for row in rows.values_list(*LINE)[: ROWS_A_PAGE + 1]]


def count_first_names(shown: BoardPass, pool: Pool) -> int:
    """Return how many people are on a board, counted up to `MIN_NAMES`."""
    rows = _rows_of(shown, pool).order_by("position")
    return len(rows.values_list("position")[:MIN_NAMES])


def _rows_of(shown: BoardPass, pool: Pool) -> QuerySet[BoardRow]:
    return BoardRow.objects.filter(
        IS_LISTED, board_pass=shown, rules=pool.rules, speed=pool.speed.value
    )


def read_tops(shown: BoardPass) -> Mapping[Pool, list[BoardLine]]:
    """Return the first rows of all boards, at most `TOP_ROWS` of each; one statement."""
    rows = BoardRow.objects.filter(
        IS_LISTED,
        board_pass=shown,
        # Named one by one, so that the index leads to the first positions of each pool.
        rules__in=sorted({pool.rules for pool in POOLS}),
        speed__in=sorted({pool.speed.value for pool in POOLS}),
        position__lte=TOP_ROWS + SPARE_ROWS,
    ).order_by("rules", "speed", "position")
    tops: dict[Pool, list[BoardLine]] = {pool: [] for pool in POOLS}
    for rules, speed, *line in rows.values_list("rules", "speed", *LINE):
        top = tops.get(Pool(rules, Speed(speed)), [])
        if len(top) < TOP_ROWS:
            top.append(BoardLine(*line))
    return tops


def read_movers(shown: BoardPass) -> list[tuple[Pool, BoardLine]]:
    """Return those whose ratings have grown most in a week, over all pools; most first.

    Ratings that were provisional a week ago are left out. Losses are not listed: a table of them
    would help nobody.
    """
    rows = BoardRow.objects.filter(IS_LISTED, board_pass=shown, week_change__gt=0)
    ordered = rows.order_by("-week_change", "rules", "speed", "position")
    found = ordered.values_list("rules", "speed", *LINE)[:TOP_ROWS]
    return [(Pool(rules, Speed(speed)), BoardLine(*line)) for rules, speed, *line in found]


def read_combined(
    shown: BoardPass, after: int = 0, limit: int = ROWS_A_PAGE + 1
) -> list[CombinedLine]:
    """Return the rows of the combined table after a position."""
    rows = CombinedRow.objects.filter(IS_LISTED, board_pass=shown, position__gt=after)
    found = rows.order_by("position").values_list(*COMBINED_LINE)[:limit]
    return [CombinedLine(*row) for row in found]
