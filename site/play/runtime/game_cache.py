"""Cache of game states, bounded by their size in bytes and dropped least recently used first.

A game in use is kept: the hub or a pending command references its state anyway, so dropping it
would free nothing and cost a read. `GameLocks`: one task of the event loop changes a game at a
time, in order of arrival; an `asyncio.Lock` would have to be made for every action.
"""

import asyncio
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum

from msgspec import Struct

from play.domain.game_state import GameState

MEASURE_INTERVAL = 128  # revs after which a size is estimated again, which takes some 100 µs
MAX_EXAMINED = 4  # games that are examined for each one that is cached
ENTRY_BYTES = 256  # of the cache itself, for each game
ATOMS = (str, bytes, int, float)


class CachedGame:
    """A cached state, and its size in bytes when it was estimated last."""

    __slots__ = ("game", "measured_rev", "size")

    def __init__(self, game: GameState) -> None:
        self.game = game
        self.measured_rev = game.rev
        self.size = ENTRY_BYTES + estimate_bytes(game)


class GameCache:
    """The newest known state of each game, by slug.

    `is_in_use` is asked, with a slug, before a game is dropped. `max_bytes` bounds the games that
    nobody uses; a game takes some 4 KB.
    """

    def __init__(self, is_in_use: Callable[[str], bool], max_bytes: int) -> None:
        self._entries: OrderedDict[str, CachedGame] = OrderedDict()  # the last one was used last
        self._is_in_use = is_in_use
        self._max_bytes = max_bytes
        self.size = 0  # bytes, estimated

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, slug: str) -> bool:
        return slug in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __getitem__(self, slug: str) -> GameState:
        return self._entries[slug].game

    def values(self) -> list[GameState]:
        """Return all cached games, the least recently used one first; called by any thread."""
        entries = list(self._entries.values())  # copied at once: another thread may call this
        return [entry.game for entry in entries]

    def find(self, slug: str) -> GameState | None:
        """Return a game and note that it was used; None if it is not cached."""
        entry = self._entries.get(slug)
        if entry is None:
            return None
        self._entries.move_to_end(slug)
        return entry.game

    def find_many(self, slugs: Iterable[str]) -> dict[str, GameState]:
        """Return the cached ones of some games, and note that they were used."""
        return {slug: game for slug in slugs if (game := self.find(slug)) is not None}

    def hold(self, game: GameState) -> GameState:
        """Cache and return the newer of two states of a game; drop games that no longer fit."""
        entry = self._entries.get(game.slug)
        if entry is None:
            entry = self._entries[game.slug] = CachedGame(game)
            self.size += entry.size
        else:
            self._entries.move_to_end(game.slug)
            if game.rev > entry.game.rev:
                self._replace(entry, game)
        if self.size > self._max_bytes:
            self._evict()
        return entry.game

    def drop(self, slug: str) -> None:
        """Forget a game, if it is cached."""
        entry = self._entries.pop(slug, None)
        if entry is not None:
            self.size -= entry.size

    def clear(self) -> None:
        """Forget all games."""
        self._entries.clear()
        self.size = 0

    def _replace(self, entry: CachedGame, game: GameState) -> None:
        """Put a newer state into an entry; estimate its size only now and then."""
        entry.game = game
        if game.rev - entry.measured_rev >= MEASURE_INTERVAL:
            self.size -= entry.size
            entry.size = ENTRY_BYTES + estimate_bytes(game)
            entry.measured_rev = game.rev
            self.size += entry.size

    def _evict(self) -> None:
        """Drop games that nobody uses, the least recently used first, until the others fit.

        Examine a bounded number, so that the cost of caching a game does not grow with the number
        of games in use; those count as used now, so that others are examined next time. The game
        that was cached last stays.
        """
        for _ in range(min(MAX_EXAMINED, len(self._entries) - 1)):
            slug = next(iter(self._entries))
            if self._is_in_use(slug):
                self._entries.move_to_end(slug)
            else:
                self.drop(slug)
            if self.size <= self._max_bytes:
                return


def estimate_bytes(game: GameState) -> int:
    """Return the memory of a game in bytes: its parts by `sys.getsizeof`, each counted once.

    The rules are left out, because all games of a rule set share them. Parts that a game shares
    with others, such as short strings, are counted for each, so that the estimate is an upper
    bound.
    """
    total, seen, pending = 0, set[int](), [*_parts(game)]
    total += sys.getsizeof(game)
    while pending:
        part = pending.pop()
        if id(part) in seen or part is None or isinstance(part, bool | Enum | type):
            continue
        seen.add(id(part))
        total += sys.getsizeof(part)
        if not isinstance(part, ATOMS):
            pending.extend(_parts(part))
    return total


def _parts(value: object) -> list[object]:
    """Return the objects that a value directly refers to."""
    if isinstance(value, GameState):
        fields = (name for name in value.__struct_fields__ if name != "rules")
        return [getattr(value, name) for name in fields]
    if isinstance(value, Struct):
        return [getattr(value, name) for name in value.__struct_fields__]
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    if isinstance(value, tuple | list | set | frozenset):
        return [*value]
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    found = [getattr(value, name) for name in slots if hasattr(value, name)]
    return [*found, getattr(value, "__dict__", None)]


class GameLocks:
    """A queue for each name that is locked."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # behind the holder

    async def enter(self, name: str) -> None:
        """Acquire the lock of a name; the caller has to `leave`."""
        waiting = self._waiting.get(name)
        if waiting is None:
            self._waiting[name] = deque()
            return
        entered = asyncio.get_running_loop().create_future()
        waiting.append(entered)
        try:
            await entered
        except asyncio.CancelledError:
            if not entered.cancelled():  # the lock was passed to this task already
                self.leave(name)
            raise

    def leave(self, name: str) -> None:
        """Release the lock of a name, and pass it to the next task."""
        waiting = self._waiting[name]
        while waiting:
            entered = waiting.popleft()
            if not entered.done():
                entered.set_result(None)
                return
        del self._waiting[name]

    def is_held(self, name: str) -> bool:
        """Return whether a task holds the lock of a name."""
        return name in self._waiting

    async def end(self) -> None:
        """Wait until all tasks that hold or wait for a lock have released it."""
        for name in list(self._waiting):
            await self.enter(name)
            self.leave(name)
