"""Games and lobbies as the public lists show them, from rows and from this process's memory.

A rule set may be withdrawn and a position may be damaged; rows that cannot be read are skipped, so
that a list shows the others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from logging import Logger
from typing import Any, NamedTuple, TypeVar

from django.db import DatabaseError, connection
from django.db.models import Prefetch
from django.urls import reverse

from games.catalogue import rules_of
from games.core import Role, View
from lobby.models import Lobby
from play.domain import visibility
from play.domain.game_state import GameState
from play.domain.snapshot import ShownStep
from play.domain.wire_types import Shown
from play.game_texts import figure_of
from play.models import Game, Seat
from play.runtime.runtime import WebRuntime
from ratings.rules.reasons import pool_of_game
from ratings.shown_ratings import PeopleRatings

# In a fixed order: PostgreSQL returns a row that has been updated after the others.
SEATED = Prefetch("seats", Seat.objects.select_related("user").order_by("pk"))
Item = Mapping[str, Any]
R = TypeVar("R")
T = TypeVar("T")
# Logger and row of each skipped row, so that it is logged once.
log_unreadable: set[tuple[str, str]] = set()

# The columns of `Stamp`. Plain SQL, because it is asked after each commit of another process, and
# most are heartbeats.
STAMP_SQL = """
    SELECT (SELECT max(ended) FROM play_game WHERE ended IS NOT NULL AND is_public),
        games.*, lobbies.*
    FROM
        (SELECT count(*), max(id), sum(rev) FROM play_game WHERE ended IS NULL AND is_public) games,
        (SELECT count(*), sum(rev), max(id) FROM lobby_lobby WHERE status = 'open') lobbies
"""


class Stamp(NamedTuple):
    """Differs after a change of a public game that runs, its end, or a change of an open lobby."""

    last_end: int | None  # of a public game, epoch ms
    games: int  # public games that run
    newest_game: int | None
    game_revs: int | None  # sum of the running games' revs
    lobbies: int  # open lobbies
    lobby_revs: int | None
    newest_lobby: int | None


class ListedLobby(Shown, frozen=True):
    """An open lobby."""

    code: str
    key: str
    clock: str
    host: str
    rating: str  # of the host in the pool of the game; empty without one
    points: int | None  # the same as a number
    pool: str  # of the game: pincer/live
    created: int
    seen: str
    figure: str
    open: Sequence[Role]
    url: str
    sit: str
    age: int  # seconds
    name: str


class ListedGame(Shown, frozen=True, kw_only=True):
    """A running game."""

    slug: str
    key: str
    name: str
    clock: str
    white: str
    black: str
    view: View
    last: Sequence[ShownStep]
    url: str
    watchers: int | None
    bots: Mapping[Role, bool]
    turns: int  # that have been completed
    white_is: str  # computer, or the rating; may be empty
    black_is: str


def game_item(game: Game, ratings: PeopleRatings) -> Item:
    """Returns a running game's item from its row, with the ratings of its people.

    A position holds no secrets: sealed actions are stored outside it.
    """
    rules = rules_of(game.rules)
    seats = game.seats.all()
    names = {seat.role: seat.user.username for seat in seats}
    state = rules.read(game.position)
    return {
        "bots": {seat.role: seat.user.is_bot for seat in seats},
        "ratings": _ratings_of(game, ratings),
        "slug": game.slug,
        "url": game.get_absolute_url(),
        "key": game.rules,
        "clock": game.clock,
        "white": names["white"],
        "black": names["black"],
        "view": rules.view(state, None),
        "turns": rules.turns(state),
        "last": [],
        "watchers": None,
    }


def lobby_item(lobby: Lobby, ratings: PeopleRatings) -> Item:
    """Returns an open lobby's item from its row, with the rating of its host."""
    rating = ratings.shown(lobby.host_id, lobby.pool)
    held = next((place for place in lobby.places if place.user), lobby.places[0])
    return {
        "code": lobby.code,
        "key": lobby.rules,
        "clock": lobby.clock,
        "is_rated": lobby.is_rated,
        "host": lobby.host.username,
        "rating": rating.short if rating else "",
        "points": rating.points if rating else None,
        "pool": str(lobby.pool),
        "created": lobby.created,
        "seen": lobby.options.digest,
        "figure": figure_of(lobby.rules, held.role),
        "open": [place.role for place in lobby.places if place.user is None],
        "url": lobby.get_absolute_url(),
        "sit": reverse("lobby-act", args=[lobby.code, "sit"]),
    }


def _ratings_of(game: Game, ratings: PeopleRatings) -> Mapping[str, str]:
    """Returns the rating of each role's player in the pool of a game; empty texts without one."""
    pool = pool_of_game(game.rules, game.clock_kind)
    return {seat.role: ratings.short(seat.user_id, pool) for seat in game.seats.all()}


async def live_item(runtime: WebRuntime, game: Game, ratings: PeopleRatings) -> Item | None:
    """Returns a game's item with its last moves and spectators, from this process's memory."""
    live: GameState | None = await runtime.games.find(game.slug)
    if live is not None and live.rev < game.rev:
        live = await runtime.games.renew(game.slug)
    if live is None:
        return None
    watchers = runtime.presence.everywhere(("game", game.slug))["spectator"]
    item = {**visibility.summary(live), "url": game.get_absolute_url(), "watchers": watchers}
    bots = {role: person.bot for role, person in live.people.items()}
    return {
        **item,
        "bots": bots,
        "ratings": _ratings_of(game, ratings),
        "clock": game.clock,
        "turns": live.rules.turns(live.state),
    }


@contextmanager
def skip_unreadable(row: object, log: Logger) -> Iterator[None]:
    """Suppresses and logs an exception in its block; each row is logged once.

    Database errors are raised: they are not caused by a single row.
    """
    try:
        yield
    except DatabaseError:
        raise
    except Exception as error:
        if (log.name, str(row)) not in log_unreadable:
            log_unreadable.add((log.name, str(row)))
            kind = type(error).__name__
            log.warning("%s cannot be read and is left out: %s", _label(row), kind)


def readable_rows(rows: Iterable[R], show: Callable[[R], T], log: Logger) -> list[T]:
    """Returns `show(row)` for each row, without the rows for which it fails."""
    items = []
    for row in rows:
        with skip_unreadable(row, log):
            items.append(show(row))
    return items


def _label(row: object) -> str:
    """Returns a row's table and number for the log; its text could hold the key of a game."""
    return f"{type(row).__name__} {getattr(row, 'pk', '')}".strip()


def read_stamp() -> Stamp:
    """Returns a stamp that differs after a change of a game or a lobby that may be listed."""
    with connection.cursor() as cursor:
        cursor.execute(STAMP_SQL)
        return Stamp(*cursor.fetchone())
