"""Names and ratings of the spectators of games, for presence messages.

A spectator is counted for everybody, and named to nobody whom it blocks or who blocks it. One who
may be named is counted under a key of its own beside its audience. The keys travel
between processes with the viewer counts; each process reads names and ratings itself.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from accounts.blocks import blocked_ids_of
from accounts.models import User
from play.domain import clocks
from play.rating_source import NO_TEXTS, PoolTexts, rating_source
from play.runtime.game_service import GameService

MAX_NAMES = 30  # in one presence message, and keys that one process sends for a topic
MAX_CACHED_NAMES = 5_000
RATINGS_KEPT_MS = 10 * 60 * 1000  # after which they are read again, with the name
KEY_PREFIX = "user:"


@dataclass(frozen=True, slots=True)
class Viewer:
    """A spectator as read at a time (epoch ms)."""

    name: str  # empty: deleted
    ratings: PoolTexts
    blocked: frozenset[int]  # users whom it blocks or who block it: the name is hidden from them
    at: int


def count_named(users: Iterable[int | None]) -> Counter[str]:
    """Return the keys of viewers that may be named (None: may not); the lowest `MAX_NAMES` ids."""
    named = sorted({user for user in users if user is not None})[:MAX_NAMES]
    return Counter({f"{KEY_PREFIX}{user}": 1 for user in named})


def named_users(counts: Counter[str]) -> list[int]:
    """Return the ids of the viewers that counts have keys of, at most `MAX_NAMES`, ascending.

    Keys come from other processes too; those that are no ids are ignored.
    """
    ids = (key.removeprefix(KEY_PREFIX) for key in counts if key.startswith(KEY_PREFIX))
    return sorted(int(text) for text in ids if text.isascii() and text.isdecimal())[:MAX_NAMES]


class ViewerNames:
    """The names and ratings of viewers that one process has read."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._viewers: dict[int, Viewer] = {}

    def unknown(self, counts: Counter[str]) -> set[int]:
        """Return the named viewers who have not been read lately."""
        oldest = clocks.now() - RATINGS_KEPT_MS
        return {
            user
            for user in named_users(counts)
            if (viewer := self._viewers.get(user)) is None or viewer.at < oldest
        }

    async def learn(self, users: set[int]) -> None:
        """Read the names and ratings of users."""
        if len(self._viewers) + len(users) > MAX_CACHED_NAMES:
            self._viewers.clear()
        self._viewers.update(await self._games.run_in_db_thread(_read_viewers, users))

    def forget(self, user: int) -> None:
        """Read the name of a user again at its next use."""
        self._viewers.pop(user, None)

    def hidden(self, counts: Counter[str]) -> frozenset[tuple[int, int]]:
        """Return the pairs of a reader and a viewer whose name the reader is not shown."""
        return frozenset(
            (reader, user)
            for user in named_users(counts)
            if (viewer := self._viewers.get(user)) is not None
            for reader in viewer.blocked
        )

    def shown(self, counts: Counter[str], pool: str) -> dict[str, str]:
        """Return the names to show, sorted without regard to case, each with its rating in a pool.

        The rating is empty for those who have none there.
        """
        found = (self._viewers.get(user) for user in named_users(counts))
        named = [viewer for viewer in found if viewer is not None and viewer.name]
        named.sort(key=lambda viewer: viewer.name.lower())
        return {viewer.name: viewer.ratings.get(pool, "") for viewer in named}


def _read_viewers(users: set[int]) -> dict[int, Viewer]:
    """Read users in a few queries; those who are not found have no name."""
    names = dict(User.objects.filter(pk__in=users).values_list("pk", "username"))
    ratings = rating_source().read_people(users)
    blocked, at = blocked_ids_of(users), clocks.now()
    return {
        user: Viewer(
            names.get(user, ""),
            ratings.get(user, NO_TEXTS),
            frozenset(blocked.get(user, ())),
            at,
        )
        for user in users
    }
