"""The lists of open lobbies and of games being played, for the pages that show them live.

Anything may change them, so they are read at most once a second, however many hints come; and
their `rev` is the moment at which their content was first seen.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from games.catalogue import rules_of
from lobby.models import Lobby
from lobby.options import clock_label
from lobby.rows import leaving_out, readable
from lobby.words import figure_of, name_of
from play import sight
from play.clocks import now
from play.desk import desk
from play.hub import hub
from play.live import Live
from play.models import Game
from play.perloop import per_loop

EVERY = 1.0  # seconds between two readings
MOST_LOBBIES = 30
MOST_GAMES = 24
MOVED_WITHIN = 24 * 60 * 60 * 1000  # ms; a game in which nobody moves is not worth watching
log = logging.getLogger("quiver.lobby")
Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lists:
    """What is open and what is played at one moment."""

    rev: int
    lobbies: tuple[Item, ...]
    games: tuple[Item, ...]
    counts: Mapping[str, int]  # how many there are of each, listed or not


def frame(lists: Lists) -> dict[str, Any]:
    """The lists as pages get them; ages are as of now."""
    at = now()
    lobbies = [{**item, "age": max(0, at - item["created"]) // 1000} for item in lists.lobbies]
    return {
        "t": "lists",
        "rev": lists.rev,
        "now": at,
        "lobbies": lobbies,
        "games": lists.games,
        "counts": lists.counts,
    }


def first_sight() -> dict[str, Any]:
    """The frame for a page that is being drawn: without last moves, which its socket brings."""
    lobbies, games, counts = _rows()
    return frame(Lists(-1, lobbies, tuple(readable(games, _still, log)), counts))


class Reader:
    """Reads the lists for the sockets of one event loop."""

    def __init__(self) -> None:
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
        lobbies, rows, counts = await desk().read(_rows)
        games = []
        for row in rows:
            with leaving_out(row, log):
                if item := await _moving(row):
                    games.append(item)
        old = self._latest
        if old and (old.lobbies, old.games, old.counts) == (lobbies, tuple(games), counts):
            return old
        rev = now() if old is None else max(now(), old.rev + 1)
        self._latest = Lists(rev, lobbies, tuple(games), counts)
        return self._latest


reader = per_loop(Reader)


class ListsSource:
    """Frames of `("lists", "")`, alike for everybody."""

    async def load(self, ident: str) -> Lists | None:
        """The lists; there is only one of them."""
        return None if ident else await reader().read()

    def rev(self, lists: Lists) -> int:
        """Grows with every change of what is shown."""
        return lists.rev

    def render(self, lists: Lists, audience: str) -> Mapping[str, object]:
        """The frame."""
        return frame(lists)

    def revs(self, idents: Sequence[str]) -> dict[str, int]:
        """Whatever was committed may have changed the lists: worth a reading."""
        return dict.fromkeys(idents, now())


def _rows() -> tuple[tuple[Item, ...], list[Game], dict[str, int]]:
    """Open lobbies as items, rows of games being played, the counts: always as many queries."""
    at = now()
    lobbies = Lobby.objects.listed(at).with_people()
    games = Game.objects.live().public().filter(changed__gt=at - MOVED_WITHIN)
    counts = {"lobbies": lobbies.count(), "games": games.count()}
    newest = games.order_by("-created").prefetch_related("seats__user")[:MOST_GAMES]
    return tuple(readable(lobbies[:MOST_LOBBIES], _lobby, log)), list(newest), counts


def _lobby(lobby: Lobby) -> Item:
    held = next((place for place in lobby.places if place.user), lobby.places[0])
    return {
        "code": lobby.code,
        "key": lobby.rules,
        "name": name_of(lobby.rules),
        "clock": clock_label(lobby.rules, lobby.clock),
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
    names = {seat.role: seat.user.username for seat in game.seats.all()}
    return {
        "slug": game.slug,
        "url": game.get_absolute_url(),
        "key": game.rules,
        "name": rules.name,
        "clock": clock_label(game.rules, game.clock),
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
    watchers = hub().audiences(("game", game.slug))["spectator"]
    return {**sight.summary(live), "url": game.get_absolute_url(), "watchers": watchers}
