"""Monthly drift of a pool of people from the levels, whose ratings are fixed.

The people of a game are those with an established rating in its live pool who have played at least
`MIN_GAMES` games against its levels in the last `WINDOW_MS`; aborted games and those with a turn
taken back are left out. Each person's score there is converted to a rating: the one whose expected
score against these levels equals the score with half a point added on either side, so that a clean
score stays finite. The drift is the median of the people's ratings minus the median of these. It is
positive where the pool has risen. With fewer than `MIN_PEOPLE` people there is none.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from games.catalogue import RULES
from games.rating.glicko2 import expected_score
from games.rating.placement import SCORES
from games.rating.pools import Speed
from games.rating.standing import DAY_MS, UNIT
from play.models import COUNTED, Seat
from ratings.models import DriftReport, Generation, Standing
from ratings.rules.entry_log import newest_anchors

MIN_GAMES: Final = 4  # of a person against levels
MIN_PEOPLE: Final = 10
WINDOW_MS: Final = 90 * DAY_MS
BISECTIONS: Final = 40
MAX_ELO: Final = 4000
BOARD_GAMES = tuple(key for key, rules in RULES.items() if not rules.is_simultaneous)
log = logging.getLogger("quiver.ratings")


@dataclass(frozen=True, slots=True)
class Drift:
    """The drift of a game's live pool in points; None with too few people."""

    rules: str
    people: int
    games: int  # of these people against levels
    points: int | None

    def __str__(self) -> str:
        if self.points is None:
            return (
                f"{self.rules}: too little data: {self.people} of {MIN_PEOPLE} people with an "
                f"established rating and {MIN_GAMES} games against levels in 90 days"
            )
        return (
            f"{self.rules}: {self.points:+d} points, by {self.people} people and {self.games} "
            "games against levels"
        )


def performance(levels: Sequence[int], score: float) -> float:
    """Return the rating at which a score is expected against levels of these ratings, in points.

    Half a point more is added on either side, against the mean of the levels. Pure.
    """
    mean = sum(levels) / len(levels)

    def surplus(rating: float) -> float:
        each = sum(expected_score(rating - level, 0.0) for level in [*levels, mean])
        return each - (score + 0.5)

    low, high = 0.0, float(MAX_ELO)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2.0
        if surplus(middle) > 0.0:
            high = middle
        else:
            low = middle
    return (low + high) / 2.0


def measure_drift(at: int) -> list[Drift]:
    """Return the drift of each board game at a time (epoch ms)."""
    generation = Generation.objects.filter(is_current=True).first()
    anchors = newest_anchors(generation.last_seq) if generation else {}
    return [
        _drift_of(rules, json.loads(anchors[rules].content)["ratings"], at)
        if rules in anchors
        else Drift(rules, 0, 0, None)
        for rules in BOARD_GAMES
    ]


def _drift_of(rules: str, anchors: Sequence[int], at: int) -> Drift:
    standings = Standing.objects.listed().filter(rules=rules, speed=Speed.LIVE.value, games__gt=0)
    people = {
        row.person.user_id: row.folded.numbers_at(at).rating / UNIT
        for row in standings.select_related("person")
        if row.folded.is_established(at)
    }
    played: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for user, level, result in _level_games(rules, at):
        if user in people:
            played[user].append((anchors[level - 1] // UNIT, SCORES[result]))  # type: ignore[index]
    found = {user: games for user, games in played.items() if len(games) >= MIN_GAMES}
    count = sum(map(len, found.values()))
    if len(found) < MIN_PEOPLE:
        return Drift(rules, len(found), count, None)
    performances = [
        performance([level for level, _ in games], sum(score for _, score in games))
        for games in found.values()
    ]
    drift = median(people[user] for user in found) - median(performances)
    return Drift(rules, len(found), count, round(drift))


def _level_games(rules: str, at: int) -> list[tuple[int, int, str]]:
    """Return user, level and result of each game of an account against a level that counts."""
    seats = Seat.objects.filter(
        game__has_bot=True,
        game__ended__gt=at - WINDOW_MS,
        game__ended__lte=at,
        game__takebacks=0,
        rules=rules,
        user__is_bot=False,
        has_account=True,
        against__level__isnull=False,
        result__in=COUNTED,
    )
    rows = seats.order_by("pk").values_list("user", "against__level", "result")
    return [(user, level, result) for user, level, result in rows if level and result]


def report_drift(month: int, at: int) -> bool:
    """Log and store the report of a month (such as 202611) once; return whether this call did.

    Reports of a month before the newest, as after a step of the clock, are not made.
    """
    if DriftReport.objects.filter(month__gte=month).exists():
        return False
    found = measure_drift(at)
    reports = [
        DriftReport(
            month=month, rules=each.rules, people=each.people, games=each.games, points=each.points
        )
        for each in found
    ]
    DriftReport.objects.bulk_create(reports, ignore_conflicts=True)
    for each in found:
        log.info(
            "drift of ratings against the levels in %d: %s",
            month,
            each,
            extra={"event": "rating_drift", "rules": each.rules, "points": each.points},
        )
    return True
