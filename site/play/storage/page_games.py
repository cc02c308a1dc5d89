"""Games with all their steps, as pages show them: replayed once for each of their revs.

A page needs every step with its position, which the cached games of the game service do not keep.
One query tells whether the game that was replayed last is still the one of the database.
"""

from functools import lru_cache
from typing import Any, Final

from django.db import connection

from play.domain.game_state import GameState, ReplayedStep
from play.storage import load

MAX_GAMES: Final = 128  # a step takes about 1 KB
# All that may change on the page of a game: its rev, its end, the names of its players, and who may
# see it. Plain SQL, because each view asks.
VERSION_SQL: Final = """
SELECT game.id, game.rules, game.rev, game.head, game.ended, game.is_public, game.watch, game.lobby,
    seat.role, seat.user_id, person.username, person.is_guest, person.is_bot, person.level
FROM play_game AS game
JOIN play_seat AS seat ON seat.game_id = game.id
JOIN accounts_user AS person ON person.id = seat.user_id
WHERE game.slug = %s ORDER BY seat.role
"""
Version = tuple[tuple[Any, ...], ...]


def find(slug: str) -> tuple[GameState, list[ReplayedStep]] | None:
    """Return a game as the database has it, with its resolved steps; None if there is none.

    Both are shared by all callers, who must not change them. Raise what `load.fetch` raises.
    """
    with connection.cursor() as cursor:
        cursor.execute(VERSION_SQL, [slug])
        version = tuple(tuple(row) for row in cursor.fetchall())
    return _replay(slug, version) if version else None


@lru_cache(MAX_GAMES)
def _replay(slug: str, version: Version) -> tuple[GameState, list[ReplayedStep]] | None:
    """Load a game; the version, which is part of the key, makes a changed one be loaded anew."""
    return load.fetch_with_steps(slug)
