"""Search accounts by name, and describe them for lists of people.

Only accounts are found: no guests, computer players, suspended or deleted users, and nobody who
blocks the reader or is blocked by the reader. Rows show public games only.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from accounts.models import User
from accounts.people.blocks import blocked_ids
from accounts.people.names import MAX_NAME_CHARS, normalize_name
from play.game_texts import name_of
from play.models import Game, Seat
from play.runtime.runtime import list_here
from play.time_controls import RUNNING

MAX_ROWS = 20
MIN_SUBSTRING_CHARS = 2  # shorter texts are looked for at the beginning of names only
READ_GAMES = 60  # newest public games, running and ended, whose players count as active
NAME_PART = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_NAME_CHARS}}}")


@dataclass(frozen=True, slots=True)
class Person:
    """An account as lists show it."""

    user: User
    games: int  # public ones
    is_here: bool  # has a page open
    game_url: str  # of a public game with a running clock; empty if there is none
    game_name: str


def clean_query(text: str) -> str | None:
    """Returns the normalised search text, empty for none; None if no name can contain it."""
    text = normalize_name(text.strip())
    if not text:
        return ""
    return text if NAME_PART.fullmatch(text) else None


def find_players(reader_id: int | None, text: str) -> list[Person]:
    """Returns at most `MAX_ROWS` accounts whose names contain a text.

    Names that begin with it come first, the shortest of them first. `text` comes from
    `clean_query` and is not empty.
    """
    accounts = _visible_accounts(reader_id)
    begin = accounts.filter(username__name_prefix=text)
    found = list(begin.order_by("username")[:MAX_ROWS])
    found.sort(key=lambda user: (len(user.username), user.username.lower()))
    if len(found) < MAX_ROWS and len(text) >= MIN_SUBSTRING_CHARS:
        known = {user.pk for user in found}
        inside = accounts.filter(username__icontains=text).exclude(pk__in=known)
        found += inside.order_by("username")[: MAX_ROWS - len(found)]
    return describe(found)


def list_active_players(reader_id: int | None) -> list[Person]:
    """Returns the accounts that have played in public most recently, apart from the reader."""
    running = Game.objects.live().public().order_by("-created")
    over = Game.objects.over().filter(is_public=True).order_by("-ended")
    games = [*running[:READ_GAMES], *over[:READ_GAMES]]
    rank = {game.pk: at for at, game in enumerate(games)}
    seats = Seat.objects.filter(game__in=games).values_list("game", "user")
    newest: dict[int, int] = {}
    for game, user in seats:
        newest[user] = min(rank[game], newest.get(user, len(games)))
    newest.pop(reader_id or 0, None)
    users = _visible_accounts(reader_id).filter(pk__in=newest)
    return describe(sorted(users, key=lambda user: newest[user.pk])[:MAX_ROWS])


def describe(users: Sequence[User]) -> list[Person]:
    """Returns the rows of accounts, in three queries."""
    ids = [user.pk for user in users]
    here = list_here(ids)
    games, playing = _count_games(ids), _games_played_now(ids)
    rows = []
    for user in users:
        game = playing.get(user.pk)
        url, name = (game.get_absolute_url(), name_of(game.rules)) if game else ("", "")
        is_here = user.pk in here or game is not None
        rows.append(Person(user, games.get(user.pk, 0), is_here, url, name))
    return rows


def _visible_accounts(reader_id: int | None) -> QuerySet[User]:
    accounts = User.objects.filter(is_guest=False, is_bot=False, is_active=True)
    hidden = blocked_ids(reader_id)
    return accounts.exclude(pk__in=hidden) if hidden else accounts


def _count_games(user_ids: Iterable[int]) -> dict[int, int]:
    seats = Seat.objects.shown().filter(user__in=user_ids)
    counts = seats.order_by().values("user").annotate(games=Count("pk"))
    return dict(counts.values_list("user", "games"))


def _games_played_now(user_ids: Iterable[int]) -> dict[int, Game]:
    """Returns the newest public game with a running clock of each user who plays one."""
    seats = Seat.objects.running().shown().filter(user__in=user_ids, game__clock_kind__in=RUNNING)
    return {seat.user_id: seat.game for seat in seats.select_related("game").order_by("pk")}
