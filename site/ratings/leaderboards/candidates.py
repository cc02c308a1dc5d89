"""Read the candidates for leaderboards, in one statement.

A game counts if the generation has a row of it, so annulled games do not. Its time is its end; a
game that ends at a time in the future, after a step of the clock, counts as one of today.

An opponent counts who has a game against somebody else in the same pool and time, so accounts made
only to lose to one person put nobody on a leaderboard.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.db import connection

from accounts.models import User
from games.catalogue import RULES
from games.rating.pools import Pool, Speed
from games.rating.standing import Numbers
from games.rating.standing import Standing as FoldedStanding
from ratings.leaderboards.ranking import MIN_GAMES, MIN_OPPONENTS, WEEK_MS, WINDOW_MS, Candidate
from ratings.models import Generation, Person, RatedGame, RatingEntry, Standing

ROWS_A_FETCH = 2_000
ENTRIES, GAMES = RatingEntry._meta.db_table, RatedGame._meta.db_table
PERSONS, USERS = Person._meta.db_table, User._meta.db_table
SQL: Final = f"""
WITH counted AS (
    SELECT e.seq, e.rules, e.speed, e."at" AS ended, e.white_id, e.black_id
    FROM {ENTRIES} e
    JOIN {GAMES} g ON g.generation_id = %(generation)s AND g.entry_id = e.seq
    WHERE e.seq BETWEEN %(first)s AND %(last)s AND e."at" > %(since)s
), sides AS (
    SELECT seq, rules, speed, ended, white_id AS person, black_id AS opponent FROM counted
    UNION ALL
    SELECT seq, rules, speed, ended, black_id, white_id FROM counted
), eligible_opponents AS (
    SELECT rules, speed, person FROM sides
    GROUP BY rules, speed, person HAVING COUNT(DISTINCT opponent) > 1
), active AS (
    SELECT s.rules, s.speed, s.person, COUNT(*) AS games, COUNT(DISTINCT o.person) AS opponents,
        SUM(CASE WHEN s.ended > %(week)s THEN 1 ELSE 0 END) AS week_games,
        MIN(CASE WHEN s.ended > %(week)s THEN s.seq END) AS week_seq
    FROM sides s LEFT JOIN eligible_opponents o
        ON o.rules = s.rules AND o.speed = s.speed AND o.person = s.opponent
    GROUP BY s.rules, s.speed, s.person
    HAVING COUNT(*) >= %(min_games)s AND COUNT(DISTINCT o.person) >= %(min_opponents)s
)
SELECT a.rules, a.speed, a.person, s.rating, s.deviation, s.volatility, s."at", s.games,
    a.games, a.opponents, a.week_games,
    CASE WHEN f.white_id = a.person THEN w.white_rating_before ELSE w.black_rating_before END
FROM active a
JOIN {PERSONS} p ON p.number = a.person
JOIN {USERS} u ON u.id = p.user_id AND u.is_active AND NOT u.is_guest
JOIN {Standing._meta.db_table} s ON s.generation_id = %(generation)s AND s.person_id = a.person
    AND s.rules = a.rules AND s.speed = a.speed
LEFT JOIN {ENTRIES} f ON f.seq = a.week_seq
LEFT JOIN {GAMES} w ON w.generation_id = %(generation)s AND w.entry_id = a.week_seq
"""


def read_candidates(generation: Generation, first_seq: int, at: int) -> Iterator[Candidate]:
    """Yield the people who are eligible for a leaderboard at a time (epoch ms).

    Suspended and deleted users are left out, and games of rule sets that were withdrawn.
    """
    values = {
        "generation": generation.pk,
        "first": first_seq,
        "last": generation.last_seq,
        "since": at - WINDOW_MS,
        "week": at - WEEK_MS,
        "min_games": MIN_GAMES,
        "min_opponents": MIN_OPPONENTS,
    }
    with connection.cursor() as cursor:
        cursor.execute(SQL, values)
        while rows := cursor.fetchmany(ROWS_A_FETCH):
            yield from (_candidate(row) for row in rows if row[0] in RULES)


def _candidate(row: tuple[Any, ...]) -> Candidate:
    rules, speed, person, rating, deviation, volatility, at, all_games, *counts = row
    standing = FoldedStanding(Numbers(rating, deviation, volatility), at, all_games)
    return Candidate(Pool(rules, Speed(speed)), person, standing, *counts)


def find_first_seq(last_seq: int, at: int, known: int = 0) -> int:
    """Return the seq of the first game that ended within 90 days before `at` (epoch ms).

    No entry before `known` did. Without such a game the result is `last_seq` + 1.
    """
    games = RatingEntry.objects.filter(
        kind=RatingEntry.Kind.GAME, seq__gte=known, seq__lte=last_seq, at__gt=at - WINDOW_MS
    )
    found = games.order_by("seq").values_list("seq", flat=True).first()
    return last_seq + 1 if found is None else found
