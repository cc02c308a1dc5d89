"""Load games from the database: at their current rev, and at earlier steps.

A stored game is replayed by the rules; a state held in memory is only advanced by the new steps.
Many games take as many queries as one: one query per table. Pages of games need every
step with its position: what was replayed last is kept by its rev.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from django.db import connection
from msgspec.structs import replace

from games.catalogue import UnknownRules, rules_of
from games.core import Action, Role, Rules, assemble_joint
from play.domain.clocks import Times
from play.domain.game_state import (
    Ending,
    GameState,
    Offer,
    Offered,
    Person,
    Proof,
    ReplayedStep,
    Seal,
    apply_joint,
    make_seal,
    reset_to_start,
)
from play.models import Game, Sealed, Seat, Step
from play.storage import load
from play.storage.newer_rows import GameRow, StepRow, read_newer
from telemetry.redaction import shorten_key

# The steps in the span of each game that stood at its rev.
STEPS_SQL = """
WITH span(game, rev, first, past) AS (VALUES {})
SELECT step.* FROM span JOIN play_step AS step ON step.game_id = span.game
WHERE step.number >= span.first AND step.number < span.past
AND (step.undone IS NULL OR step.undone > span.rev) ORDER BY step.game_id, step.number, step.id
"""
PROOFS = msgspec.json.Decoder(dict[Role, Proof])
SPENT = msgspec.json.Decoder(dict[Role, int])
ACTIONS = msgspec.json.Decoder(dict[str, str])
TIMES = msgspec.json.Decoder(Times)
CLAIMS = msgspec.json.Decoder(dict[Role, int])
OFFERS = msgspec.json.Decoder(dict[Offered, Offer])
log = logging.getLogger("quiver.play")


class Span(NamedTuple):
    """Steps of a game as they stood at a rev: from number `first` to before `end`."""

    game: int
    rev: int
    first: int
    end: int


class Unreadable(Exception):
    """The stored rows of a game cannot be read; the log says why."""


def fetch(slug: str) -> GameState | None:
    """Load a game by its slug and replay its steps; None if there is no such game."""
    return _require_readable(fetch_many([slug]).get(slug))


def fetch_many(
    slugs: Sequence[str], done: list[ReplayedStep] | None = None
) -> dict[str, GameState | Exception]:
    """Load games by their slugs; a game that cannot be read is an exception.

    Appends the replayed steps to `done`, for which only one game may be asked.
    """
    found: dict[str, GameState | Exception] = {}
    rows = []
    for row in Game.objects.with_actor().filter(slug__in=slugs):
        try:
            rules_of(row.rules)
            rows.append(row)
        except UnknownRules as error:
            found[row.slug] = error
    people = _load_people([row.pk for row in rows])
    read = _advance_to_rows([(_unplayed(row, people[row.pk]), row) for row in rows], done)
    return found | {row.slug: read[row.pk] for row in rows}


def fetch_with_steps(slug: str) -> tuple[GameState, list[ReplayedStep]] | None:
    """Load a game as `fetch` does, with all resolved steps and the state after each.

    The steps are replayed once for both.
    """
    done: list[ReplayedStep] = []
    game = _require_readable(fetch_many([slug], done).get(slug))
    return (game, done) if game else None


def _unplayed(row: Game, people: Mapping[Role, Person]) -> GameState:
    """Return the game of a row before its first step."""
    rules = rules_of(row.rules)
    start = rules.start()
    return GameState(
        id=row.pk,
        slug=row.slug,
        rules=rules,
        clock=row.clock,
        people=people,
        public=row.is_public,
        watch=row.watch,
        lobby=row.lobby,
        started=row.created,
        rev=-1,
        head="",
        changed=row.created,
        ended=None,
        takebacks=0,
        step=0,
        state=start,
        control=rules.control(start),
        times=Times({}, 0, frozenset()),
        sealed={},
        offers={},
        ending=None,
        quiet=0,
        placed=False,
        last=(),
        begun={},
        completed=frozenset(),
        is_rated=row.is_rated,
        is_counted=row.is_counted,
    )


def refresh(game: GameState) -> GameState | None:
    """Return the game at its current rev in the database.

    Return the same object if the rev is unchanged, and None if the game has been deleted.
    """
    return _require_readable(refresh_many([game])[0])


def refresh_many(lives: Sequence[GameState]) -> list[GameState | Unreadable | None]:
    """Return what `refresh` returns, for each of some games; an unreadable one affects no other."""
    stored = read_newer(lives)
    fresh: dict[int, GameState | Unreadable] = {
        each.id: each for each in lives if each.id in stored
    }
    newer = [each for each in lives if each.id in stored and stored[each.id].row.rev != each.rev]
    together = [stored[each.id].row for each in newer if each.rules.is_simultaneous]
    seals = _load_seals(together)
    moved = _changed_rows([row for row in together if not row.ended])
    for live in newer:
        row, people, steps = stored[live.id]
        if live.id not in moved:
            held = live if live.takebacks == row.takebacks else reset_to_start(live)
            held = replace(held, people=people)
            fresh[live.id] = _try_catch_up(held, row, steps, seals[live.id], None)
    again = [live for live in newer if live.id in moved]
    for live, read in zip(again, refresh_many(again) if again else (), strict=True):
        if read is None:
            del fresh[live.id]
        else:
            fresh[live.id] = read
    return [fresh.get(live.id) for live in lives]


def rewind_to(game: GameState, number: int) -> GameState:
    """Return the game before step `number`, replayed from the start; clocks and rev stay."""
    now = reset_to_start(game)
    for step in steps_of(game.id, game.rev, 0, number):
        now = _replay_step(now, step)
    return now


def steps_of(game: int, rev: int, first: int, end: int) -> list[Step]:
    """Return the steps from number `first` to before `end` that stood at a rev, in order.

    Later takebacks and steps do not change the result.
    """
    return _load_steps([Span(game, rev, first, end)])[game]


def _load_steps(spans: Sequence[Span]) -> Mapping[int, list[Step]]:
    """Return the steps of some games by game."""
    stood: dict[tuple[int, int], Step] = {}
    asked = [span for span in spans if span.first < span.end]
    if asked:
        marks = ", ".join("(%s, %s, %s, %s)" for _ in asked)
        values = [number for span in asked for number in span]
        for step in Step.objects.raw(STEPS_SQL.format(marks), values):
            stood.setdefault((step.game_id, step.number), step)
    steps = defaultdict(list)
    for (game, _), step in stood.items():
        steps[game].append(step)
    return steps


def _load_people(games: Sequence[int]) -> Mapping[int, Mapping[Role, Person]]:
    """Return the holders of the seats of some games, under their current names."""
    people: defaultdict[int, dict[Role, Person]] = defaultdict(dict)
    seats = Seat.objects.filter(game__in=games).order_by("pk") if games else Seat.objects.none()
    names = ("username", "is_guest", "is_bot", "level")
    about = [f"user__{name}" for name in names]
    for game, role, *person in seats.values_list("game_id", "role", "user_id", *about):
        people[game][role] = Person(*person)
    return people


def _load_seals(games: Sequence[Game | GameRow]) -> Mapping[int, list[Sealed]]:
    """Return the sealed actions of the open steps of some games."""
    numbers, seals = {row.pk: row.step for row in games}, defaultdict(list)
    for seal in Sealed.objects.filter(game__in=numbers) if numbers else ():
        if seal.number == numbers[seal.game_id]:
            seals[seal.game_id].append(seal)
    return seals


def _advance_to_rows(
    games: Sequence[tuple[GameState, Game]], done: list[ReplayedStep] | None = None
) -> dict[int, GameState | Unreadable]:
    """Advance games to their rows and return them by id; append the replayed steps to `done`.

    Steps are read up to the number in the row only: later ones belong to a later rev. Seals exist
    only in simultaneous games and may change with every commit; so these games are read again until
    no other process has committed in between. Thus a rev is never shown in two ways.
    """
    if not games:
        return {}
    held = [
        live if live.takebacks == row.takebacks else reset_to_start(live) for live, row in games
    ]
    rows = [row for _, row in games]
    steps = _load_steps(
        [Span(r.pk, r.rev, h.step, r.step) for h, r in zip(held, rows, strict=True)]
    )
    together = [row for live, row in games if live.rules.is_simultaneous]
    seals = _load_seals(together)
    moved = _changed_rows([row for row in together if not row.ended])
    read = _advance_to_rows([(live, moved[row.pk]) for live, row in games if row.pk in moved], done)
    for live, row in zip(held, rows, strict=True):
        if row.pk not in moved:
            read[row.pk] = _try_catch_up(live, row, steps[row.pk], seals[row.pk], done)
    return read


def _changed_rows(rows: Sequence[Game | GameRow]) -> dict[int, Game]:
    """Return the games that have another rev by now, with their current rows."""
    if not rows:
        return {}
    now = Game.objects.with_actor().in_bulk([row.pk for row in rows])
    return {row.pk: now[row.pk] for row in rows if row.pk in now and now[row.pk].rev != row.rev}


def _require_readable(read: GameState | Exception | None) -> GameState | None:
    """Return the loaded game. Raise the error if it could not be read."""
    if isinstance(read, Exception):
        raise read
    return read


def _try_catch_up(
    game: GameState,
    row: Game | GameRow,
    steps: Iterable[Step | StepRow],
    seals: Iterable[Sealed],
    done: list[ReplayedStep] | None,
) -> GameState | Unreadable:
    try:
        return _catch_up(game, row, steps, seals, done)
    except Exception as error:
        log.exception("game %s cannot be read", shorten_key(row.slug))
        return Unreadable(row.slug, error)


def _catch_up(
    game: GameState,
    row: Game | GameRow,
    steps: Iterable[Step | StepRow],
    seals: Iterable[Sealed],
    done: list[ReplayedStep] | None,
) -> GameState:
    """Return the game as its row says, after playing the steps that this state lacked."""
    for step in steps:
        game = _replay_step(game, step)
        if done is not None:
            done.append(ReplayedStep(game.last[-1], game.state, step.at))
    if game.step != row.step:
        raise Unreadable(f"{game.step} of {row.step} steps are stored")  # it is being deleted
    waiting = {seal.role: _parse_seal(game, seal) for seal in seals}
    return replace(
        game,
        rev=row.rev,
        head=row.head,
        changed=row.changed,
        ended=row.ended,
        takebacks=row.takebacks,
        claims=None if row.claims is None else CLAIMS.decode(row.claims),
        times=TIMES.decode(row.times),
        sealed=waiting,
        offers=OFFERS.decode(row.offers),
        actor=row.actor,
        ending=_parse_ending(row),
    )


def _replay_step(game: GameState, step: Step | StepRow) -> GameState:
    """Return the game after one more recorded step."""
    proofs = PROOFS.decode(step.seals)
    spent = SPENT.decode(step.spent)
    joint = _parse_joint(game.rules, game.state, step.joint)
    return apply_joint(game, joint, proofs, spent, bool(step.is_ahead))


def single_action(step: Step) -> str:
    """Return the canonical action of a step in which one role was in control."""
    (action,) = ACTIONS.decode(step.joint).values()
    return action


def _parse_seal(game: GameState, row: Sealed) -> Seal:
    role: Role = row.role  # type: ignore[assignment]
    return make_seal(game, role, game.rules.parse(row.action), row.spent, row.salt)


def _parse_joint(rules: Rules[Any], state: Any, text: str) -> Mapping[Role, Action]:
    acts = ACTIONS.decode(text)
    return assemble_joint(rules, state, {role: rules.parse(act) for role, act in acts.items()})  # type: ignore[misc]


def _parse_ending(row: Game | GameRow) -> Ending | None:
    if row.ended is None:
        return None
    goals = msgspec.json.decode(row.goals, type=dict[str, int])
    return Ending(row.winner or None, goals, row.reason)  # type: ignore[arg-type]


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
