"""Public lists of open lobbies and running games.

Many events may change them, so they are read at most once a second. `rev` counts, per process,
how often the content changed. Cached items hold no translated texts; these are added per language.

A rule set may be withdrawn and a position may be damaged; rows that cannot be read are skipped, so
that a list shows the others.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from logging import Logger
from typing import Any, TypeVar

from django.db import DatabaseError
from django.db.models import Count, Max, Prefetch, Window, prefetch_related_objects
from django.urls import reverse
from django.utils.translation import override

from games.catalogue import RULES, rules_of
from games.core import Role, View
from lobby.game_texts import figure_of, kind_of, name_of
from lobby.lobby_options import clock_label
from lobby.models import Lobby
from play.domain import visibility
from play.domain.clocks import now
from play.domain.encoding import Frame, encode_frame
from play.domain.game_state import GameState
from play.domain.snapshot import ShownStep
from play.domain.wire_types import Outgoing, Shown
from play.models import Game, Seat
from play.runtime.runtime import WebRuntime
from play.runtime.topics import TopicSource

READ_INTERVAL_S = 1.0  # between two reads of one list
MAX_LOBBIES = 30
MAX_GAMES = 24
MOVED_WITHIN_MS = 24 * 60 * 60 * 1000  # since the last change; older running games are not listed
ALWAYS_NEWER_REV = 2**62
ALL = Window(Count("pk"))  # total rows, listed or not
SEATED = Prefetch("seats", Seat.objects.select_related("user"))
log = logging.getLogger("quiver.lobby")
Item = Mapping[str, Any]
R = TypeVar("R")
T = TypeVar("T")
# Logger and row of each skipped row, so that it is logged once.
log_unreadable: set[tuple[str, str]] = set()


class ListedLobby(Shown, frozen=True):
    """An open lobby."""

    code: str
    key: str
    clock: str
    host: str
    created: int
    seen: str
    figure: str
    open: Sequence[Role]
    url: str
    sit: str
    age: int  # seconds
    name: str


class ListedGame(Shown, frozen=True):
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
    white_is: str
    black_is: str


class ListsState(Outgoing, frozen=True, tag="lists"):
    """The open lobbies and running games."""

    rev: int
    now: int
    lobbies: Sequence[ListedLobby]
    games: Sequence[ListedGame]
    boards: Mapping[str, ListedGame]  # the newest of each rule set in which somebody has moved
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Lists:
    """The open lobbies and running games at one moment."""

    rev: int
    lobbies: tuple[Item, ...]
    games: tuple[Item, ...]
    boards: Mapping[str, Item]  # the newest game of each rule set in which somebody has moved
    counts: Mapping[str, int]  # totals, listed or not


def list_frame(lists: Lists) -> dict[str, Any]:
    """Returns the lists as pages receive them, in the active language, with ages as of now."""
    at = now()
    lobbies = [{**item, "age": max(0, at - item["created"]) // 1000} for item in lists.lobbies]
    return {
        "t": "lists",
        "rev": lists.rev,
        "now": at,
        "lobbies": [_translate_item(item) for item in lobbies],
        "games": [_translate_item(item) for item in lists.games],
        "boards": {key: _translate_item(item) for key, item in lists.boards.items()},
        "counts": lists.counts,
    }


def _translate_item(item: Item) -> Item:
    key, clock = item["key"], item["clock"]
    kinds = {f"{role}_is": kind_of(is_bot) for role, is_bot in item.get("bots", {}).items()}
    return {**item, **kinds, "name": name_of(key), "clock": clock_label(key, clock)}


def initial_frame(key: str = "") -> dict[str, Any]:
    """Returns the frame for a page being rendered; last moves are sent by its socket."""
    rows = _read_rows(key)
    games = tuple(readable_rows(rows.games, _game_item, log))
    boards = {item["key"]: item for item in readable_rows(rows.newest, _game_item, log)}
    return list_frame(Lists(-1, rows.lobbies, games, boards, rows.counts))


class CachedQuery:
    """Reads the lists of one rule set, or of all, for the sockets of one process."""

    def __init__(self, runtime: WebRuntime, key: str) -> None:
        self._runtime = runtime
        self._key = key
        self._latest: Lists | None = None
        self._at = -READ_INTERVAL_S  # start of the last read, on the loop's clock
        self._reading: asyncio.Task[Lists] | None = None  # the query that runs, or ran last
        self._next: asyncio.Task[Lists] | None = None  # one that has not begun

    async def read(self) -> Lists:
        """Returns lists with all that was committed before the call.

        Callers share the next query; one that has begun may miss the commit that they heard of.
        """
        if self._next is None:
            self._next = asyncio.create_task(self._read(self._reading))
        return await asyncio.shield(self._next)

    async def _read(self, previous: asyncio.Task[Lists] | None) -> Lists:
        if previous is not None:
            await asyncio.wait([previous])  # so that revs grow in the order of the queries
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._at + READ_INTERVAL_S - loop.time()))
        self._at = loop.time()
        self._reading, self._next = self._next, None
        rows = await self._runtime.games.run_in_db_thread(_read_rows, self._key)
        # `newest` was read first: a game that changed in between is then new in both.
        newest = await _live_items(self._runtime, rows.newest)
        games = await _live_items(self._runtime, rows.games)
        boards = {item["key"]: item for item in newest}
        old = self._latest
        fresh = Lists(old.rev if old else 1, rows.lobbies, games, boards, rows.counts)
        if fresh != old:
            self._latest = replace(fresh, rev=fresh.rev + 1)
        return self._latest  # type: ignore[return-value]

    async def stop(self) -> None:
        """Cancels the reads that are under way, before the database threads are closed."""
        tasks = [task for task in (self._next, self._reading) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class CachedQueries:
    """Cached queries of one process by rule set; the empty key is for all rule sets."""

    def __init__(self, runtime: WebRuntime) -> None:
        self._readers = {key: CachedQuery(runtime, key) for key in ("", *RULES)}

    async def read(self, key: str) -> Lists | None:
        """Returns the lists of a rule set, or None for an unknown key."""
        reader = self._readers.get(key)
        return await reader.read() if reader else None

    async def stop(self) -> None:
        """Cancels the reads that are under way."""
        for reader in self._readers.values():
            await reader.stop()


class ListsSource(TopicSource[Lists]):
    """Frames of `("lists", key)`; an audience is a language, the empty key all rule sets."""

    def __init__(self, runtime: WebRuntime) -> None:
        self._queries = CachedQueries(runtime)

    async def load(self, ident: str) -> Lists | None:
        """Returns the lists of a rule set, or None for an unknown key."""
        return await self._queries.read(ident)

    async def close(self) -> None:
        """Cancels the reads that are under way."""
        await self._queries.stop()

    def rev(self, lists: Lists) -> int:
        """Returns the rev, which grows when the shown content changes."""
        return lists.rev

    def render(self, lists: Lists, audience: str) -> Frame:
        """Returns the frame in a language."""
        with override(audience):
            return encode_frame(ListsState.of(list_frame(lists)))

    def revs(self, idents: Sequence[str]) -> dict[str, int]:
        """Returns a rev newer than any: each commit may have changed the lists."""
        return dict.fromkeys(idents, ALWAYS_NEWER_REV)


@dataclass(frozen=True, slots=True)
class Rows:
    """Database rows for the lists."""

    lobbies: tuple[Item, ...]
    games: list[Game]  # running, the newest first
    newest: list[Game]  # one of each rule set in which somebody has moved
    counts: Mapping[str, int]


def _read_rows(key: str = "") -> Rows:
    """Reads the lists of one rule set, or of all, in a constant number of queries."""
    at = now()
    lobbies = Lobby.objects.listed(at).select_related("host", "one", "two").annotate(count=ALL)
    games = Game.objects.live().public().filter(changed__gt=at - MOVED_WITHIN_MS)
    if key:
        lobbies, games = lobbies.filter(rules=key), games.filter(rules=key)
    moved = games.filter(step__gt=0).values("rules").annotate(top=Max("pk"))
    newest = list(games.filter(pk__in=moved.order_by().values("top")))
    shown = list(games.annotate(count=ALL).order_by("-created")[:MAX_GAMES])
    prefetch_related_objects([*shown, *newest], SEATED)
    first = list(lobbies[:MAX_LOBBIES])
    counts = {"lobbies": _count_rows(first), "games": _count_rows(shown)}
    return Rows(tuple(readable_rows(first, _lobby_item, log)), shown, newest, counts)


def _count_rows(rows: Sequence[Any]) -> int:
    """Returns the total number of rows, of which these are the first."""
    return rows[0].count if rows else 0


def _lobby_item(lobby: Lobby) -> Item:
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


def _game_item(game: Game) -> Item:
    """Returns a running game's item from its row.

    A position holds no secrets: sealed actions are stored outside it.
    """
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


async def _live_item(runtime: WebRuntime, game: Game) -> Item | None:
    """Returns a game's item with its last moves and spectators, from this process's memory."""
    live: GameState | None = await runtime.games.find(game.slug)
    if live is not None and live.rev < game.rev:
        live = await runtime.games.renew(game.slug)
    if live is None:
        return None
    watchers = runtime.hub.everywhere(("game", game.slug))["spectator"]
    item = {**visibility.summary(live), "url": game.get_absolute_url(), "watchers": watchers}
    bots = {role: person.bot for role, person in live.people.items()}
    return {**item, "bots": bots, "clock": game.clock}


async def _live_items(runtime: WebRuntime, rows: Sequence[Game]) -> tuple[Item, ...]:
    items = []
    for row in rows:
        with skip_unreadable(row, log):
            if item := await _live_item(runtime, row):
                items.append(item)
    return tuple(items)


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
