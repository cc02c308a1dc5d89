"""`python -m tests.bench.site_costs.games_on_file 100000`: fill the database with finished games.

Some hundred games are played at random through the site's own door. All others are copies of them
for other people and other times, each with a ledger of its own, so `manage.py verify` finds them
right. The first person has a fifth of all games, the others fewer and fewer. The database is that
of `QUIVER_DATA` or `DATABASE_URL`, and has to be migrated.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "site"), str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from django.db import connection, transaction  # noqa: E402
from django.db.models import Model  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.people.computer_users import computers  # noqa: E402
from games.catalogue import RULES  # noqa: E402
from games.core import OTHER, ROLES, Role  # noqa: E402
from games.ledger import GENESIS, chain_hash, commitment, frame_entry, text_of  # noqa: E402
from lobby.models import Lobby, new_code  # noqa: E402
from play.domain import clocks  # noqa: E402
from play.domain.change import as_json  # noqa: E402
from play.domain.commands import Abort, Act, Draw, Envelope, Flag, Resign  # noqa: E402
from play.domain.game_state import Proof  # noqa: E402
from play.models import Entry, Game, Seat, Step, result_for  # noqa: E402
from play.runtime import game_commands  # noqa: E402
from play.time_controls import PRESETS  # noqa: E402
from tests.support.loop_runtime import close_runtime, game_service  # noqa: E402

MOULDS = 60  # games of each rule set that are truly played
WHOLE = 0.04  # of them are played to their end; the others end after some turns
PEOPLE = 200
REGULAR = 5  # every so manieth game is the first person's
COMPUTER = 0.15  # of the games have a computer player in them
BY_LINK = 0.1  # of the games are not public
LOBBIES = 0.3  # of the games started in a lobby that is still there, closed
AGES = 2 * 365 * clocks.DAY_MS  # ms over which the games are spread
AT_ONCE = 500  # games copied in one transaction
EACH = 2_000  # rows of one statement
ENDS = ("resign",) * 6 + ("draw", "flag", "abort")


@dataclass(frozen=True, slots=True)
class Mould:
    """A played game with its stored rows."""

    game: Game
    steps: Sequence[Step]
    entries: Sequence[tuple[Entry, Any]]  # with its body, read


async def play(rng: Random, key: str, seats: Mapping[Role, User]) -> str:
    """Plays a game at random, in a time of its own; returns its slug."""
    game = await game_service().run_in_db_thread(_opened, key, rng.choice(PRESETS[key]), seats)
    at, ends = game.created, rng.choice(ENDS)
    turns = 10_000 if rng.random() < WHOLE else 0 if ends == "abort" else rng.randint(2, 7)
    for number in range(turns):
        live = await game_service().find(game.slug)
        if live is None or live.ending:
            return game.slug
        for role in sorted(live.waiting):
            at += rng.randint(500, 3_000)
            await _turn(rng, game.slug, role, seats[role].pk, f"{number}-{role}", at)
    await _end(game.slug, rng.choice(ROLES), seats, ends, at + 1_000)
    return game.slug


def _opened(key: str, clock: clocks.Clock, seats: Mapping[Role, User]) -> Game:
    with transaction.atomic():
        return game_commands.open_game(key, clock, seats, public=True)


async def _turn(rng: Random, slug: str, role: Role, user: int, id: str, at: int) -> None:
    """One turn of a role, actions drawn one by one."""
    live = await game_service().find(slug)
    assert live is not None
    state, actions, turn = live.state, [], live.rules.turns(live.state)
    while role in live.rules.control(state) and live.rules.turns(state) == turn:
        actions.append(live.rules.choices(state, role).sample(rng))
        if live.rules.is_simultaneous:
            break
        noops = {other: live.rules.choices(state, other).sample(rng) for other in ROLES}
        state = live.rules.play(state, {**noops, role: actions[-1]})
    texts = tuple(str(action) for action in actions)
    await game_service().perform(Envelope(slug, user, at, Act(id, live.step, texts)))


async def _end(slug: str, role: Role, seats: Mapping[Role, User], how: str, at: int) -> None:
    """Ends a game as asked, else by resigning: without a clock, and by days, none falls at once."""
    one, other = seats[role].pk, seats[OTHER[role]].pk
    live = await game_service().find(slug)
    if live is None or live.ending:
        return
    limit = clocks.deadline(live.clock, live.times)
    if how == "abort":
        await game_service().perform(Envelope(slug, one, at, Abort("end")))
    elif how == "draw":
        await game_service().perform(Envelope(slug, one, at, Draw("offer", "offer")))
        await game_service().perform(Envelope(slug, other, at + 1_000, Draw("accept", "accept")))
    elif how == "flag" and limit is not None and live.clock.kind in clocks.RUNNING_KINDS:
        await game_service().perform(Flag(slug, limit + clocks.FLAG_DELAY_MS))
    else:
        await game_service().perform(Envelope(slug, one, at, Resign("end")))


async def moulds(rng: Random, people: Sequence[User]) -> list[str]:
    """Plays the games that are copied; returns their slugs."""
    slugs = []
    for key in RULES:
        for _ in range(MOULDS):
            pair = dict(zip(ROLES, rng.sample(people, 2), strict=True))
            slugs.append(await play(rng, key, pair))
        say(f"{len(slugs)} games played")
    await close_runtime()
    return slugs


def mould(slug: str) -> Mould:
    """A game as the database has it."""
    game = Game.objects.get(slug=slug)
    entries = Entry.objects.filter(game=game).order_by("rev")
    read = [(entry, json.loads(entry.body)) for entry in entries]
    return Mould(game, list(Step.objects.filter(game=game).order_by("number")), read)


def copied(mould: Mould, white: User, black: User, began: int, public: bool) -> list[Model]:
    """The unsaved rows of a copy of the mould between other players, begun at a moment."""
    old, slug, shift = mould.game, game_commands.new_slug(), began - mould.game.created
    times = json.loads(old.times)
    columns = {field.attname: getattr(old, field.attname) for field in Game._meta.concrete_fields}
    columns |= {
        "id": None,
        "slug": slug,
        "is_public": public,
        "has_bot": white.is_bot or black.is_bot,
        "times": as_json({**times, "since": times["since"] + shift}),
        "created": began,
        "changed": old.changed + shift,
        "ended": old.ended + shift,
    }
    steps, entries = _steps(mould, slug, shift), _entries(mould, slug, shift)
    game = Game(**{**columns, "head": entries[-1].hash})
    seats = [_seat(game, "white", white, black), _seat(game, "black", black, white)]
    for row in (*steps, *entries):
        row.game = game
    return [game, *seats, *steps, *entries]


def _seat(game: Game, role: Role, user: User, against: User) -> Seat:
    return Seat(
        game=game,
        role=role,
        user=user,
        against=against,
        rules=game.rules,
        result=result_for(role, game.winner, game.reason),
        is_shown=game.is_public,
    )


def _steps(mould: Mould, slug: str, shift: int) -> list[Step]:
    return [
        Step(
            number=step.number,
            joint=step.joint,
            at=step.at + shift,
            spent=step.spent,
            seals=as_json(_proofs(step, slug)) if step.seals != "{}" else "{}",
            undone=step.undone,
        )
        for step in mould.steps
    ]


def _proofs(step: Step, slug: str) -> dict[str, Proof]:
    """Salt and commitment of each sealed action by role, for a game with another slug."""
    joint, seals = json.loads(step.joint), json.loads(step.seals)
    salts = {role: seal["salt"] for role, seal in seals.items()}
    return {
        role: Proof(salt, commitment(slug, step.number, role, joint[role], salt))
        for role, salt in salts.items()
    }


def _entries(mould: Mould, slug: str, shift: int) -> list[Entry]:
    """The ledger, chained anew."""
    proofs = {step.number: _proofs(step, slug) for step in mould.steps if step.seals != "{}"}
    head, rows = GENESIS, []
    for old, said in mould.entries:
        body, at, id = old.body, old.received_at + shift, old.action_id
        if "commitment" in said:
            made = proofs[said["step"]][str(old.role)].commitment
            body = text_of({**said, "commitment": made})
        text = frame_entry(slug, old.rev, old.kind, old.role, id, at, old.lag, old.clock, body)
        head = chain_hash(head, text)
        rows.append(
            Entry(
                rev=old.rev,
                kind=old.kind,
                role=old.role,
                action_id=id,
                received_at=at,
                lag=old.lag,
                clock=old.clock,
                body=body,
                hash=head,
            )
        )
    return rows


def pairs(rng: Random, people: Sequence[User], bots: Sequence[User]) -> Iterator[tuple[User, User]]:
    """Yields pairs of opponents without end."""
    first, others = people[0], people[1:]
    weights = list(accumulate(1 / rank for rank in range(2, len(people) + 1)))
    number = 0
    while True:
        number += 1
        one, other = rng.choices(others, cum_weights=weights, k=2)
        if number % REGULAR == 0:
            one = first
        if rng.random() < COMPUTER:
            other = rng.choice(bots)
        if one != other:
            yield (one, other) if rng.random() < 0.5 else (other, one)


def copies(count: int, rng: Random, forms: Sequence[Mould], people: Sequence[User]) -> None:
    """Writes so many games, the oldest first."""
    now, meetings = clocks.now(), pairs(rng, people, computers())
    for first in range(0, count, AT_ONCE):
        rows: dict[type[Model], list[Any]] = {kind: [] for kind in (Game, Seat, Step, Entry, Lobby)}
        size = min(AT_ONCE, count - first)
        for number, (white, black) in enumerate(islice(meetings, size), first):
            began = now - AGES + AGES * number // count
            public = rng.random() >= BY_LINK
            for row in copied(rng.choice(forms), white, black, began, public):
                rows[type(row)].append(row)
            game = rows[Game][-1]
            if rng.random() < LOBBIES and not white.is_bot:
                rows[Lobby].append(lobby_of(game, white, black))
        with transaction.atomic():
            for kind, each in rows.items():
                kind._default_manager.bulk_create(each, batch_size=EACH)
        say(f"{first + size} of {count} games copied")


def lobby_of(game: Game, one: User, two: User) -> Lobby:
    """The lobby in which a game started, long closed."""
    game.lobby = new_code()
    return Lobby(
        code=game.lobby,
        host=one,
        rules=game.rules,
        clock_kind=game.clock_kind,
        clock_initial=game.clock_initial,
        clock_increment=game.clock_increment,
        side="black",
        is_public=game.is_public,
        status=Lobby.Status.CLOSED,
        why=Lobby.Why.AWAY,
        one=one,
        two=two,
        game=game,
        created=game.created,
        host_seen=game.ended,
    )


def crowd(count: int) -> list[User]:
    """People with accounts; those who were made before are taken again."""
    names = [f"Regular-{number}" for number in range(1, count + 1)]
    users = [User(username=name, password="!") for name in names]
    User.objects.bulk_create(users, ignore_conflicts=True, batch_size=EACH)
    return sorted(
        User.objects.filter(username__in=names), key=lambda user: names.index(user.username)
    )


def say(words: str) -> None:
    """Progress, on one line."""
    print(f"\r{words} ({time.process_time():.0f} s of processor)", end="", flush=True)


def main() -> None:
    """Fills the database."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--seed", type=int, default=6)
    options = parser.parse_args()
    rng, began = Random(options.seed), time.monotonic()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=OFF")  # a cut here costs nothing but this run
    people = crowd(options.people)
    slugs = asyncio.run(moulds(rng, people))
    copies(max(0, options.games - len(slugs)), rng, [mould(slug) for slug in slugs], people)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    entries, took = Entry.objects.count(), time.monotonic() - began
    print(f"\n{options.games} games, {entries} entries, {took:.0f} s")


if __name__ == "__main__":
    main()
