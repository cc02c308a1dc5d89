"""Actions that are performed without a task: conditions, and failures."""

import asyncio
from typing import Any

import pytest

from play.domain import clocks
from play.domain.commands import Act, Draw, Envelope, Takeback
from play.domain.refusals import Reason, Refused
from play.runtime import game_commands
from play.runtime.game_service import GameService
from tests.support.loop_runtime import game_service

FIRST = ("move 1 5 2 5",)
pytestmark = pytest.mark.django_db


def start(games: GameService, game: Any, user: Any, command: Any) -> "asyncio.Future[Any] | None":
    """Start a command; return a future of its answer, None if it has to be performed."""
    answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    envelope = Envelope(game.slug, user.pk, clocks.now(), command)
    is_started = game_commands.start(games, envelope, answered.set_result)
    assert not answered.done()  # never before the commit
    return answered if is_started else None


async def test_an_action_in_a_cached_game_is_answered_after_its_commit(table, people):
    game, games = await table("pincer"), game_service()
    assert start(games, game, people[0], Act("a", 0, FIRST)) is None  # not cached yet
    await games.find(game.slug)
    answered = start(games, game, people[0], Act("a", 0, FIRST))
    receipt = await answered
    assert (receipt.rev, receipt.again) == (1, False)
    assert (await games.run_in_db_thread(game_rev, game)) == 1
    assert (await games.find(game.slug)).rev == 1


def game_rev(game: Any) -> int:
    game.refresh_from_db()
    return int(game.rev)


async def test_while_a_command_of_the_game_is_pending_no_other_is_started(table, people):
    game, games = await table("pincer"), game_service()
    await games.find(game.slug)
    first = start(games, game, people[0], Act("a", 0, FIRST))
    assert start(games, game, people[0], Act("b", 0, FIRST)) is None
    waiting = asyncio.ensure_future(
        game_commands.perform(games, game.slug, people[1].pk, Draw("d", "offer"), clocks.now())
    )
    assert (await first).rev == 1
    assert (await waiting).rev == 2


async def test_what_may_be_refused_or_needs_a_read_is_left_to_perform(table, people):
    game, games = await table("pincer"), game_service()
    await games.find(game.slug)
    assert start(games, game, people[0], Act("a", 0, ("move 1 5 9 9",))) is None
    assert start(games, game, people[1], Act("a", 0, FIRST)) is None  # not in control
    assert start(games, game, people[0], Takeback("t", "offer")) is None  # counts former ones
    games.is_time_fair = lambda: False
    assert start(games, game, people[0], Act("a", 0, FIRST)) is None
    games.is_time_fair = lambda: True
    assert await start(games, game, people[0], Act("a", 0, FIRST))  # and nothing is left locked


async def test_an_action_that_loses_its_swap_is_decided_again(table, people):
    game, games, other = await table("pincer"), game_service(), GameService()
    await games.find(game.slug)
    await game_commands.perform(other, game.slug, people[1].pk, Draw("d", "offer"), clocks.now())
    receipt = await start(games, game, people[0], Act("a", 0, FIRST))
    assert (receipt.rev, (await games.find(game.slug)).rev) == (2, 2)
    await other.close()


async def test_a_performed_command_that_loses_its_swap_is_decided_on_the_newer_game(table, people):
    game, games, other = await table("pincer"), game_service(), GameService()
    await games.find(game.slug)
    act, at = Act("a", 0, FIRST), clocks.now()
    await game_commands.perform(other, game.slug, people[0].pk, act, at)
    offer = Draw("d", "offer")
    assert (await game_commands.perform(games, game.slug, people[1].pk, offer, at)).rev == 2
    await other.close()


async def test_an_action_that_another_process_has_stored_gets_the_same_receipt(table, people):
    game, games, other = await table("pincer"), game_service(), GameService()
    await games.find(game.slug)
    act = Act("a", 0, FIRST)
    first = await game_commands.perform(other, game.slug, people[0].pk, act, clocks.now())
    second = await start(games, game, people[0], act)
    assert (second.rev, second.hash, second.again) == (first.rev, first.hash, True)
    await other.close()


async def test_an_action_that_became_illegal_meanwhile_is_refused(table, people):
    game, games, other = await table("pincer"), game_service(), GameService()
    await games.find(game.slug)
    act = Act("b", 0, FIRST)
    await game_commands.perform(other, game.slug, people[0].pk, act, clocks.now())
    refused = await start(games, game, people[0], Act("c", 0, FIRST))
    assert isinstance(refused, Refused)
    assert refused.reason == Reason.STALE_STEP
    draw = Draw("d", "offer")  # the game is free again
    assert (
        await game_commands.perform(games, game.slug, people[0].pk, draw, clocks.now())
    ).rev == 2
    await other.close()


async def test_the_service_closes_after_the_last_started_action(table, people):
    game, games = await table("pincer"), GameService()
    await games.find(game.slug)
    answered = start(games, game, people[0], Act("a", 0, FIRST))
    await games.close()
    assert answered.result().rev == 1


async def test_a_fault_after_the_commit_leaves_the_game_free(table, people, monkeypatch):
    game, games = await table("pincer"), game_service()
    await games.find(game.slug)

    def broken(*args):
        raise RuntimeError("no topic is concerned")

    with monkeypatch.context() as patched:
        patched.setattr("play.runtime.game_service.concerned_topics", broken)
        answered = start(games, game, people[0], Act("a", 0, FIRST))
        assert isinstance(await asyncio.wait_for(answered, 5), RuntimeError)
    draw = Draw("d", "offer")
    sent = game_commands.perform(games, game.slug, people[0].pk, draw, clocks.now())
    assert (await asyncio.wait_for(sent, 5)).rev == 2
