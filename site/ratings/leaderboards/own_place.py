"""The reader's own place on a leaderboard, from the newest games, not from the last pass."""

from dataclasses import dataclass, replace
from typing import Final

from django.db import connection
from django.db.models import Q

from games.rating.pools import Pool
from ratings.leaderboards.ranking import WINDOW_MS, is_eligible
from ratings.models import (
    CombinedRow,
    LeaderboardPass,
    LeaderboardRow,
    RatedGame,
    RatingEntry,
    Standing,
)

COUNTED: Final = f"""
    FROM {RatingEntry._meta.db_table} e
    JOIN {RatedGame._meta.db_table} g ON g.generation_id = %(generation)s AND g.entry_id = e.seq
    WHERE e.rules = %(rules)s AND e.speed = %(speed)s AND e.seq >= %(first)s AND e."at" > %(since)s
"""
# Plain SQL, because each view of a leaderboard asks, and building it takes longer than its answer.
OPPONENTS_SQL: Final = f"""
WITH own AS (
    SELECT e.black_id AS opponent {COUNTED} AND e.white_id = %(person)s
    UNION ALL
    SELECT e.white_id {COUNTED} AND e.black_id = %(person)s
)
SELECT opponent, COUNT(*),
    EXISTS (SELECT 1 {COUNTED} AND e.white_id = opponent AND e.black_id <> %(person)s)
    OR EXISTS (SELECT 1 {COUNTED} AND e.black_id = opponent AND e.white_id <> %(person)s)
FROM own GROUP BY opponent
"""


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """A person's place on a leaderboard, with the figures that decide about eligibility."""

    games: int  # rated ones in the last 90 days
    opponents: int
    is_eligible: bool = False
    place: int | None = None  # the one that the numbers give now; None: not eligible, or no pass
    rating: int = 0  # in thousandths of a point
    deviation: int = 0
    week_change: int | None = None
    rounds: int = 0  # of Blotto, at the pass
    round_points: int | None = None


def own_place(user_id: int, pool: Pool, shown: LeaderboardPass | None, at: int) -> OwnPlace:
    """Return the place of a user in a pool at a time (epoch ms).

    The deviation is that of the pass, so that it compares with the others'.
    """
    standings = Standing.objects.listed().filter(rules=pool.rules, speed=pool.speed.value)
    standing = standings.filter(person__user=user_id).first()
    if standing is None:
        return OwnPlace(0, 0)
    games, people = _count_recent(standing, shown, at)
    if not is_eligible(games, people):
        return OwnPlace(games, people)
    numbers = standing.folded.numbers_at(at if shown is None else shown.at)
    own = OwnPlace(games, people, True, None, numbers.rating, numbers.deviation)
    if shown is None:
        return own
    stored = _stored_row(standing, shown)
    score = numbers.rating - 2 * numbers.deviation
    own = replace(own, place=_place_of(shown, pool, stored, score, games))
    if stored is None:
        return own
    own = replace(own, rounds=stored.rounds, round_points=stored.round_points)
    if stored.week_change is None:
        return own
    return replace(own, week_change=stored.week_change + numbers.rating - stored.rating)


def own_rows(user_id: int, shown: LeaderboardPass) -> list[LeaderboardRow]:
    """Return a user's rows on all leaderboards of a pass."""
    return list(LeaderboardRow.objects.filter(leaderboard_pass=shown, person__user=user_id))


def own_combined_row(user_id: int, shown: LeaderboardPass) -> CombinedRow | None:
    """Return a user's row in the combined table of a pass."""
    return CombinedRow.objects.filter(leaderboard_pass=shown, person__user=user_id).first()


def _count_recent(standing: Standing, shown: LeaderboardPass | None, at: int) -> tuple[int, int]:
    """Return how many games and opponents of the last 90 days count (see `candidates`)."""
    values: dict[str, int | str] = {
        "generation": standing.generation_id,
        "person": standing.person_id,
        "rules": standing.rules,
        "speed": standing.speed,
        # Earlier entries are older than 90 days, unless the clock has been set back since the pass.
        "first": shown.first_seq if shown is not None and shown.at <= at else 0,
        "since": at - WINDOW_MS,
    }
    with connection.cursor() as cursor:
        cursor.execute(OPPONENTS_SQL, values)
        rows = cursor.fetchall()
    return sum(games for _, games, _ in rows), sum(bool(counts) for *_, counts in rows)


def _stored_row(standing: Standing, shown: LeaderboardPass) -> LeaderboardRow | None:
    pool = {"rules": standing.rules, "speed": standing.speed}
    return LeaderboardRow.objects.filter(
        leaderboard_pass=shown, person=standing.person_id, **pool
    ).first()


def _place_of(
    shown: LeaderboardPass, pool: Pool, stored: LeaderboardRow | None, score: int, games: int
) -> int:
    """Return the place of a score and a number of games among the others of a pass.

    One row is read: the best of the others that is not better. Its place counts all that are
    better, the person's own row among them if that was.
    """
    rows = LeaderboardRow.objects.filter(
        leaderboard_pass=shown, rules=pool.rules, speed=pool.speed.value
    )
    others = rows if stored is None else rows.exclude(person=stored.person_id)
    not_better = others.filter(score__lte=score).filter(Q(score__lt=score) | Q(games__lte=games))
    found = not_better.order_by("-score", "-games").first()
    if found is not None:
        is_above = stored is not None and (stored.score, stored.games) > (found.score, found.games)
        return found.place - is_above
    last = others.order_by("-position").first()
    if last is None:
        return 1
    is_before = stored is not None and stored.position < last.position
    return last.position - is_before + 1
