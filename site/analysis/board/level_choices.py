"""Levels of the computer on offer for playing on from a position of an analysis."""

from typing import Any, Final

from accounts.people.computer_users import NAMES
from bots import thought_log
from games.players.levels import levels_of
from play.domain.game_state import GameState

FIRST_LEVEL: Final = 3  # preselected where no game against a level is analysed


def level_choices(key: str, game: GameState | None) -> list[dict[str, Any]]:
    """Return the levels that play a rule set here; that of an analysed game is chosen."""
    people = game.people.values() if game is not None else ()
    chosen = next((each.level for each in people if each.level), FIRST_LEVEL)
    off = thought_log.state()["off"][key]
    return [
        {
            "number": level.number,
            "name": NAMES[level.number - 1],
            "is_chosen": level.number == chosen,
        }
        for level in levels_of(key)
        if level.number not in off
    ]
