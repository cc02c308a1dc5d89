"""Commands on a cached game that another process has changed, and faults after the commit."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from accounts.refusals import Refused
from play.domain import clocks
from play.domain.commands import Act, Draw
from play.domain.game_refusals import Reason
from play.runtime import game_commands
from play.runtime.game_service import GameService
from play.storage.receipts import Receipt
from tests.support.loop_runtime import game_service
from tests.support.waiting import run_ready, wait_until

FIRST = ("move 1 5 2 5",)
OFFER = Draw("d", "offer")
pytestmark = pytest.mark.django_db


@pytest.fixture
async def other(at_work) -> AsyncIterator[GameService]:
    """The game service of another process."""
    service = GameService()
    yield service
    await service.close()


async def perform(games: GameService, game: Any, user: Any, command: Any) -> Receipt:
    return await game_commands.perform(games, game.slug, user.pk, command, clocks.now())


async def test_an_action_that_loses_its_swap_is_decided_again(table, people, other):
    game, games = await table("pincer"), game_service()
    await games.find(game.slug)
    await perform(other, game, people[1], OFFER)
    assert (await perform(games, game, people[0], Act("a", 0, FIRST))).rev == 2
    assert (await games.find(game.slug)).rev == 2


async def test_a_command_that_loses_its_swap_is_decided_on_the_newer_game(table, people, other):
    game, games = await table("pincer"), game_service()
    await games.find(game.slug)
    await perform(other, game, people[0], Act("a", 0, FIRST))
    assert (await perform(games, game, people[1], OFFER)).rev == 2


async def test_an_action_that_another_process_has_stored_gets_the_same_receipt(
    table, people, other
):
    game, games = await table("pincer"), game_service()
    await games.find(game.slug)
    act = Act("a", 0, FIRST)
    first = await perform(other, game, people[0], act)
    second = await perform(games, game, people[0], act)
    assert (second.rev, second.hash, second.again) == (first.rev, first.hash, True)


async def test_an_action_that_became_illegal_meanwhile_is_refused(table, people, other):
    game, games = await table("pincer"), game_service()
    await games.find(game.slug)
    await perform(other, game, people[0], Act("b", 0, FIRST))
    with pytest.raises(Refused) as refused:
        await perform(games, game, people[0], Act("c", 0, FIRST))
    assert refused.value.reason == Reason.STALE_STEP
    assert (await perform(games, game, people[0], OFFER)).rev == 2  # the game is free again


async def test_the_receipt_of_an_action_follows_its_commit(table, people, monkeypatch):
    game, games = await table("pincer"), game_service()
    put, held = games.commits.put, []
    monkeypatch.setattr(games.commits, "put", lambda *change: held.append(change))
    answer = asyncio.create_task(perform(games, game, people[0], Act("a", 0, FIRST)))
    await wait_until(lambda: held, "the change waits for its commit")
    await run_ready()
    is_answered = answer.done()
    put(*held[0])
    assert ((await answer).rev, is_answered) == (1, False)


async def test_the_service_closes_after_the_last_action(table, people, other):
    game = await table("pincer")
    answer = asyncio.create_task(perform(other, game, people[0], Act("a", 0, FIRST)))
    await asyncio.sleep(0)
    await other.close()
    assert (await answer).rev == 1


async def test_a_fault_after_the_commit_leaves_the_game_free(table, people, monkeypatch):
    game, games = await table("pincer"), game_service()

    def broken(*args: object) -> None:
        raise RuntimeError("no topic is concerned")

    with monkeypatch.context() as patched:
        patched.setattr("play.runtime.game_service.concerned_topics", broken)
        with pytest.raises(RuntimeError, match="no topic is concerned"):
            await perform(games, game, people[0], Act("a", 0, FIRST))
    assert (await asyncio.wait_for(perform(games, game, people[0], OFFER), 5)).rev == 2
