"""Read the changes of games held in memory, with one query for any number of games.

Rows are read as tuples: model instances, and queries that the ORM rebuilds each time, took several
times as much CPU. PostgreSQL prepares the statement once for each connection; it goes past Django's
cursors, which would write all values into a new text each time.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import msgspec
from django.db import connection

from games.core import Role
from play.domain.game_state import GameState, Person

GAME_COLUMNS = """game.id, game.slug, game.rev, game.head, game.changed, game.ended, game.step,
game.takebacks, game.claims, game.times, game.offers, game.winner, game.goals, game.reason"""
STEP_COLUMNS = "step.number, step.joint, step.spent, step.seals, step.is_ahead, step.at"
# Of games with another rev the steps that the held state lacks, by an index over those that stand:
# one statement sees the game and its steps at one rev. After a takeback these are all that stand.
FIRST_STEP = "CASE WHEN game.takebacks = held.takebacks THEN held.step ELSE 0 END"
IS_LACKING = "step.undone IS NULL AND step.number < game.step AND step.number >="
# The role of the newest entry: whose command made the rev.
ACTOR = """CASE WHEN game.rev <> held.rev THEN (SELECT entry.role FROM play_entry AS entry
WHERE entry.game_id = game.id AND entry.rev = game.rev) END"""
PERSON = "seat.role, person.id, person.username, person.is_guest, person.is_bot, person.level"
SQLITE_SQL = f"""
WITH held(game, rev, step, takebacks) AS (SELECT json_extract(value, '$[0]'),
json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]')
FROM json_each(%s))
SELECT {GAME_COLUMNS}, {ACTOR}, CASE WHEN game.rev <> held.rev THEN (
SELECT json_group_array(json_array({PERSON})) FROM play_seat AS seat
JOIN accounts_user AS person ON person.id = seat.user_id WHERE seat.game_id = game.id) END,
{STEP_COLUMNS}
FROM held JOIN play_game AS game ON game.id = held.game
LEFT JOIN play_step AS step ON game.rev <> held.rev AND step.game_id = game.id
AND {IS_LACKING} {FIRST_STEP}
ORDER BY game.id, step.number
"""
# OFFSET 0 makes PostgreSQL look up each row by its index: for a list of unknown length the planner
# would read whole tables.
POSTGRES_SQL = f"""
SELECT {GAME_COLUMNS}, {ACTOR}, people.list, {STEP_COLUMNS}
FROM (SELECT (value ->> 0)::bigint, (value ->> 1)::int, (value ->> 2)::int, (value ->> 3)::int
FROM json_array_elements(%s::json) OFFSET 0) AS held(game, rev, step, takebacks)
CROSS JOIN LATERAL (SELECT game.*, game.rev <> held.rev AS is_newer, {FIRST_STEP} AS first_step
FROM play_game AS game WHERE game.id = held.game OFFSET 0) AS game
LEFT JOIN LATERAL (SELECT json_agg(json_build_array({PERSON}))::text AS list
FROM play_seat AS seat CROSS JOIN LATERAL (
SELECT * FROM accounts_user AS person WHERE person.id = seat.user_id OFFSET 0) AS person
WHERE game.is_newer AND seat.game_id = game.id) AS people ON true
LEFT JOIN LATERAL (SELECT * FROM play_step AS step
WHERE game.is_newer AND step.game_id = game.id AND {IS_LACKING} game.first_step OFFSET 0) AS step
ON true
ORDER BY game.id, step.number
"""
PEOPLE_DECODER = msgspec.json.Decoder(
    list[tuple[str, int, str, int | bool, int | bool, int | None]]
)


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
    claims: str | None
    times: str
    offers: str
    winner: str
    goals: str
    reason: str
    actor: str | None  # of this rev; None also where the rev is the held one


class StepRow(NamedTuple):
    """The columns of a step that are needed to play it."""

    number: int
    joint: str
    spent: str
    seals: str
    is_ahead: bool
    at: int


class Newer(NamedTuple):
    """A stored game: its row, and the steps that the held state lacks if its rev differs.

    `people` are the holders of its seats under their current names.
    """

    row: GameRow
    people: Mapping[Role, Person]
    steps: Sequence[StepRow]


def read_newer(lives: Sequence[GameState]) -> dict[int, Newer]:
    """Return the stored rows of some games, by id; deleted games are left out."""
    if not lives:
        return {}
    held = msgspec.json.encode([(each.id, each.rev, each.step, each.takebacks) for each in lives])
    read = _read_postgres if connection.vendor == "postgresql" else _read_sqlite
    return _gather(read(held.decode()))


def _read_sqlite(held: str) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(SQLITE_SQL, [held])
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _read_postgres(held: str) -> Sequence[tuple[Any, ...]]:
    from psycopg import Cursor

    connection.ensure_connection()
    driver: Any = connection.connection
    driver.prepare_threshold = 0  # Django's cursors never prepare statements
    with connection.wrap_database_errors, Cursor(driver) as cursor:
        return cursor.execute(POSTGRES_SQL, [held], prepare=True).fetchall()


def _gather(rows: Sequence[tuple[Any, ...]]) -> dict[int, Newer]:
    """Return games from joined rows, one for each step; of steps of a number the first counts."""
    width = len(GameRow.__annotations__)
    games: dict[int, GameRow] = {}
    people: dict[int, Mapping[Role, Person]] = {}
    steps: defaultdict[int, dict[int, StepRow]] = defaultdict(dict)
    for columns in rows:
        pk = columns[0]
        if pk not in games:
            games[pk] = GameRow._make(columns[:width])
            people[pk] = _parse_people(columns[width]) if columns[width] else {}
        if columns[width + 1] is not None:
            step = StepRow._make(columns[width + 1 :])
            steps[pk].setdefault(step.number, step)
    return {pk: Newer(row, people[pk], list(steps[pk].values())) for pk, row in games.items()}


def _parse_people(text: str) -> Mapping[Role, Person]:
    """Return the holders of the seats of a game."""
    return {
        cast(Role, role): Person(user, name, bool(guest), bool(bot), level)
        for role, user, name, guest, bot, level in PEOPLE_DECODER.decode(text)
    }
