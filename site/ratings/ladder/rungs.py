"""Rules of the ladder. Pure.

A rung is a level of a board game, beaten in two of three games in a row with both sides in them. A
game with a takeback counts for nothing, as if it had not been played.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.catalogue import RULES

# Without Blotto, whose levels are coin tosses to each other.
BOARD_GAMES: Final = tuple(key for key, rules in RULES.items() if not rules.is_simultaneous)
GAMES_A_RUNG: Final = 3
WINS_A_RUNG: Final = 2


@dataclass(frozen=True, slots=True)
class Played:
    """A person's game against a level, without takebacks."""

    role: str
    is_won: bool


def games_of_rung(games: Sequence[Played]) -> int:
    """Return how many of the newest games make a rung: 2, 3, or 0 for none.

    `games` is one person's against one level, oldest first.
    """
    for count in range(WINS_A_RUNG, GAMES_A_RUNG + 1):
        newest = games[-count:]
        wins = sum(game.is_won for game in newest)
        roles = {game.role for game in newest}
        if len(newest) == count and wins >= WINS_A_RUNG and len(roles) == 2:
            return count
    return 0


def side_to_play(games: Sequence[Played]) -> str | None:
    """Return the side still to be won after a win with the other one; None if either will do.

    `games` as for `games_of_rung`; the person does not hold the rung.
    """
    if not games or not games[-1].is_won:
        return None
    return "black" if games[-1].role == "white" else "white"
