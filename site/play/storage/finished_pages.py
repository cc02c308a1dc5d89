"""Versions of the pages of finished games: one query tells whether a cached page is still right."""

from dataclasses import dataclass
from typing import Any

from django.db import connection

from games.core import Role

# The only data that may still change on the page of an ended game: the names of its players, and
# whether it is public. Plain SQL, because each view asks.
VERSION_SQL = """
SELECT seat.user_id, seat.role, game.rev, game.head, game.ended, game.is_public, game.watch,
    game.lobby, person.username, person.is_guest, person.is_bot, person.level
FROM play_game AS game
JOIN play_seat AS seat ON seat.game_id = game.id
JOIN accounts_user AS person ON person.id = seat.user_id
WHERE game.slug = %s AND game.ended IS NOT NULL ORDER BY seat.role
"""


@dataclass(frozen=True, slots=True)
class FinishedVersion:
    """The rows on which the page of a finished game depends."""

    rows: tuple[tuple[Any, ...], ...]  # one of each seat

    def role_of(self, user: int | None) -> Role | None:
        """Return the role of a user in the game; None for all but its players."""
        return next((row[1] for row in self.rows if row[0] == user), None)


def read_version(slug: str) -> FinishedVersion | None:
    """Return the version of a game's page; None for a game that runs, or that is not there."""
    with connection.cursor() as cursor:
        cursor.execute(VERSION_SQL, [slug])
        rows = tuple(tuple(row) for row in cursor.fetchall())
    return FinishedVersion(rows) if rows else None
