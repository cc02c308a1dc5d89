"""Ratings for the names that play shows: spectators, and players on shared pictures."""

from collections.abc import Collection, Mapping

from games.core import ROLES, Role
from games.rating.standing import UNIT
from play.domain.clocks import now
from play.rating_source import PoolTexts, RatingSource
from ratings.history.changes import rating_of_game
from ratings.rules.reasons import pool_of_game
from ratings.shown_ratings import read_ratings


class StoredRatings(RatingSource):
    """Ratings as the database has them."""

    def pool_of(self, rules: str, clock_kind: str) -> str:
        """Return the pool as text: pincer/live."""
        return str(pool_of_game(rules, clock_kind))

    def read_people(self, users: Collection[int]) -> Mapping[int, PoolTexts]:
        """Return the ratings of users for lists, by pool; one query, none without users."""
        found = read_ratings(users, now())
        return {
            user: {str(pool): text for pool in pools if (text := found.short(user, pool))}
            for user, pools in found.standings.items()
        }

    def read_game(self, game: int) -> Mapping[Role, str]:
        """Return the ratings before a game that counted, of people who can still be named."""
        found = rating_of_game(game)
        if found.entry is None or found.sides is None:
            return {}
        people = {"white": found.entry.white, "black": found.entry.black}
        texts: dict[Role, str] = {}
        for role in ROLES:
            person = people[role]
            if person is not None and person.user is not None and person.user.is_active:
                texts[role] = str(round(found.sides[role].before.rating / UNIT))
        return texts
