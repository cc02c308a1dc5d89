"""Database rows of the public lists: open lobbies, running games, the large board's candidates."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Count, Max, Window, prefetch_related_objects

from lobby.models import Lobby
from play.domain.clocks import now
from play.models import Game
from ratings.rules.reasons import pool_of_game
from ratings.shown_ratings import PeopleRatings, read_ratings
from watch.featured import Candidate, candidates
from watch.listed_games import SEATED, Item, lobby_item, readable_rows

MAX_LOBBIES = 30
MAX_GAMES = 24
ALL = Window(Count("pk"))  # total rows, listed or not
log = logging.getLogger("quiver.watch")


@dataclass(frozen=True, slots=True)
class Rows:
    """Database rows for the lists."""

    lobbies: tuple[Item, ...]
    games: list[Game]  # running, the newest first
    newest: list[Game]  # one of each rule set in which somebody has moved
    counts: Mapping[str, int]
    featured: Sequence[Candidate]  # for the large board, the best first
    ratings: PeopleRatings  # of the people in the games


def read_rows(key: str = "") -> Rows:
    """Reads the lists of one rule set, or of all, in a constant number of queries."""
    at = now()
    lobbies = Lobby.objects.listed(at).select_related("host", "one", "two").annotate(count=ALL)
    games = Game.objects.being_played(at).public()
    if key:
        lobbies, games = lobbies.filter(rules=key), games.filter(rules=key)
    moved = games.filter(step__gt=0).values("rules").annotate(top=Max("pk"))
    newest = list(games.filter(pk__in=moved.order_by().values("top")))
    shown = list(games.annotate(count=ALL).order_by("-created")[:MAX_GAMES])
    featured = [] if key else candidates(at)
    prefetch_related_objects([*shown, *newest, *(each.game for each in featured)], SEATED)
    first = list(lobbies[:MAX_LOBBIES])
    counts = {"lobbies": _count_rows(first), "games": _count_rows(shown)}
    ratings = _read_ratings(at, first, [*shown, *newest, *(each.game for each in featured)])
    listed = tuple(readable_rows(first, partial(lobby_item, ratings=ratings), log))
    return Rows(listed, shown, newest, counts, featured, ratings)


def _read_ratings(at: int, lobbies: Sequence[Lobby], games: Sequence[Game]) -> PeopleRatings:
    """Reads the ratings of listed hosts and players in their games' pools, in one query."""
    seats = (seat.user for game in games for seat in game.seats.all())
    people = {user.pk for user in (*seats, *(each.host for each in lobbies)) if user.is_account}
    pools = {each.pool for each in lobbies}
    pools |= {pool_of_game(each.rules, each.clock_kind) for each in games}
    return read_ratings(people, at, pools)


def _count_rows(rows: Sequence[Any]) -> int:
    """Returns the total number of rows, of which these are the first."""
    return rows[0].count if rows else 0
