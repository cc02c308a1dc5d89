"""The boss of the week: a level of a board game, the same for all, from Monday to Sunday (UTC).

The choice follows from the number of the week alone, so that anybody can say the boss of any week.
Games change weekly, levels when all games have had their turn.
"""

from dataclasses import dataclass
from typing import Final

from play.domain.clocks import DAY_MS
from ratings.ladder.models import LadderGame
from ratings.ladder.rungs import BOARD_GAMES

WEEK_MS: Final = 7 * DAY_MS
FIRST_MONDAY_MS: Final = 4 * DAY_MS  # 5 January 1970
LEVELS: Final = (5, 3, 7, 4, 6, 8)


@dataclass(frozen=True, slots=True)
class Boss:
    """A week's boss; the week begins at `since` and ends before `until` (epoch ms)."""

    rules: str
    level: int
    since: int
    until: int


@dataclass(frozen=True, slots=True)
class FirstWin:
    """The first win against a boss."""

    user: str
    game: str  # slug


def boss_at(at: int) -> Boss:
    """Return the boss of the week to which a time (epoch ms) belongs."""
    week = (at - FIRST_MONDAY_MS) // WEEK_MS
    since = FIRST_MONDAY_MS + week * WEEK_MS
    turn, game = divmod(week, len(BOARD_GAMES))
    return Boss(BOARD_GAMES[game], LEVELS[turn % len(LEVELS)], since, since + WEEK_MS)


def first_win(boss: Boss) -> FirstWin | None:
    """Return the first public win against a boss in its week; one query."""
    wins = LadderGame.objects.listed().filter(
        rules=boss.rules,
        level=boss.level,
        is_won=True,
        ended__gte=boss.since,
        ended__lt=boss.until,
    )
    columns = wins.order_by("ended", "pk").values_list("user__username", "game__slug")
    row = columns.first()
    return FirstWin(*row) if row else None
