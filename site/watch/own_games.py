"""A user's own running games, those that wait for the user first, and open lobbies."""

import logging
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, F, Max, OuterRef, Sum
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from games.catalogue import rules_of
from lobby.lobbies.challenges import may_decline
from lobby.lobbies.lobby_topics import language_of
from lobby.models import Lobby
from play.domain.clocks import RUNNING_KINDS, now
from play.domain.wire_types import Frame, Outgoing, Shown, encode_frame
from play.game_texts import figure_of, name_of, time_left_text
from play.models import Sealed, Seat
from play.runtime.game_service import GameService
from play.runtime.topics import Topic, TopicSource
from play.sockets.topic_handlers import Admission, Scope, TopicHandler
from play.storage.batched_reads import BatchedReads
from play.time_controls import clock_label
from watch.listed_games import readable_rows

MAX_ROWS = 20  # games, and lobbies
MAX_READ_GAMES = 100  # read to find those that wait
NEVER_MS = 2**62
# Whether a user has any running game, and any open lobby or challenge. Most readers have neither,
# and Django takes 4 ms to compose the queries that read them.
EXISTS_SQL = """
SELECT EXISTS (SELECT 1 FROM play_seat WHERE user_id = %s AND result IS NULL),
    EXISTS (SELECT 1 FROM lobby_lobby WHERE status = 'open'
        AND (host_id = %s OR one_id = %s OR two_id = %s OR invited_id = %s))
"""
log = logging.getLogger("quiver.watch")


class MineRow(Shown, frozen=True):
    """A game or lobby of the user, as texts."""

    id: str
    step: int
    url: str
    title: str
    line: str
    left: str  # the time left for the user's turn in a slow game; else empty
    game: str
    figure: str
    button: str
    waits: bool  # for this user
    is_game: bool
    is_challenge: bool  # a challenge that waits for the user's answer


class MineState(Outgoing, frozen=True, tag="mine"):
    """All running games and open lobbies of a user."""

    rows: Sequence[MineRow]
    waiting: int  # how many games wait for the user


@dataclass(frozen=True, slots=True)
class Running:
    """A running game of a user, from its row."""

    slug: str
    key: str
    url: str
    step: int
    clock: Any
    role: str
    other: str
    waits: bool  # for this user
    deadline: int  # ms; NEVER_MS without a clock
    changed: int  # ms


@dataclass(frozen=True, slots=True)
class OwnGames:
    """All running games and open lobbies of a user."""

    rev: str  # empty for a rendered page: only sockets need it
    games: Sequence[Running]
    lobbies: Sequence[tuple[Lobby, int]]  # with the id of the viewer


def games_under_way(user: User) -> OwnGames:
    """Returns a user's running games and open lobbies, in one to three queries.

    Games that wait for the user come first, by the time left; the others follow, newest first.
    """
    with connection.cursor() as cursor:
        cursor.execute(EXISTS_SQL, [user.pk] * 5)
        has_games, has_lobbies = cursor.fetchone()
    games = _seats_of([user.pk])[user.pk] if has_games else []
    lobbies = _lobbies_of([user.pk])[user.pk] if has_lobbies else []
    return OwnGames("", _in_order(games), lobbies)


def under_way_of(users: Collection[int]) -> Mapping[int, OwnGames]:
    """Returns the running games and open lobbies of each of some users, in two queries."""
    games, lobbies = _seats_of(users), _lobbies_of(users)
    return {user: OwnGames("", _in_order(games[user]), lobbies[user]) for user in users}


def _seats_of(users: Collection[int]) -> Mapping[int, list[Seat]]:
    """Returns the seats of each of some users in running games, as many as are read."""
    own = Sealed.objects.filter(
        game=OuterRef("game"), number=OuterRef("game__step"), role=OuterRef("role")
    )
    seats = Seat.objects.running().filter(user__in=users).select_related("game", "against")
    seats = seats.annotate(has_sealed=Exists(own))
    first = (F("game__deadline").asc(nulls_last=True), "-game__changed")
    games: dict[int, list[Seat]] = defaultdict(list)
    for seat in seats.order_by(*first):
        if len(games[seat.user_id]) < MAX_READ_GAMES:
            games[seat.user_id].append(seat)
    return games


def _lobbies_of(users: Collection[int]) -> Mapping[int, list[tuple[Lobby, int]]]:
    """Returns the open lobbies of each of some users, with the user's id."""
    people = ("host", "one", "two", "invited")
    lobbies = Lobby.objects.open().not_kept().of_or_inviting_any(users).order_by("-created")
    shown: dict[int, list[tuple[Lobby, int]]] = defaultdict(list)
    for lobby in lobbies.select_related(*people):
        for user in {lobby.host_id, lobby.one_id, lobby.two_id, lobby.invited_id}:
            if user is not None and user in users and len(shown[user]) < MAX_ROWS:
                shown[user].append((lobby, user))
    return shown


def _in_order(seats: Iterable[Seat]) -> list[Running]:
    """Returns the games of seats, those that wait for the user first, as many as are shown."""
    running = readable_rows(seats, _running_game, log)
    running.sort(key=lambda game: -game.changed)
    running.sort(key=lambda game: (not game.waits, game.deadline if game.waits else 0))
    return running[:MAX_ROWS]


def own_games_frame(mine: OwnGames) -> dict[str, Any]:
    """Returns the rows in the active language; `waiting` counts the games that wait."""
    rows = [_game_row(game) for game in mine.games]
    rows += [row for row in readable_rows(mine.lobbies, lambda pair: _lobby_row(*pair), log) if row]
    rows.sort(key=lambda row: not row["waits"])
    waiting = sum(game.waits for game in mine.games)
    return {"t": "mine", "rows": rows, "waiting": waiting}


def load_mine(ident: str) -> OwnGames | None:
    """Returns the running games and open lobbies of the user with this id, or None."""
    return load_all_mine([ident]).get(ident)


def load_all_mine(idents: Collection[str]) -> dict[str, OwnGames]:
    """Returns what `load_mine` returns, for each ident of a user."""
    numbers = {int(ident) for ident in idents if ident.isdecimal()}
    users = set(User.objects.filter(pk__in=numbers).values_list("pk", flat=True))
    revs = _revs(users)  # read first: a later change is then detected
    found = under_way_of(users)
    return {str(user): replace(found[user], rev=revs.get(user, "")) for user in users}


class OwnGamesSource(TopicSource[OwnGames]):
    """Frames of `("mine", user id)`; an audience is a language."""

    pause_s = 0.3  # limits reads while a game is played fast

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._reads: BatchedReads[str, OwnGames] = BatchedReads(self._load_many)

    async def load(self, ident: str) -> OwnGames | None:
        """Returns a user's running games and open lobbies."""
        return await self._reads.get(ident)

    async def _load_many(self, idents: Sequence[str]) -> dict[str, OwnGames]:
        return await self._games.run_in_db_thread(load_all_mine, idents)

    def page_name(self, topic: Topic) -> str:
        """Returns the name of the topic in messages: each page follows its own user's games."""
        return topic[0]

    def rev(self, mine: OwnGames) -> str:
        """Returns the rev, a text that differs after every change."""
        return mine.rev

    def render(self, mine: OwnGames, audience: str) -> Frame:
        """Returns the frame in a language."""
        with override(audience):
            return encode_frame(MineState.of(own_games_frame(mine)))

    def revs(self, idents: Sequence[str]) -> dict[str, str]:
        """Returns the revs of many users, in two queries."""
        users = {int(ident): ident for ident in idents if ident.isdecimal()}
        revs = _revs(users)
        return {ident: revs.get(user, "") for user, ident in users.items()}


class OwnGamesHandler(TopicHandler):
    """The handler of `mine`: the running games and open lobbies of the socket's user."""

    ident = re.compile("")
    has_text_revs = True

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Returns the topic of the user, and the page's language as its audience."""
        return Admission(("mine", str(scope["user"].pk or "")), language_of(scope))


def _revs(users: Iterable[int]) -> dict[int, str]:
    """Returns a text for each user with games or lobbies that differs after every change."""
    wanted = set(users)
    seats = Seat.objects.running().filter(user__in=wanted).values("user")
    totals = seats.annotate(n=Count("pk"), revs=Sum("game__rev"), newest=Max("game"))
    revs = {row["user"]: f"{row['n']}.{row['revs']}.{row['newest']}" for row in totals}
    lobbies = Lobby.objects.open().not_kept().of_or_inviting_any(wanted)
    rows = lobbies.values_list("pk", "rev", "host", "one", "two", "invited")
    # Sorted here: with an order, SQLite reads the whole table instead of the indexes of people.
    for pk, rev, *people in sorted(rows, key=lambda row: row[0]):
        for user in wanted & set(people):
            revs[user] = f"{revs.get(user, '')}/{pk}.{rev}"
    return revs


def _running_game(seat: Any) -> Running:
    game, rules = seat.game, rules_of(seat.game.rules)
    decides = rules.control(rules.read(game.position))
    return Running(
        slug=game.slug,
        key=game.rules,
        url=game.get_absolute_url(),
        step=game.step,
        clock=game.clock,
        role=seat.role,
        other=seat.against.username,
        waits=seat.role in decides and not seat.has_sealed,
        deadline=game.deadline or NEVER_MS,
        changed=game.changed,
    )


def _game_row(game: Running) -> dict[str, Any]:
    params = {
        "game": name_of(game.key),
        "clock": clock_label(game.key, game.clock),
        "name": game.other,
    }
    line = (
        _("%(game)s · %(clock)s · your turn") % params
        if game.waits
        else _("%(game)s · %(clock)s · waiting for %(name)s") % params
    )
    return {
        "id": game.slug,
        "step": game.step,
        "url": game.url,
        "title": _("Against %(name)s") % params,
        "line": line,
        "left": _time_left(game),
        "game": params["game"],
        "figure": figure_of(game.key, game.role),
        "button": _("Play") if game.waits else _("View"),
        "waits": game.waits,
        "is_game": True,
        "is_challenge": False,
    }


def _time_left(game: Running) -> str:
    """Returns how much time is left for the user's turn; empty if no time of days runs for it."""
    is_timed = game.waits and game.deadline != NEVER_MS and game.clock.kind not in RUNNING_KINDS
    return time_left_text(game.deadline - now()) if is_timed else ""


def _lobby_row(lobby: Lobby, user: int) -> dict[str, Any] | None:
    """Returns the row of an open lobby, or None.

    A lobby is shown before its first game, or while the opponent waits for the user to be ready.
    """
    place = lobby.place_of(user)
    other = next((p.user for p in lobby.places if p.user and p.user.pk != user), None)
    people = [p for p in lobby.places if p.user and not p.user.is_bot]
    asks = any(p.is_ready and p.user.pk != user for p in people)  # type: ignore[union-attr]
    is_challenge = may_decline(lobby, user)
    waits = is_challenge or bool(place and not place.is_ready and asks)
    if lobby.game_id and not waits:
        return None
    params = {
        "game": name_of(lobby.rules),
        "clock": clock_label(lobby.rules, lobby.clock),
        "name": other.username if other else "",
        "host": lobby.host.username,
    }
    if is_challenge:
        line = _("%(game)s · %(clock)s") % params
    elif not waits:
        line = _("%(game)s · %(clock)s · open") % params
    elif lobby.game_id:
        line = _("%(game)s · %(clock)s · %(name)s wants a rematch") % params
    else:
        line = _("%(game)s · %(clock)s · %(name)s is ready") % params
    is_host = lobby.host_id == user
    return {
        "id": lobby.code,
        "step": lobby.rev,
        "url": lobby.get_absolute_url(),
        "title": _lobby_title(lobby, is_host, is_challenge),
        "line": line,
        "left": "",
        "game": params["game"],
        "figure": figure_of(lobby.rules, (place or lobby.places[0]).role),
        "button": _("Open"),
        "waits": waits,
        "is_game": False,
        "is_challenge": is_challenge,
    }


def _lobby_title(lobby: Lobby, is_host: bool, is_challenge: bool) -> str:
    names = {
        "host": lobby.host.username,
        "name": lobby.invited.username if lobby.invited is not None else "",
    }
    if is_challenge:
        return _("Challenge from %(host)s") % names
    if is_host and lobby.invited_id is not None:
        return _("Your challenge to %(name)s") % names
    return _("Your lobby") if is_host else _("%(host)s’s lobby") % names
