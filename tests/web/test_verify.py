"""`manage.py verify`: right games are right, and whatever is changed in one is found."""

import asyncio
import json
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from importlib import import_module
from io import StringIO

import pytest
from asgiref.sync import sync_to_async
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from games_on_record import BLACK, STORIES, WHITE, Story, sealed, stopped, taken_back, under_way

from games.audit.record import checked
from games.ledger import GENESIS, chained
from play import commands, entries
from play.desk import desk
from play.models import Entry, Game, Sealed, Turn
from play.verifying import Rows, Withdrawn, faults_of, rows_of

pytestmark = pytest.mark.django_db(transaction=True)
named = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
# What a game is listed under, and who sat there: the ledger knows nothing of that.
UNKNOWN = {
    "game": {"id", "is_public", "watch", "lobby"},
    "seats": {"id", "game_id", "user_id", "seen"},
    "turns": {"id", "game_id"},
    "sealed": {"id", "game_id"},
    "entries": {"id", "game_id"},
}


@pytest.fixture
async def kept(table, people):
    """Plays a story; what the database has of it then."""

    async def kept(story) -> Rows:
        key, clock = STORIES[story]
        game = await table(key, clock)
        await story(Story(game, people))
        return await desk().read(rows_of, game.slug)

    return kept


@named
async def test_a_game_that_was_played_here_is_right(kept, story):
    assert faults_of(await kept(story)) == []


@named
async def test_its_exported_record_is_right(kept, story):
    slug = (await kept(story)).game.slug
    record = await desk().read(lambda: Client().get(f"/g/{slug}/record.json").json())
    assert checked(record)[0] == []
    record["actions"] = record["actions"][:-1] if record["actions"] else ["noop"]
    assert checked(record)[0] != []


def others(value) -> list:
    """Values that are nearly the same; of a text some that differ by one character."""
    if value is None:
        return [1]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    places = range(0, len(value), max(1, len(value) // 7))
    flipped = [value[:n] + ("1" if value[n] != "1" else "2") + value[n + 1 :] for n in places]
    return [value + "x", *flipped]


def tampered(rows: Rows) -> Iterator[tuple[str, Rows]]:
    """The same rows with one column of one row changed; each column of the first and last row."""
    for part, spared in UNKNOWN.items():
        kept = getattr(rows, part)
        each = [kept] if part == "game" else [*kept[:1], *kept[-1:]]
        for row in each:
            for field in row._meta.concrete_fields:
                for value in others(getattr(row, field.attname)):
                    if field.attname in spared:
                        continue
                    forged = copy(row)
                    setattr(forged, field.attname, value)
                    with_it = (
                        forged if part == "game" else [forged if r is row else r for r in kept]
                    )
                    name = f"{part} {row.pk} {field.attname}: {value!r}"
                    yield name, replace(rows, **{part: with_it})


@pytest.mark.parametrize(
    "story", [taken_back, sealed, stopped, under_way], ids=lambda s: s.__name__
)
async def test_whatever_is_changed_in_one_column_is_found(kept, story):
    rows, count = await kept(story), 0
    for name, forged in tampered(rows):
        count += 1
        assert faults_of(forged) != [], name
    assert count > 200


@pytest.mark.parametrize("part", ["turns", "sealed", "entries", "seats"])
async def test_a_row_that_is_missing_or_doubled_is_found(kept, part):
    rows = await kept(sealed)
    own = getattr(rows, part)
    for forged in (own[1:], own[:-1], [*own, own[-1]]):
        assert faults_of(replace(rows, **{part: forged})) != []


def forged_entry(rows: Rows, rev: int, **columns) -> Rows:
    """An entry changed, and all hashes from there on made anew, as a forger would."""
    forged = [copy(row) for row in rows.entries]
    for column, value in columns.items():
        setattr(forged[rev], column, value)
    head = GENESIS
    for row, written in zip(forged, entries.written(rows.game.slug, forged), strict=True):
        row.hash = head = chained(head, written.text)
    game = copy(rows.game)
    game.head = head
    return replace(rows, game=game, entries=forged)


async def test_a_forger_who_makes_the_hashes_anew_is_found_by_the_rules_and_the_clocks(kept):
    rows = await kept(taken_back)
    body = {"turn": 0, "actions": ["move 4 1 4 7", "fire 7 8"]}
    other = {"winner": "black", "goals": {"white": 0, "black": 100}, "reason": "resigned"}
    last = len(rows.entries) - 1
    for rev, columns in {
        0: {"body": rows.entries[0].body.replace("10x10", "8x8")},
        1: {"body": json.dumps(body, separators=(",", ":"), sort_keys=True)},
        2: {"lag": 499},
        3: {"received_at": rows.entries[3].received_at + 1},
        4: {"kind": "draw-offer"},
        7: {"body": '{"to":0}'},
        8: {"clock": rows.entries[8].clock.replace("30", "31")},
        last: {"body": json.dumps({"result": other}, separators=(",", ":"), sort_keys=True)},
    }.items():
        assert faults_of(forged_entry(rows, rev)) == []
        assert faults_of(forged_entry(rows, rev, **columns)) != [], (rev, columns)


async def test_a_forged_commitment_is_found_when_it_is_opened(kept):
    rows = await kept(sealed)
    body = json.loads(rows.entries[1].body)
    body["commitment"] = "0" * 64
    text = json.dumps(body, separators=(",", ":"), sort_keys=True)
    assert "white reveals something else" in "".join(faults_of(forged_entry(rows, 1, body=text)))


async def test_what_waits_has_to_open_the_commitment_and_is_not_told(kept):
    rows = await kept(sealed)
    (seal,) = rows.sealed
    forged = copy(seal)
    forged.action = "troops 5 5 0"
    said = " ".join(faults_of(replace(rows, sealed=[forged])))
    assert "black" in said
    assert "5" not in said


def as_before(row: Entry) -> None:
    """Makes an entry one of before the ledger had clocks, actions and proofs."""
    body = json.loads(row.body)
    old = {key: body[key] for key in ("ms", "to") if key in body}
    if row.kind == "act":
        old = {"turn": body["turn"], "actions": len(body.get("actions", [1]))}
    row.body, row.clock, row.hash = json.dumps(old, separators=(",", ":"), sort_keys=True), "{}", ""


@sync_to_async
def go_back_in_time(slug: str) -> None:
    """Makes the rows of a game what they were before there was a ledger, and migrates them."""
    game = Game.objects.get(slug=slug)
    for entry in Entry.objects.filter(game=game):
        as_before(entry)
        entry.save()
    Turn.objects.filter(game=game).update(seals="{}")
    Sealed.objects.filter(game=game).update(salt="")
    Game.objects.filter(slug=slug).update(head="")
    migration = import_module("play.migrations.0004_ledger")
    migration.chain(apps, None)
    migration.salt(apps, None)
    connection.close()


WITHOUT_LAG = [story for story in STORIES if story not in (sealed, taken_back)]


@pytest.mark.parametrize("story", WITHOUT_LAG, ids=lambda story: story.__name__)
async def test_a_game_of_before_is_right_as_far_as_it_can_be_compared(kept, story):
    slug = (await kept(story)).game.slug
    await go_back_in_time(slug)
    rows = await desk().read(rows_of, slug)
    assert faults_of(rows) == []
    for part in ("turns", "entries"):
        for row in getattr(rows, part)[-1:]:
            forged = copy(row)
            forged.joint, forged.received_at = '{"white":"troops 1 8 1"}', 5
            assert faults_of(replace(rows, **{part: [*getattr(rows, part)[:-1], forged]})) != []


async def test_a_takeback_of_before_is_right_and_the_game_goes_on(table, people):
    game = await table("amazons-10x10", STORIES[taken_back][1])
    story = Story(game, people)
    await story.go("white", 0, *WHITE)
    await story.go("black", 2, *BLACK)
    await story.say("black", commands.Takeback, "offer")
    await story.say("white", commands.Takeback, "accept")
    await story.go("black", 2, "move 4 10 4 9", "fire 4 8")
    await go_back_in_time(game.slug)
    assert faults_of(await desk().read(rows_of, game.slug)) == []
    await desk().close()
    desk.forget()  # as after the restart that a migration is
    await story.go("white", 4, "move 4 7 4 6", "fire 4 7", lag=90)
    assert faults_of(await desk().read(rows_of, game.slug)) == []


async def test_what_was_sealed_before_is_revealed_without_proof_of_when(table, people):
    story = Story(await table("blotto", STORIES[sealed][1]), people)
    await story.go("white", 0, "troops 4 3 3")
    await go_back_in_time(story.slug)
    await desk().close()
    desk.forget()  # as after the restart that a migration is
    (seal,) = (await desk().read(rows_of, story.slug)).sealed
    assert len(seal.salt) == 32
    await story.go("black", 0, "troops 10 0 0")
    rows = await desk().read(rows_of, story.slug)
    assert faults_of(rows) == []
    reveal = json.loads(rows.entries[-1].body)["reveal"]
    assert reveal["white"] == {"action": "troops 4 3 3", "salt": seal.salt}


def verify(*names: str) -> tuple[str, int]:
    """What the command says, and its exit status."""
    out = StringIO()
    try:
        call_command("verify", *names, stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


async def test_the_command_says_which_games_are_not_right(kept):
    one, two = [await kept(story) for story in (sealed, under_way)]
    slugs = [one.game.slug, two.game.slug]
    told, status = await desk().read(verify, *slugs)
    assert (status, told.count(": right"), told.count("\n")) == (0, 2, 3)
    await desk().read(lambda: Entry.objects.filter(game=one.game, rev=1).update(lag=31))
    told, status = await desk().read(verify, "--all")
    assert status == 1
    assert f"{slugs[1]}: pincer, 3 entries: right" in told
    assert f"{slugs[0]}: blotto, 4 entries: rev 1: the hash is not" in told


async def test_a_withdrawn_rule_set_has_its_hashes_checked(kept):
    rows = await kept(under_way)
    rows.game.rules = "withdrawn"
    assert "the ledger says 'pincer'" in faults_of(rows)[0]
    rows = forged_entry(rows, 0, body=rows.entries[0].body.replace("pincer", "withdrawn"))
    with pytest.raises(Withdrawn):
        faults_of(rows)
    rows.entries[1].lag = 31
    assert "rev 1: the hash is not" in faults_of(rows)[0]


@pytest.mark.parametrize("names", [(), ("--all", "x"), ("nowhere",)])
def test_the_command_refuses_what_it_cannot_do(db, names):
    with pytest.raises(CommandError):
        verify(*names)


def test_a_refusal_names_the_game_that_is_not_there(db):
    with pytest.raises(CommandError, match=r"There is no game nowhere\."):
        verify("nowhere")


def test_games_can_be_verified_while_nothing_else_runs(opened):
    game = opened("blotto")
    assert asyncio.run(asyncio.to_thread(verify, game.slug))[1] == 0
