"""The lists of open lobbies and of games being played, for the pages that show them live.

Anything may change them, so they are read at most once a second, however many hints come; and
their `rev` counts, for the sockets of one process, how often their content was another. What is in
them holds no words: those are added for each language.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, Max, Prefetch, Window, prefetch_related_objects
from django.urls import reverse
from django.utils.translation import override

from games.catalogue import RULES, rules_of
from lobby.models import Lobby
from lobby.options import clock_label
from lobby.rows import leaving_out, readable
from lobby.words import figure_of, kind_of, name_of
from play import sight
from play.clocks import now
from play.desk import desk
from play.frames import Frame, encoded
from play.hub import hub
from play.live import Live
from play.models import Game, Seat
from play.perloop import per_loop

EVERY = 1.0  # seconds between two readings
MOST_LOBBIES = 30
MOST_GAMES = 24
MOVED_WITHIN = 24 * 60 * 60 * 1000  # ms; a game in which nobody moves is not worth watching
ALWAYS_NEWER = 2**62
ALL = Window(Count("pk"))  # how many rows there are, listed or not
SEATED = Prefetch("seats", Seat.objects.select_related("user"))
log = logging.getLogger("quiver.lobby")
Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lists:
    """What is open and what is played at one moment."""

    rev: int
    lobbies: tuple[Item, ...]
    games: tuple[Item, ...]
    boards: Mapping[str, Item]  # the newest game of each rule set in which somebody has moved
    counts: Mapping[str, int]  # how many there are of each, listed or not


def frame(lists: Lists) -> dict[str, Any]:
    """The lists as pages get them, in the language that is active; ages are as of now."""
    at = now()
    lobbies = [{**item, "age": max(0, at - item["created"]) // 1000} for item in lists.lobbies]
    return {
        "t": "lists",
        "rev": lists.rev,
        "now": at,
        "lobbies": [_worded(item) for item in lobbies],
        "games": [_worded(item) for item in lists.games],
        "boards": {key: _worded(item) for key, item in lists.boards.items()},
        "counts": lists.counts,
    }


def _worded(item: Item) -> Item:
    key, clock = item["key"], item["clock"]
    kinds = {f"{role}_is": kind_of(is_bot) for role, is_bot in item.get("bots", {}).items()}
    return {**item, **kinds, "name": name_of(key), "clock": clock_label(key, clock)}


def first_sight(key: str = "") -> dict[str, Any]:
    """The frame for a page that is being drawn: without last moves, which its socket brings."""
    rows = _rows(key)
    games = tuple(readable(rows.games, _still, log))
    boards = {item["key"]: item for item in readable(rows.newest, _still, log)}
    return frame(Lists(-1, rows.lobbies, games, boards, rows.counts))


class Reader:
    """Reads the lists of one rule set, or of all, for the sockets of one event loop."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._latest: Lists | None = None
        self._at = -EVERY  # when the last reading began, on the loop's clock
        self._reading: asyncio.Task[Lists] | None = None

    async def read(self) -> Lists:
        """The lists as they are within a second from now; callers who wait share one reading."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read())
        return await asyncio.shield(self._reading)

    async def _read(self) -> Lists:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._at + EVERY - loop.time()))
        self._at = loop.time()
        rows = await desk().read(_rows, self._key)
        # What was read last comes first: a game that changed in between is then new in both.
        newest, games = await _all_moving(rows.newest), await _all_moving(rows.games)
        boards = {item["key"]: item for item in newest}
        old = self._latest
        fresh = Lists(old.rev if old else 1, rows.lobbies, games, boards, rows.counts)
        if fresh != old:
            self._latest = replace(fresh, rev=fresh.rev + 1)
        return self._latest  # type: ignore[return-value]


class Readers:
    """The readers of one event loop, by rule set; the empty key is for all of them."""

    def __init__(self) -> None:
        self._readers = {key: Reader(key) for key in ("", *RULES)}

    async def read(self, key: str) -> Lists | None:
        """The lists of a rule set; None if there is no such one."""
        reader = self._readers.get(key)
        return await reader.read() if reader else None


readers = per_loop(Readers)


class ListsSource:
    """Frames of `("lists", key)`, alike for everybody who reads the same language; the empty key
    is for all rule sets."""

    async def load(self, ident: str) -> Lists | None:
        """The lists of a rule set."""
        return await readers().read(ident)

    def rev(self, lists: Lists) -> int:
        """Grows with every change of what is shown."""
        return lists.rev

    def render(self, lists: Lists, audience: str) -> Frame:
        """The frame in a language."""
        with override(audience):
            return encoded(frame(lists))

    def revs(self, idents: Sequence[str]) -> dict[str, int]:
        """Whatever was committed may have changed the lists: worth a reading."""
        return dict.fromkeys(idents, ALWAYS_NEWER)


@dataclass(frozen=True, slots=True)
class Rows:
    """What the database has for the lists."""

    lobbies: tuple[Item, ...]
    games: list[Game]  # being played, the newest first
    newest: list[Game]  # one of each rule set in which somebody has moved
    counts: Mapping[str, int]


def _rows(key: str = "") -> Rows:
    """Reads the lists of one rule set, or of all: always as many queries."""
    at = now()
    lobbies = Lobby.objects.listed(at).select_related("host", "one", "two").annotate(count=ALL)
    games = Game.objects.live().public().filter(changed__gt=at - MOVED_WITHIN)
    if key:
        lobbies, games = lobbies.filter(rules=key), games.filter(rules=key)
    moved = games.filter(turn__gt=0).values("rules").annotate(top=Max("pk"))
    newest = list(games.filter(pk__in=moved.order_by().values("top")))
    shown = list(games.annotate(count=ALL).order_by("-created")[:MOST_GAMES])
    prefetch_related_objects([*shown, *newest], SEATED)
    first = list(lobbies[:MOST_LOBBIES])
    counts = {"lobbies": _count(first), "games": _count(shown)}
    return Rows(tuple(readable(first, _lobby, log)), shown, newest, counts)


def _count(rows: Sequence[Any]) -> int:
    """How many there are, of which these come first."""
    return rows[0].count if rows else 0


def _lobby(lobby: Lobby) -> Item:
    held = next((place for place in lobby.places if place.user), lobby.places[0])
    return {
        "code": lobby.code,
        "key": lobby.rules,
        "clock": lobby.clock,
        "host": lobby.host.username,
        "created": lobby.created,
        "seen": lobby.options.digest,
        "figure": figure_of(lobby.rules, held.role),
        "open": [place.role for place in lobby.places if place.user is None],
        "url": lobby.get_absolute_url(),
        "sit": reverse("lobby-act", args=[lobby.code, "sit"]),
    }


def _still(game: Game) -> Item:
    """A game by its row alone. A state holds no secrets: what is sealed lies outside it."""
    rules = rules_of(game.rules)
    seats = game.seats.all()
    names = {seat.role: seat.user.username for seat in seats}
    return {
        "bots": {seat.role: seat.user.is_bot for seat in seats},
        "slug": game.slug,
        "url": game.get_absolute_url(),
        "key": game.rules,
        "clock": game.clock,
        "white": names["white"],
        "black": names["black"],
        "view": rules.view(rules.read(game.position), None),
        "last": [],
        "watchers": None,
    }


async def _moving(game: Game) -> Item | None:
    """A game with its last moves and who watches it, from what this process holds in memory."""
    live: Live | None = await desk().find(game.slug)
    if live is not None and live.rev < game.rev:
        live = await desk().renew(game.slug)
    if live is None:
        return None
    watchers = hub().everywhere(("game", game.slug))["spectator"]
    item = {**sight.summary(live), "url": game.get_absolute_url(), "watchers": watchers}
    bots = {role: person.bot for role, person in live.people.items()}
    return {**item, "bots": bots, "clock": game.clock}


async def _all_moving(rows: Sequence[Game]) -> tuple[Item, ...]:
    items = []
    for row in rows:
        with leaving_out(row, log):
            if item := await _moving(row):
                items.append(item)
    return tuple(items)
