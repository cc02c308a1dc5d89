"""Ratings of many people, read in one query: numbers for pairing, texts beside names.

Guests, computer players, deleted and suspended users have no rating. A person without rated games
in a pool has none to show; for pairing, the numbers are those with which the pool is entered.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.db import connection

from games.rating.fold import first_standing
from games.rating.pools import Pool, Speed
from games.rating.standing import ESTABLISHED_DEVIATION, UNIT, Numbers
from games.rating.standing import Standing as FoldedStanding
from ratings.models import Standing

MIN_GAMES: Final = 5  # rated ones in a pool, before which a rating is provisional
Standings = Mapping[Pool, FoldedStanding]  # of one person
NO_STANDINGS: Final[Standings] = {}
COLUMNS: Final = (
    "person__user", "rules", "speed", "rating", "deviation", "volatility", "at", "games",
)  # fmt: skip
# The rows of `Standing.objects.listed()`; plain SQL, because each view of a game asks.
NAMES_SQL: Final = """
SELECT account.username, standing.rating, standing.deviation, standing.volatility, standing.at,
    standing.games
FROM ratings_standing AS standing
JOIN ratings_generation AS generation ON generation.number = standing.generation_id
JOIN ratings_person AS person ON person.number = standing.person_id
JOIN accounts_user AS account ON account.id = person.user_id
WHERE account.username IN ({}) AND standing.rules = %s AND standing.speed = %s
    AND generation.is_current AND account.is_active AND NOT account.is_guest
"""


@dataclass(frozen=True, slots=True)
class ShownRating:
    """A rating in a pool as pages show it, in points; `margin` is two deviations."""

    points: int
    margin: int
    is_provisional: bool

    @property
    def short(self) -> str:
        """The rating for lists: `1712`, and `1712?` while it is provisional."""
        return f"{self.points}?" if self.is_provisional else str(self.points)

    @property
    def full(self) -> str:
        """The rating with its margin: `1712 ± 90`."""
        return f"{self.points} ± {self.margin}"


@dataclass(frozen=True, slots=True)
class PeopleRatings:
    """The standings of some people by user id, and when they were read (epoch ms)."""

    standings: Mapping[int, Standings]
    at: int

    def shown(self, user: int | None, pool: Pool) -> ShownRating | None:
        """Return a user's rating in a pool; None without a rated game there."""
        standing = self._of(user).get(pool)
        return show_standing(standing, self.at) if standing else None

    def short(self, user: int | None, pool: Pool) -> str:
        """Return a user's rating for lists, `1712?`; empty without one."""
        shown = self.shown(user, pool)
        return shown.short if shown else ""

    def numbers(self, user: int, pool: Pool) -> Numbers:
        """Return the numbers with which a user plays in a pool now, rated there or not.

        All of the user's standings must have been read.
        """
        known = self._of(user)
        standing = known.get(pool) or first_standing(known, pool, self.at)
        return standing.numbers_at(self.at)

    def _of(self, user: int | None) -> Standings:
        return self.standings.get(user, NO_STANDINGS) if user is not None else NO_STANDINGS


NO_RATINGS: Final = PeopleRatings({}, 0)


def read_ratings(
    users: Iterable[int | None], at: int, pools: Collection[Pool] | None = None
) -> PeopleRatings:
    """Read the standings of users at a time (epoch ms), in one query; none without users.

    `pools` limits the read to their rule sets; the numbers of other pools are then unknown.
    """
    asked = {user for user in users if user is not None}
    if not asked:
        return PeopleRatings({}, at)
    rows = Standing.objects.listed().filter(person__user__in=asked)
    if pools is not None:
        rows = rows.filter(rules__in={pool.rules for pool in pools})
    found: dict[int, dict[Pool, FoldedStanding]] = defaultdict(dict)
    for user, rules, speed, *numbers, played_at, games in rows.values_list(*COLUMNS):
        standing = FoldedStanding(Numbers(*numbers), played_at, games)
        found[user][Pool(rules, Speed(speed))] = standing
    return PeopleRatings(dict(found), at)


def read_ratings_of_names(names: Collection[str], pool: Pool, at: int) -> Mapping[str, ShownRating]:
    """Return the ratings of users in a pool by their names, in one query; none without names."""
    if not names:
        return {}
    with connection.cursor() as cursor:
        marks = ", ".join(["%s"] * len(names))
        cursor.execute(NAMES_SQL.format(marks), [*sorted(names), pool.rules, pool.speed.value])
        rows = cursor.fetchall()
    found = {}
    for name, rating, deviation, volatility, played_at, games in rows:
        standing = FoldedStanding(Numbers(rating, deviation, volatility), played_at, games)
        if (shown := show_standing(standing, at)) is not None:
            found[name] = shown
    return found


def show_standing(standing: FoldedStanding, at: int) -> ShownRating | None:
    """Return a standing as pages show it at a time (epoch ms); None without a rated game."""
    if not standing.games:
        return None
    rating, deviation, _ = standing.numbers_at(at)
    is_provisional = standing.games < MIN_GAMES or deviation > ESTABLISHED_DEVIATION
    return ShownRating(round(rating / UNIT), round(2 * deviation / UNIT), is_provisional)
