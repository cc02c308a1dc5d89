"""The ledger grows with every change, and a receipt always states its entry."""

import itertools
import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.refusals import Refused
from games.ledger import GENESIS, chain_hash, commitment, entry_text
from games.ledger import text_of as ledger_text
from play.domain import clocks, commands
from play.domain.change import as_json
from play.domain.clocks import Clock
from play.domain.game_refusals import Reason
from play.models import Entry, Game, Sealed, Step
from play.runtime import game_commands
from play.runtime.game_service import GameService
from play.storage import load
from tests.support.loop_runtime import game_service

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())
FISCHER = Clock("fischer", 60_000, 2_000)


async def say(game, user, message, at=None, lag=0):
    receipt = await game_commands.perform(
        game_service(), game.slug, user.pk, message, at or clocks.now(), lag
    )
    return msgspec.to_builtins(receipt)


def turn(step, *actions, id=None):
    return commands.Act(id=id or next(ids), step=step, actions=actions)


async def entries(game) -> list[Entry]:
    return await game_service().run_in_db_thread(
        lambda: list(Entry.objects.filter(game=game.pk).order_by("rev"))
    )


def text_of(game, entry: Entry) -> str:
    clock, body = json.loads(entry.clock), json.loads(entry.body)
    return entry_text(
        game.slug,
        entry.rev,
        entry.kind,
        entry.role,
        entry.action_id,
        entry.received_at,
        entry.lag,
        clock,
        body,
    )


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(PLAIN)
def test_a_column_has_the_text_that_the_ledger_hashes(value):
    assert as_json(value) == ledger_text(value)


async def test_every_entry_is_chained_to_the_last(table, people):
    game, (ada, bob, _) = await table("pincer", FISCHER), people
    await say(game, ada, turn(0, "move 1 5 2 5", "move 1 7 1 6"))
    await say(game, bob, commands.Draw(id="d", do="offer"))
    await say(game, bob, turn(2, "move 7 7 6 7"))
    await say(game, ada, commands.Resign(id="r"))
    head = GENESIS
    for entry in await entries(game):
        head = chain_hash(head, text_of(game, entry))
        assert entry.hash == head
    live = await game_service().find(game.slug)
    assert (
        live.head == head == await game_service().run_in_db_thread(lambda: Game.objects.get().head)
    )
    assert live == await game_service().run_in_db_thread(load.fetch, game.slug)


async def test_the_entries_say_what_was_done(table, people):
    game, (ada, bob, _) = await table("pincer", FISCHER), people
    await say(game, ada, turn(0, "move 1 5 2 5", "move 1 7 1 6"))
    await say(game, bob, commands.Resign(id="r"))
    bodies = [json.loads(entry.body) for entry in await entries(game)]
    assert bodies == [
        {
            "format": 1,
            "rules": "pincer",
            "clock": {"kind": "fischer", "initial": 60_000, "increment": 2_000},
            "first_turn_ms": {},
            "begin_wait_ms": 0,
            "reveal_pause_ms": 0,
            "lag_budget_ms": 0,
        },
        {"step": 0, "actions": ["move 1 5 2 5", "move 1 7 1 6"]},
        {"result": {"winner": "white", "goals": {"white": 100, "black": 0}, "reason": "resigned"}},
    ]


async def test_a_receipt_says_what_stands_in_the_ledger(table, people):
    game, (ada, *_) = await table("pincer", FISCHER), people
    start = (await game_service().find(game.slug)).times.since
    told = await say(
        game, ada, turn(0, "move 1 5 2 5", "move 1 7 1 6", id="x"), start + 10_000, 120
    )
    (_, entry) = await entries(game)
    assert told == {
        "t": "receipt",
        "game": game.slug,
        "id": "x",
        "rev": 1,
        "again": False,
        "at": start + 10_000,
        "lag": 120,
        "clock": {"white": 52_120, "black": 60_000},
        "hash": entry.hash,
        "commitment": None,
    }


async def test_without_a_clock_nothing_is_left_and_nothing_credited(table, people):
    game, (ada, *_) = await table("pincer"), people
    told = await say(game, ada, turn(0, "move 1 5 2 5"), clocks.now() + 9_000, 400)
    assert (told["lag"], told["clock"]) == (0, {"white": None, "black": None})


@pytest.mark.parametrize("key", ["pincer", "blotto"])
async def test_a_repeat_gets_the_same_receipt_from_every_process_and_at_any_time(
    table, people, key
):
    game, (ada, bob, _) = await table(key, FISCHER), people
    theirs = {"pincer": ("move 7 7 6 7",), "blotto": ("troops 3 3 4",)}[key]
    mine = {"pincer": ("move 1 5 2 5", "move 1 7 1 6"), "blotto": ("troops 4 3 3",)}[key]
    first = await say(game, ada, turn(0, *mine, id="x"), clocks.now() + 300, 80)
    again = [await say(game, ada, turn(0, *mine, id="x"))]
    await say(game, bob, turn(len(mine) if key == "pincer" else 0, *theirs))
    again.append(await say(game, ada, turn(0, *mine, id="x")))
    other = GameService()  # as in another process
    repeat = commands.Envelope(game.slug, ada.pk, clocks.now(), commands.Act("x", 0, mine))
    again.append(msgspec.to_builtins(await other.perform(repeat)))
    await other.close()
    assert first["again"] is False
    assert again == [{**first, "again": True}] * 3


async def test_a_repeated_id_that_seals_something_else_is_a_conflict_before_and_after_the_reveal(
    table, people
):
    game, (ada, bob, _) = await table("blotto"), people
    await say(game, ada, turn(0, "troops 4 3 3", id="x"))
    for answer in (None, "troops 3 3 4"):
        if answer:
            await say(game, bob, turn(0, answer))
        with pytest.raises(Refused) as refused:
            await say(game, ada, turn(0, "troops 3 4 3", id="x"))
        assert refused.value.reason == Reason.CONFLICT


async def test_a_seal_is_committed_to_and_opened_at_the_reveal(table, people):
    game, (ada, bob, _) = await table("blotto"), people
    sealed = await say(game, ada, turn(0, "troops 4 3 3"))
    salt = (await game_service().run_in_db_thread(Sealed.objects.get)).salt
    assert sealed["commitment"] == commitment(game.slug, 0, "white", "troops 4 3 3", salt)
    assert json.loads((await entries(game))[1].body) == {
        "step": 0,
        "commitment": sealed["commitment"],
    }
    told = await say(game, bob, turn(0, "troops 3 3 4"))
    body = json.loads((await entries(game))[2].body)
    other = body["reveal"]["black"]["salt"]
    assert body["reveal"] == {
        "white": {"action": "troops 4 3 3", "salt": salt},
        "black": {"action": "troops 3 3 4", "salt": other},
    }
    assert told["commitment"] == commitment(game.slug, 0, "black", "troops 3 3 4", other)
    assert json.loads((await game_service().run_in_db_thread(Step.objects.get)).seals) == {
        "white": {"salt": salt, "commitment": sealed["commitment"]},
        "black": {"salt": other, "commitment": told["commitment"]},
    }


async def test_nothing_that_is_sealed_is_spelled_when_rows_and_commands_are_printed(table, people):
    game, (ada, *_) = await table("blotto"), people
    command = commands.Envelope(
        game.slug, ada.pk, clocks.now(), commands.Act("x", 0, ("troops 4 3 3",))
    )
    await game_service().perform(command)
    live, row = (
        await game_service().find(game.slug),
        await game_service().run_in_db_thread(Sealed.objects.get),
    )
    for value in (command, live, row):
        for text in (str(value), repr(value)):
            assert not any(each in text for each in ("4 3 3", "(4, 3, 3)", row.salt))


async def test_an_action_that_was_on_its_way_at_the_deadline_is_in_time(table, people):
    game, (ada, *_) = await table("pincer", FISCHER), people
    end = (await game_service().find(game.slug)).times.since + 60_000
    with pytest.raises(Refused) as refused:
        await say(game, ada, turn(0, "move 1 5 2 5"), end + 300, 299)
    assert refused.value.reason == Reason.TOO_LATE
    await game_commands.check_clocks(
        game_service(), game.slug, end + 999
    )  # the flag waits for those who are on their way
    told = await say(game, ada, turn(0, "move 1 5 2 5"), end + 300, 300)
    assert (told["lag"], told["clock"]["white"]) == (300, 0)


async def test_the_credit_of_a_turn_is_bounded_and_outlives_the_process(table, people):
    game, (ada, bob, _) = await table("amazons-8x8", FISCHER), people
    start = (await game_service().find(game.slug)).times.since
    one = await say(game, ada, turn(0, "move 3 1 3 5"), start + 1_000, 350)
    other = GameService()
    step = commands.Envelope(
        game.slug, ada.pk, start + 2_000, commands.Act("y", 1, ("fire 5 5",)), lag=350
    )
    two = msgspec.to_builtins(await other.perform(step))
    await other.close()
    assert (one["lag"], two["lag"]) == (350, 150)
    three = await say(game, bob, turn(2, "move 3 8 3 6"), start + 2_100, 500)
    assert three["lag"] == 100  # not more than he has waited
