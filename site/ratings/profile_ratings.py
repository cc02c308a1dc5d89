"""A user's ratings on the profile page."""

from dataclasses import dataclass

from django.urls import reverse

from accounts.models import User
from games.rating.pools import Speed
from play.game_texts import short_name
from play.time_controls import PRESETS
from ratings.leaderboards.leaderboard_texts import speed_name
from ratings.models import Standing
from ratings.shown_ratings import show_standing

ORDER = {key: number for number, key in enumerate(PRESETS)}


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A user's rating in a pool, in points; `margin` is two deviations, as on boards."""

    game: str
    speed: str
    leaderboard_url: str
    rating: int
    margin: int
    games: int
    is_provisional: bool
    url: str  # of the page of its history


def rating_rows(user: User, at: int) -> list[RatingRow]:
    """Return a user's ratings at a time (epoch ms), in the order of the games; live ones first.

    A suspended user has none. One query.
    """
    found = Standing.objects.listed().filter(person__user=user).select_related("person__user")
    rows = [row for row in found if row.rules in ORDER and row.games]
    rows.sort(key=lambda row: (ORDER[row.rules], row.speed != Speed.LIVE))
    return [rating_row(row, at) for row in rows]


def rating_row(row: Standing, at: int) -> RatingRow:
    """Return a standing with a rated game at a time (epoch ms) as pages show it."""
    shown = show_standing(row.folded, at)
    assert shown is not None
    return RatingRow(
        game=short_name(row.rules),
        speed=speed_name(row.pool.speed),
        leaderboard_url=reverse("leaderboard", args=[row.rules, row.speed]),
        rating=shown.points,
        margin=shown.margin,
        games=row.games,
        is_provisional=shown.is_provisional,
        url=reverse("rating-history", args=[row.person.user.username, row.rules, row.speed]),
    )
