"""Names of the spectators of games, for presence messages.

A spectator who may be named is counted under a key of its own beside its audience. The keys travel
between processes with the viewer counts; each process reads the names itself.
"""

from collections import Counter
from collections.abc import Iterable

from accounts.models import User
from play.runtime.game_service import GameService

MAX_NAMES = 30  # in one presence message, and keys that one process tells of a topic
MAX_CACHED_NAMES = 5_000
KEY_PREFIX = "user:"


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
    """The names of viewers that one process has read."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._names: dict[int, str] = {}  # empty: deleted

    def unknown(self, counts: Counter[str]) -> set[int]:
        """Return the named viewers whose names have not been read."""
        return {user for user in named_users(counts) if user not in self._names}

    async def learn(self, users: set[int]) -> None:
        """Read the names of users."""
        if len(self._names) + len(users) > MAX_CACHED_NAMES:
            self._names.clear()
        found = await self._games.run_in_db_thread(_read_names, users)
        self._names.update({user: found.get(user, "") for user in users})

    def forget(self, user: int) -> None:
        """Read the name of a user anew when it is needed."""
        self._names.pop(user, None)

    def shown(self, counts: Counter[str]) -> list[str]:
        """Return the names to show, sorted without regard to case."""
        names = (self._names.get(user, "") for user in named_users(counts))
        return sorted((name for name in names if name), key=str.lower)


def _read_names(users: set[int]) -> dict[int, str]:
    return dict(User.objects.filter(pk__in=users).values_list("pk", "username"))
