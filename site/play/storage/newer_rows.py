"""Read what has changed of games that are held in memory: two queries for any number of games.

Rows are read as tuples: model instances, and queries that the ORM builds anew each time, took
several times as much CPU.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar, cast

from django.db import connection

from games.core import Role
from play.domain.game_state import GameState, Person

T = TypeVar("T")
MAX_GAMES_PER_QUERY = 1_000  # SQLite takes 32,766 parameters
# The games, and of those with another rev the steps that the held state lacks. After a takeback
# these are all that stand.
NEWER_SQL = """
WITH held(game, rev, step, takebacks) AS (VALUES {marks})
SELECT game.id, game.slug, game.rev, game.head, game.changed, game.ended, game.step,
game.takebacks, game.times, game.offers, game.winner, game.goals, game.reason,
step.number, step.joint, step.spent, step.seals, step.is_ahead, step.at
FROM held JOIN play_game AS game ON game.id = held.game
LEFT JOIN play_step AS step ON game.rev <> held.rev AND step.game_id = game.id
AND step.number >= CASE WHEN game.takebacks = held.takebacks THEN held.step ELSE 0 END
AND step.number < game.step AND (step.undone IS NULL OR step.undone > game.rev)
ORDER BY game.id, step.number, step.id
"""
PEOPLE_SQL = """
SELECT seat.game_id, seat.role, person.id, person.username, person.is_guest, person.is_bot,
person.level FROM play_seat AS seat JOIN accounts_user AS person
ON person.id = seat.user_id WHERE seat.game_id IN ({marks})
"""


class GameRow(NamedTuple):
    """The columns of a game that change."""

    pk: int
    slug: str
    rev: int
    head: str
    changed: int
    ended: int | None
    step: int
    takebacks: int
    times: str
    offers: str
    winner: str
    goals: str
    reason: str


class StepRow(NamedTuple):
    """The columns of a step that are needed to play it."""

    number: int
    joint: str
    spent: str
    seals: str
    is_ahead: bool
    at: int


class Newer(NamedTuple):
    """A game as it is stored: its row, and what the held state lacks if it has another rev."""

    row: GameRow
    steps: Sequence[StepRow]


def read_newer(lives: Sequence[GameState]) -> dict[int, Newer]:
    """Return what is stored of some games, by id; games that were deleted are left out."""
    found: dict[int, Newer] = {}
    for some in _parts(lives):
        values = [number for each in some for number in _held(each)]
        with connection.cursor() as cursor:
            cursor.execute(NEWER_SQL.format(marks=_marks("(%s, %s, %s, %s)", some)), values)
            found.update(_gather(cursor.fetchall()))
    return found


def read_people(games: Sequence[int]) -> Mapping[int, Mapping[Role, Person]]:
    """Return the holders of the seats of some games, under their current names."""
    people: defaultdict[int, dict[Role, Person]] = defaultdict(dict)
    for some in _parts(games):
        with connection.cursor() as cursor:
            cursor.execute(PEOPLE_SQL.format(marks=_marks("%s", some)), list(some))
            for game, role, user, name, guest, bot, level in cursor.fetchall():
                people[game][cast(Role, role)] = Person(user, name, bool(guest), bool(bot), level)
    return people


def _held(live: GameState) -> tuple[int, int, int, int]:
    return live.id, live.rev, live.step, live.takebacks


def _parts(every: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(every), MAX_GAMES_PER_QUERY):
        yield every[start : start + MAX_GAMES_PER_QUERY]


def _marks(mark: str, every: Sequence[object]) -> str:
    return ", ".join([mark] * len(every))


def _gather(rows: Sequence[tuple[object, ...]]) -> dict[int, Newer]:
    """Return games from joined rows, one for each step; of steps of a number the first counts."""
    width = len(GameRow.__annotations__)
    games: dict[int, GameRow] = {}
    steps: defaultdict[int, dict[int, StepRow]] = defaultdict(dict)
    for columns in rows:
        row = GameRow(*columns[:width])  # type: ignore[arg-type]
        games.setdefault(row.pk, row)
        if columns[width] is not None:
            step = StepRow(*columns[width:])  # type: ignore[arg-type]
            steps[row.pk].setdefault(step.number, step)
    return {pk: Newer(row, list(steps[pk].values())) for pk, row in games.items()}
