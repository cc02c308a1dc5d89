"""Changes from other processes are read in batches."""

import asyncio
import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from play.domain import clocks, commands
from play.models import Game, Sealed, Step
from play.runtime import game_commands
from play.runtime.game_service import GameService
from play.storage import load
from tests.support.loop_runtime import game_service

FIRST = {"pincer": ("move 1 5 2 5",), "blotto": ("troops 1 2 7",)}
KINDS = (*FIRST, "amazons")  # the last is resigned
pytestmark = pytest.mark.django_db


async def moved_on(table, people, count: int) -> tuple[GameService, list]:
    """The game service of another process, which holds older states of some games."""
    other, games = GameService(), [await table(KINDS[n % len(KINDS)]) for n in range(count)]
    for game in games:
        await other.find(game.slug)
        actions = FIRST.get(game.rules)
        command = commands.Act("a", 0, actions) if actions else commands.Resign("a")
        await game_commands.perform(game_service(), game.slug, people[0].pk, command, clocks.now())
    return other, games


def queries_for(lives: list) -> int:
    """The number of queries with which games are refreshed."""
    with CaptureQueriesContext(connection) as queries:
        load.refresh_many(lives)
    return len(queries)


async def test_many_games_take_as_many_queries_as_one_of_each_kind(table, people):
    other, games = await moved_on(table, people, 12)
    held = [await other.find(game.slug) for game in games]
    few = await other.run_in_db_thread(queries_for, held[:3])
    assert await other.run_in_db_thread(queries_for, held) == few <= 5
    await other.close()


async def test_games_read_together_are_what_each_of_them_is_alone(table, people):
    other, games = await moved_on(table, people, 6)
    fresh = await asyncio.gather(*(other.renew(game.slug) for game in games))
    assert fresh == [await other.run_in_db_thread(load.fetch, game.slug) for game in games]
    assert fresh == [await game_service().find(game.slug) for game in games]
    await other.close()


async def test_games_asked_for_while_others_are_read_are_one_more_reading(
    table, people, monkeypatch
):
    other, games = await moved_on(table, people, 6)
    sizes, refresh_many, has_begun = [], load.refresh_many, threading.Event()

    def counted(lives):
        sizes.append(len(lives))
        has_begun.set()
        return refresh_many(lives)

    monkeypatch.setattr(load, "refresh_many", counted)
    first = asyncio.create_task(other.renew(games[0].slug))
    await asyncio.to_thread(has_begun.wait)
    await asyncio.gather(first, *(other.renew(game.slug) for game in games))
    assert sizes == [1, 6]
    await other.close()


async def test_a_game_that_cannot_be_read_harms_no_other(table, people):
    other, games = await moved_on(table, people, 4)
    bad = games[0]
    await other.run_in_db_thread(lambda: Step.objects.filter(game=bad).update(joint="not JSON"))
    alone = [other.renew(game.slug) for game in games]
    first, *rest = await asyncio.gather(*alone, return_exceptions=True)
    assert isinstance(first, load.Unreadable)
    assert [live.rev for live in rest] == [1, 1, 1]
    await other.close()


async def test_a_game_that_was_erased_meanwhile_is_no_game(table, people):
    other, (bad, good) = await moved_on(table, people, 2)

    def erase() -> None:
        for rows in (Step.objects, Sealed.objects):
            rows.filter(game=bad).delete()
        bad.entries.all().delete()
        bad.seats.all().delete()
        Game.objects.filter(pk=bad.pk).delete()

    await other.run_in_db_thread(erase)
    gone, there = await asyncio.gather(other.renew(bad.slug), other.renew(good.slug))
    assert (gone, there.rev) == (None, 1)
    await other.close()


async def test_a_game_that_waits_to_be_read_when_a_seat_is_renamed_has_the_new_name(table, people):
    other, games = GameService(), [await table("pincer") for _ in range(2)]
    for game in games:
        await other.find(game.slug)
    rename = User.objects.filter(pk=people[1].pk).update
    await other.run_in_db_thread(lambda: rename(username="robert"))
    under_way = asyncio.create_task(other.renew(games[0].slug))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting = asyncio.create_task(other.renew(games[1].slug))
    await other.forget_user(people[1].pk)
    await asyncio.gather(under_way, waiting)
    for game in games:
        assert (await other.find(game.slug)).people["black"].name == "robert"
    await other.close()


async def test_hints_that_are_lost_doubled_or_out_of_order_leave_the_state_of_the_database(
    table, people
):
    game, other = await table("pincer"), GameService()
    games, steps = game_service(), ["move 1 5 2 5"]
    await other.find(game.slug)
    shown: list[int] = []
    offers = [commands.Act("a", 0, tuple(steps))] + [
        commands.Draw(f"d{number}", do) for number, do in enumerate(("offer", "withdraw"))
    ]
    for command in offers:
        await game_commands.perform(games, game.slug, people[0].pk, command, clocks.now())

    async def hint() -> None:
        shown.append((await other.renew(game.slug)).rev)

    await hint()  # that of the last change: those of the two before were lost
    await asyncio.gather(*(hint() for _ in range(3)))  # doubled, or of an older rev
    assert shown == [3] * 4
    assert await other.find(game.slug) == await other.run_in_db_thread(load.fetch, game.slug)
    await other.close()
