"""Interface to the ratings shown beside names; the setting RATING_SOURCE names the class.

Play knows no pools: it passes on what `pool_of` says of a game.
"""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from games.core import Role
from play.domain.game_state import GameState

PoolTexts = Mapping[str, str]  # pool → rating for lists, such as "1712?"
NO_TEXTS: PoolTexts = {}


class RatingSource(Protocol):
    """Source of ratings."""

    def pool_of(self, rules: str, clock_kind: str) -> str:
        """Return the pool in which games of a rule set with a clock of a kind count."""

    def read_people(self, users: Collection[int]) -> Mapping[int, PoolTexts]:
        """Return the current ratings of users; users without one may be missing."""

    def read_game(self, game: int) -> Mapping[Role, str]:
        """Return the ratings with which both played a game that has been rated, else nothing."""


@cache
def rating_source() -> RatingSource:
    """Return the source of the site, the same object each time."""
    source: RatingSource = import_string(settings.RATING_SOURCE)()
    return source


def player_ratings(game: GameState) -> tuple[str, str]:
    """Return the ratings of white and black; once a game is over those with which it was played.

    So the picture of an ended game stays the same. An ended casual game has none.
    """
    source = rating_source()
    if game.ending:
        before = source.read_game(game.id) if game.is_rated else {}
        return before.get("white", ""), before.get("black", "")
    pool = source.pool_of(game.rules.key, game.clock.kind)
    users = game.people["white"].user, game.people["black"].user
    texts = source.read_people(users)
    white, black = (texts.get(user, NO_TEXTS).get(pool, "") for user in users)
    return white, black
