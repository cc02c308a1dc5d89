"""Names and ratings of viewers, which each process reads itself, and whom they block."""

from collections import Counter
from dataclasses import dataclass

from accounts.models import User
from accounts.people.blocks import blocked_ids_of
from play.domain import clocks
from play.rating_source import NO_TEXTS, PoolTexts, rating_source
from play.runtime.game_service import GameService
from play.runtime.presence import named_users

MAX_CACHED_NAMES = 5_000
RATINGS_KEPT_MS = 10 * 60 * 1000  # after which they are read again, with the name


@dataclass(frozen=True, slots=True)
class Viewer:
    """A spectator as read at a time (epoch ms)."""

    user: int
    name: str  # empty: deleted
    ratings: PoolTexts
    blocked: frozenset[int]  # users whom it blocks or who block it: the name is hidden from them
    at: int


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

    def shown(self, counts: Counter[str]) -> list[Viewer]:
        """Return the viewers to name, sorted without regard to case."""
        found = (self._viewers.get(user) for user in named_users(counts))
        named = [viewer for viewer in found if viewer is not None and viewer.name]
        return sorted(named, key=lambda viewer: viewer.name.lower())


def _read_viewers(users: set[int]) -> dict[int, Viewer]:
    """Read users in a few queries; those who are not found have no name."""
    names = dict(User.objects.filter(pk__in=users).values_list("pk", "username"))
    ratings = rating_source().read_people(users)
    blocked, at = blocked_ids_of(users), clocks.now()
    return {
        user: Viewer(
            user,
            names.get(user, ""),
            ratings.get(user, NO_TEXTS),
            frozenset(blocked.get(user, ())),
            at,
        )
        for user in users
    }
