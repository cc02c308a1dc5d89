"""Levels of the seats of computer players, as this machine can play them."""

from dataclasses import replace

from bots import worker_registry
from bots.scheduler import PendingTurn
from bots.thinking import thinker
from games.core import Role
from games.players.core import Level
from games.players.levels import is_available, level_of
from play.domain.game_state import GameState
from play.runtime.game_service import GameService
from ratings.placing.search_state import is_placement_game


class SeatLevels:
    """The levels by user, read again when an unknown user sits at a game."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._by_user: dict[int, int] = {}

    async def find(self, game: GameState, role: Role) -> Level | None:
        """Return the level of a seat; None if it is unavailable on this machine."""
        user = game.people[role].user
        if user not in self._by_user:
            self._by_user = await self._games.run_in_db_thread(worker_registry.levels)
        number = self._by_user.get(user)
        if number is None or not is_available(game.rules.key, number):
            return None
        return level_of(game.rules.key, number)

    async def adapt(self, level: Level, due: PendingTurn) -> Level:
        """Return a level as it thinks about one turn.

        Exhibitions cost little. In a placement a level has the strength with which its rating was
        measured.
        """
        if due.is_exhibition:
            return thinker.exhibition_level(level)
        if level.uses_clock and await self._games.run_in_db_thread(is_placement_game, due.live.id):
            return replace(level, uses_clock=False, ponders=False)
        return level
