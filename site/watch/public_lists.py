"""Public lists of open lobbies and running games, and the game of the large board.

Many events may change them, so they are read at most once a second. `rev` counts, per process,
how often the content changed. Cached items hold no translated texts; these are added per language.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from games.catalogue import RULES
from play.domain.clocks import now
from play.domain.wire_types import Frame, Outgoing, encode_frame
from play.game_texts import kind_of, name_of
from play.models import FRESH_MS, Game, Seat
from play.runtime.runtime import WebRuntime
from play.runtime.topics import TopicSource
from play.time_controls import clock_label
from ratings.shown_ratings import PeopleRatings
from watch.featured import Candidate, Featured, FeaturedGame, featured_texts
from watch.list_rows import Rows, read_rows
from watch.listed_games import (
    Item,
    ListedGame,
    ListedLobby,
    Stamp,
    game_item,
    live_item,
    read_stamp,
    readable_rows,
    skip_unreadable,
)

READ_INTERVAL_S = 1.0  # between two reads of one list
RECHECK_INTERVAL_S = FRESH_MS / 1000  # games leave the lists by the passing of time alone
MIN_SHOWN_PEOPLE = 5  # a smaller number would make the site look empty
ALWAYS_NEWER_REV = 2**62
UNRELATED_INTERVAL_S = 5.0  # between two reads after commits that change no game and no lobby
HIDDEN = ("is_rated", "ratings")  # of an item; pages see the texts that are made of them
log = logging.getLogger("quiver.watch")


class ListsState(Outgoing, frozen=True, tag="lists"):
    """The open lobbies and running games."""

    rev: int
    now: int
    lobbies: Sequence[ListedLobby]
    games: Sequence[ListedGame]
    boards: Mapping[str, ListedGame]  # the newest of each rule set in which somebody has moved
    counts: Mapping[str, int]
    featured: FeaturedGame | None  # the game of the large board
    here: str  # the numbers of people and games as a text; empty if they are too small to show


@dataclass(frozen=True, slots=True)
class Lists:
    """The open lobbies and running games at one moment."""

    rev: int
    lobbies: tuple[Item, ...]
    games: tuple[Item, ...]
    boards: Mapping[str, Item]  # the newest game of each rule set in which somebody has moved
    counts: Mapping[str, int]  # totals, listed or not
    featured: Featured | None = None
    here: int = 0  # people on the site; 0 if they are too few to show

    def without(self, names: Collection[str], reader: str) -> "Lists":
        """Returns the lists without the lobbies and games of some people; the counts stay.

        Games of the reader stay too.
        """

        def is_shown(game: Item) -> bool:
            players = {game["white"], game["black"]}
            return reader in players or players.isdisjoint(names)

        return replace(
            self,
            lobbies=tuple(item for item in self.lobbies if item["host"] not in names),
            games=tuple(filter(is_shown, self.games)),
            boards={key: item for key, item in self.boards.items() if is_shown(item)},
            featured=self.featured if self.featured and is_shown(self.featured.item) else None,
        )


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
        "featured": lists.featured and _translate_featured(lists.featured),
        "here": _people_text(lists.here, lists.counts["games"]) if lists.here else "",
    }


def _people_text(people: int, games: int) -> str:
    """Returns the text with the numbers of people and of their games."""
    here = ngettext("%(count)s player here", "%(count)s players here", people) % {"count": people}
    played = ngettext("%(count)s game", "%(count)s games", games) % {"count": games}
    return f"{here} · {played}" if games else here


def _translate_featured(featured: Featured) -> Item:
    """Returns the game of the large board; the label above it says which games are computers'."""
    kinds = {f"{role}_is": "" for role, is_bot in featured.item["bots"].items() if is_bot}
    return {**_translate_item(featured.item), **kinds, **featured_texts(featured)}


def _translate_item(item: Item) -> Item:
    key, clock = item["key"], item["clock"]
    ratings = item.get("ratings", {})
    kinds = {
        f"{role}_is": kind_of(is_bot) or ratings.get(role, "")
        for role, is_bot in item.get("bots", {}).items()
    }
    terms = clock_label(key, clock)
    if item.get("is_rated"):
        terms = f"{terms} · " + _("Rated")
    shown = {name: value for name, value in item.items() if name not in HIDDEN}
    return {**shown, **kinds, "name": name_of(key), "clock": terms}


def initial_frame(key: str = "") -> dict[str, Any]:
    """Returns the frame for a page being rendered; last moves are sent by its socket."""
    return list_frame(stored_lists(key))


def stored_lists(key: str = "") -> Lists:
    """Returns the lists as the database has them, without last moves and spectators."""
    rows = read_rows(key)
    show = partial(game_item, ratings=rows.ratings)
    games = tuple(readable_rows(rows.games, show, log))
    boards = {item["key"]: item for item in readable_rows(rows.newest, show, log)}
    found = (_stored_featured(each, rows.ratings) for each in rows.featured)
    featured = next((each for each in found if each), None)
    return Lists(-1, rows.lobbies, games, boards, rows.counts, featured)


def _stored_featured(candidate: Candidate, ratings: PeopleRatings) -> Featured | None:
    """Returns the game of the large board from its row; None if it cannot be read."""
    with skip_unreadable(candidate.game, log):
        return Featured.of(candidate, game_item(candidate.game, ratings))
    return None


async def _live_featured(runtime: WebRuntime, rows: Rows) -> Featured | None:
    """Returns the first of the candidates that can be read, with its last moves if it runs."""
    for row in rows.featured:
        with skip_unreadable(row.game, log):
            if row.kind == "replay":
                return Featured.of(row, game_item(row.game, rows.ratings))
            if item := await live_item(runtime, row.game, rows.ratings):
                return Featured.of(row, item)
    return None


async def _live_items(
    runtime: WebRuntime, games: Sequence[Game], ratings: PeopleRatings
) -> tuple[Item, ...]:
    items = []
    for game in games:
        with skip_unreadable(game, log):
            if item := await live_item(runtime, game, ratings):
                items.append(item)
    return tuple(items)


class CachedQuery:
    """Reads the lists of one rule set, or of all, for the sockets of one process."""

    def __init__(self, runtime: WebRuntime, key: str) -> None:
        self._runtime = runtime
        self._key = key
        self._latest: Lists | None = None
        self._stamp: Stamp | None = None  # from just before that was read
        self._at = -READ_INTERVAL_S  # start of the last read, on the loop's clock
        self._reading: asyncio.Task[Lists] | None = None  # the query that runs, or ran last
        self._next: asyncio.Task[Lists] | None = None  # one that has not begun
        self._recheck: asyncio.TimerHandle | None = None

    async def read(self) -> Lists:
        """Returns lists that include every commit before the call.

        Callers share the next query; one that has begun may miss the commit that they heard of.
        """
        if self._next is None:
            self._next = asyncio.create_task(self._read(self._reading))
        return await asyncio.shield(self._next)

    async def read_recent(self) -> Lists:
        """Returns the lists of the last second's read if no game and no lobby has changed since.

        Else reads: a page must not be shown less than it was rendered with.
        """
        if self._reading is None or asyncio.get_running_loop().time() - self._at >= READ_INTERVAL_S:
            return await self.read()
        await asyncio.wait([self._reading])
        stamp = await self._runtime.games.run_in_db_thread(read_stamp)
        is_current = self._latest is not None and stamp == self._stamp
        return self._latest if is_current else await self.read()  # type: ignore[return-value]

    async def _read(self, previous: asyncio.Task[Lists] | None) -> Lists:
        if previous is not None:
            await asyncio.wait([previous])  # so that revs grow in the order of the queries
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._at + READ_INTERVAL_S - loop.time()))
        self._at = loop.time()
        self._reading, self._next = self._next, None
        run = self._runtime.games.run_in_db_thread
        stamp, rows, seated = await run(_read_all_rows, self._key)
        # `newest` was read first: a game that changed in between is then new in both.
        newest = await _live_items(self._runtime, rows.newest, rows.ratings)
        games = await _live_items(self._runtime, rows.games, rows.ratings)
        boards = {item["key"]: item for item in newest}
        featured = await _live_featured(self._runtime, rows)
        here, old = self._count_people(seated), self._latest
        rev = old.rev if old else 1
        fresh = Lists(rev, rows.lobbies, games, boards, rows.counts, featured, here)
        if fresh != old:
            self._latest = replace(fresh, rev=fresh.rev + 1)
        self._stamp = stamp
        self._schedule_recheck(fresh)
        return self._latest  # type: ignore[return-value]

    def _count_people(self, seated: int) -> int:
        """Returns how many people are at a game or have the front page open; 0 if few are."""
        on_front_page = self._runtime.presence.everywhere(("lists", "")).total()
        count = seated + on_front_page
        return count if count >= MIN_SHOWN_PEOPLE else 0

    def _schedule_recheck(self, lists: Lists) -> None:
        """Reads again after a while if a game that is shown may stop being played by then."""
        if self._recheck:
            self._recheck.cancel()
        is_live = lists.games or (lists.featured and lists.featured.kind != "replay")
        self._recheck = (
            asyncio.get_running_loop().call_later(
                RECHECK_INTERVAL_S, self._runtime.hub.hint, ("lists", self._key), ALWAYS_NEWER_REV
            )
            if is_live
            else None
        )

    async def stop(self) -> None:
        """Cancels the reads that are under way, before the database threads are closed."""
        if self._recheck:
            self._recheck.cancel()
        tasks = [task for task in (self._next, self._reading) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class CachedQueries:
    """Cached queries of one process by rule set; the empty key is for all rule sets."""

    def __init__(self, runtime: WebRuntime) -> None:
        self._readers = {key: CachedQuery(runtime, key) for key in ("", *RULES)}

    def of(self, key: str) -> CachedQuery | None:
        """Returns the query of a rule set, or None for an unknown key."""
        return self._readers.get(key)

    async def stop(self) -> None:
        """Cancels the reads that are under way."""
        for reader in self._readers.values():
            await reader.stop()


class ListsSource(TopicSource[Lists]):
    """Frames of `("lists", key)`; the empty key is for all rule sets.

    An audience is a language; of a reader with blocks also their name, and the names of those who
    are not shown: `en|ada|bob,eve`.
    """

    def __init__(self, runtime: WebRuntime) -> None:
        self._queries = CachedQueries(runtime)
        self._runtime = runtime
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stamp: Stamp | None = None  # as of the last call of `revs`
        self._unread: set[str] = set()  # idents of `_late_read`
        self._late_read: asyncio.TimerHandle | None = None

    async def load(self, ident: str) -> Lists | None:
        """Returns the lists of a rule set for a page that comes, or None for an unknown key."""
        self._loop = asyncio.get_running_loop()
        query = self._queries.of(ident)
        return await query.read_recent() if query else None

    async def load_many(self, idents: Sequence[str]) -> Mapping[str, Lists | BaseException | None]:
        """Returns lists that include every commit before the call, at most once a second."""
        queries = {ident: query for ident in idents if (query := self._queries.of(ident))}
        reads = (query.read() for query in queries.values())
        return dict(zip(queries, await asyncio.gather(*reads, return_exceptions=True), strict=True))

    async def close(self) -> None:
        """Cancels the reads that are under way or due."""
        if self._late_read:
            self._late_read.cancel()
        await self._queries.stop()

    def rev(self, lists: Lists) -> int:
        """Returns the rev, which grows when the shown content changes."""
        return lists.rev

    def render(self, lists: Lists, audience: str) -> Frame:
        """Returns the frame in a language, for most readers the same."""
        language, _, rest = audience.partition("|")
        reader, _, names = rest.partition("|")
        shown = lists.without(names.split(","), reader) if names else lists
        with override(language):
            return encode_frame(ListsState.of(list_frame(shown)))

    def revs(self, idents: Sequence[str]) -> dict[str, int]:
        """Returns a rev newer than any if a commit has changed a game or a lobby.

        Others change the lists seldom (presence, names): these are read again after a while.
        """
        stamp, old = read_stamp(), self._stamp
        self._stamp = stamp
        if stamp != old or self._loop is None:
            return dict.fromkeys(idents, ALWAYS_NEWER_REV)
        self._loop.call_soon_threadsafe(self._read_later, idents)
        return {}

    def _read_later(self, idents: Sequence[str]) -> None:
        """Schedules a later read of lists, together with other reads due by then."""
        self._unread.update(idents)
        if self._late_read is None:
            loop = asyncio.get_running_loop()
            self._late_read = loop.call_later(UNRELATED_INTERVAL_S, self._read_unread)

    def _read_unread(self) -> None:
        self._late_read = None
        for ident in self._unread:
            self._runtime.hub.hint(("lists", ident), ALWAYS_NEWER_REV)
        self._unread.clear()


def _read_all_rows(key: str) -> tuple[Stamp, Rows, int]:
    """Reads the stamp, then the lists and the number of people at a game with its page open.

    That number is 0 for a rule set.
    """
    return read_stamp(), read_rows(key), 0 if key else _count_seated(now())


def _count_seated(at: int) -> int:
    """Returns how many people have the page of a running game open."""
    # Computer players have no page. A join of users would read all of them, running games or not.
    seats = Seat.objects.running().filter(seen__gt=at - FRESH_MS)
    return len(set(seats.order_by().values_list("user", flat=True)))
