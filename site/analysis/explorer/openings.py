"""Read the turns played from a position, as the reader's board shows them, and newest games."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db import connection

from analysis.explorer.opening_rows import TABLE
from games.core import Rules
from games.opening_keys import MAX_TURNS, position_key, turn_of_position
from games.symmetry import canonical_position, turn_text
from play.models import Game
from watch.listed_games import SEATED

MAX_LISTED_TURNS: Final = 30  # the most frequent
MAX_NEWEST_GAMES: Final = 5
TURNS_SQL: Final = f"""
SELECT turn, white, draws, black, last_game FROM {TABLE} WHERE position = %s AND "group" = %s
ORDER BY white + draws + black DESC, last_game DESC LIMIT {MAX_LISTED_TURNS}
"""
TOTALS_SQL: Final = f"""
SELECT count(*), sum(white), sum(draws), sum(black) FROM {TABLE}
WHERE position = %s AND "group" = %s
"""


@dataclass(frozen=True, slots=True)
class Results:
    """Counts of the endings of games."""

    white: int
    draws: int
    black: int

    @property
    def games(self) -> int:
        """The number of all of them."""
        return self.white + self.draws + self.black


class TurnRow(NamedTuple):
    """A stored turn of a position and group."""

    turn: str
    white: int
    draws: int
    black: int
    last_game: int  # id


@dataclass(frozen=True, slots=True)
class ListedTurn:
    """A turn that was played from a position, as the reader's board shows it."""

    text: str
    actions: tuple[str, ...]  # canonical strings
    results: Results
    last_game: int  # id


@dataclass(frozen=True, slots=True)
class Opening:
    """The turns played from a position, in the order of their number of games."""

    results: Results
    turns: tuple[ListedTurn, ...]
    left_out: int  # turns that are not listed


NOTHING_PLAYED: Final = Opening(Results(0, 0, 0), (), 0)


def read_opening(rules: Rules[Any], state: Any, group: str) -> Opening:
    """Return the turns that one of `groups.GROUPS` played from a position; at most two queries.

    Nothing is known within a turn, and from the position after turn `MAX_TURNS` on.
    """
    position = canonical_position(rules, state)
    if position is None or rules.turns(state) >= MAX_TURNS:
        return NOTHING_PLAYED
    rows, count, total = read_rows(position_key(rules, position), group)
    turns = []
    for text, white, draws, black, last_game in rows:
        actions = turn_of_position(rules, state, position, text)
        results, shown = Results(white, draws, black), turn_text(rules, actions)
        turns.append(ListedTurn(shown, tuple(map(str, actions)), results, last_game))
    return Opening(total, tuple(turns), count - len(turns))


def read_rows(position: int, group: str) -> tuple[list[TurnRow], int, Results]:
    """Return the most frequent turns of a group in a position, the number of all, and its results.

    The database adds up only where there are more turns than are listed.
    """
    with connection.cursor() as cursor:
        cursor.execute(TURNS_SQL, [position, group])
        rows = [TurnRow(*row) for row in cursor.fetchall()]
        if len(rows) < MAX_LISTED_TURNS:
            white = sum(row.white for row in rows)
            draws = sum(row.draws for row in rows)
            return rows, len(rows), Results(white, draws, sum(row.black for row in rows))
        cursor.execute(TOTALS_SQL, [position, group])
        count, *sums = map(int, cursor.fetchone())
        return rows, count, Results(*sums)


def newest_games(opening: Opening) -> list[Game]:
    """Return the newest games among the last ones of the listed turns, with their players.

    Hidden games and games with a deleted player are left out.
    """
    games = Game.objects.counted().public().without_deleted_users()
    found = games.filter(pk__in=[turn.last_game for turn in opening.turns])
    return list(found.order_by("-ended").prefetch_related(SEATED)[:MAX_NEWEST_GAMES])
