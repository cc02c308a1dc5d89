"""`manage.py verify` accepts valid games and reports every change to one."""

import asyncio
import json
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.audit.record import check_record
from games.ledger import GENESIS, chain_hash
from play.models import Entry
from play.storage import ledger_entries
from play.storage.verification import Rows, Withdrawn, faults_of, rows_of
from tests.support.loop_runtime import game_service
from tests.support.recorded_games import (
    FAIR,
    STORIES,
    UNCOUNTED,
    Story,
    both_shown,
    nobody_came,
    sealed,
    stopped,
    taken_back,
    under_way,
    waiting_for_a_page,
)
from tests.support.run.database_threads import run_in_thread

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
named = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
# Columns that the ledger does not cover: keys, lists and users.
UNKNOWN = {
    "game": {"id", "is_public", "watch", "lobby"},
    "seats": {"id", "game_id", "user_id", "seen", "visible", "has_account"},
    "steps": {"id", "game_id"},
    "sealed": {"id", "game_id"},
    "entries": {"id", "game_id"},
}


@pytest.fixture
async def kept(table, people):
    """Returns a function that plays a story and returns the rows in the database."""

    async def kept(story) -> Rows:
        key, clock = STORIES[story]
        game = await table(key, clock, fair=story in FAIR, counted=story not in UNCOUNTED)
        await story(Story(game, people))
        return await game_service().run_in_db_thread(rows_of, game.slug)

    return kept


@named
async def test_a_game_that_was_played_here_is_right(kept, story):
    assert faults_of(await kept(story)) == []


@named
async def test_its_exported_record_is_right(kept, story):
    slug = (await kept(story)).game.slug
    record = await game_service().run_in_db_thread(
        lambda: Client().get(f"/g/{slug}/record.json").json()
    )
    assert check_record(record)[0] == []
    record["actions"] = record["actions"][:-1] if record["actions"] else ["noop"]
    assert check_record(record)[0] != []


async def test_a_rated_game_is_right_and_says_so_in_its_record(table, people):
    game = await table("pincer", STORIES[under_way][1], rated=True)
    await under_way(Story(game, people))
    rows = await game_service().run_in_db_thread(rows_of, game.slug)
    assert faults_of(rows) == []
    assert [seat.has_account for seat in rows.seats] == [True, True]
    assert '"rated":true' in rows.entries[0].body
    casual = copy(rows.game)
    casual.is_rated = False
    assert faults_of(replace(rows, game=casual)) == ["is_rated is False, expected True"]
    record = await game_service().run_in_db_thread(
        lambda: Client().get(f"/g/{game.slug}/record.json").json()
    )
    assert record["rated"] is True
    assert check_record(record)[0] == []


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
    "story",
    [taken_back, sealed, stopped, under_way, both_shown, waiting_for_a_page, nobody_came],
    ids=lambda s: s.__name__,
)
async def test_whatever_is_changed_in_one_column_is_found(kept, story):
    rows, count = await kept(story), 0
    for name, forged in tampered(rows):
        count += 1
        assert faults_of(forged) != [], name
    assert count > 200


@pytest.mark.parametrize("part", ["steps", "sealed", "entries", "seats"])
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
    for row, written in zip(forged, ledger_entries.entries_of(rows.game.slug, forged), strict=True):
        row.hash = head = chain_hash(head, written.text)
    game = copy(rows.game)
    game.head = head
    return replace(rows, game=game, entries=forged)


async def test_a_forger_who_makes_the_hashes_anew_is_found_by_the_rules_and_the_clocks(kept):
    rows = await kept(taken_back)
    body = {"step": 0, "actions": ["move 4 1 4 7", "fire 7 8"]}
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


async def test_a_pending_sealed_action_must_match_its_commitment_and_is_not_printed(kept):
    rows = await kept(sealed)
    (seal,) = rows.sealed
    forged = copy(seal)
    forged.action = "troops 5 5 0"
    said = " ".join(faults_of(replace(rows, sealed=[forged])))
    assert "black" in said
    assert "5" not in said


def verify(*names: str) -> tuple[str, int]:
    """The output of the command and its exit status."""
    out = StringIO()
    try:
        call_command("verify", *names, stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


async def test_the_command_says_which_games_are_not_right(kept):
    one, two = [await kept(story) for story in (sealed, under_way)]
    slugs = [one.game.slug, two.game.slug]
    told, status = await game_service().run_in_db_thread(verify, *slugs)
    assert (status, told.count(": right"), told.count("\n")) == (0, 2, 3)
    await game_service().run_in_db_thread(
        lambda: Entry.objects.filter(game=one.game, rev=1).update(lag=31)
    )
    told, status = await game_service().run_in_db_thread(verify, "--all")
    assert status == 1
    assert f"{slugs[1]}: pincer, 3 entries: right" in told
    assert f"{slugs[0]}: blotto, 4 entries: rev 1: the hash is not" in told


async def test_a_withdrawn_rule_set_has_its_hashes_checked(kept):
    rows = await kept(under_way)
    rows.game.rules = "withdrawn"
    assert "expected 'pincer'" in faults_of(rows)[0]
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


@pytest.mark.django_db(transaction=True)
def test_games_can_be_verified_while_nothing_else_runs(opened):
    game = opened("blotto")
    assert asyncio.run(run_in_thread(lambda: verify(game.slug)))[1] == 0
