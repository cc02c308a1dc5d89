"""Workers that die, hang, fail or compete: each step is thought and played once."""

import logging
import time

import pytest
from django.db import connection

from bots import worker_registry
from bots.models import Lease, Thinking, Worker
from bots.thought_log import state
from play.domain import clocks, commands
from play.domain.clocks import Clock
from play.models import Step
from tests.support import faulty_engines
from tests.support.bot_workers import AtWork, first, say, thinks, told, until
from tests.support.faulty_engines import GIVE_UP, Odd
from tests.support.loop_runtime import game_service
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(autouse=True)
def _quick(engine, at_work) -> None:
    engine("quick")


async def test_two_workers_do_not_think_the_same_step(people):
    games = [await first(user, "pincer") for user in people]
    async with AtWork(), AtWork():
        for game in games:
            await until(game, lambda live: live.step == 2)
    assert len(Odd.given) == 6


async def test_a_seat_is_thought_for_by_one_worker_until_it_is_not_heard_of(people):
    game, at = await first(people[0], "pincer"), clocks.now()

    def seats() -> list[int | None]:
        taken = [
            worker_registry.claim(game.pk, "white", name, at) for name in ("a", "b", "a")
        ]  # a: died
        late = [
            worker_registry.claim(game.pk, "white", name, at + 3_100) for name in ("b", "a", "b")
        ]
        return taken + late

    assert await told(seats) == [0, None, 1, 2, None, 3]
    assert not await told(worker_registry.renew, game.pk, "white", "a", at)
    await told(worker_registry.give_back, game.pk, "white", "a")
    assert await told(Lease.objects.count) == 1
    await told(worker_registry.give_back, game.pk, "white", "b")
    assert await told(worker_registry.claim, game.pk, "white", "a", at) == 0


async def test_a_dead_workers_step_is_taken_over(people):
    game, claimed_at = await first(people[0], "pincer"), clocks.now() - 2_000
    await told(worker_registry.claim, game.pk, "white", "dead", claimed_at)
    until_ms = await told(worker_registry.lease_end, game.pk, "white")
    assert until_ms > clocks.now()
    async with AtWork():
        live = await until(game, lambda live: live.step == 2)
    assert live.changed > until_ms


async def test_a_seat_that_kills_its_workers_is_played_without_its_engine(people):
    game, at = await first(people[0], "pincer"), clocks.now()
    for tries, name in enumerate("abcd"):
        await told(worker_registry.claim, game.pk, "white", name, at - 20_000 + 4_000 * tries)
    async with AtWork():
        await until(game, lambda live: live.step == 2)
    assert Odd.given == []


@pytest.mark.django_db(transaction=True)
async def test_a_thought_ends_when_its_game_does(people, engine):
    engine("slow")
    game = await first(people[0], "pincer")
    async with AtWork():
        await thinks()
        await say(game, people[0], commands.Resign("r"))
        other = await first(people[1], "pincer", clock=Clock("fischer", 10_000))
        await until(other, lambda live: live.step == 2)
    assert await told(Step.objects.filter(game=game.pk).count) == 0
    assert await told(Thinking.objects.filter(game=game.pk).count) == 0


@pytest.mark.parametrize("kind", ["failing", "wrong"])
async def test_an_engine_that_fails_does_not_stop_the_game_nor_tell_its_secret(
    kind, people, engine, caplog
):
    engine(kind)
    game = await first(people[0], "blotto")
    with caplog.at_level(logging.DEBUG):
        async with AtWork():
            await until(game, lambda live: "white" in live.sealed)
    thinking = await told(Thinking.objects.get)
    assert thinking.why == "failed"
    assert "Error" in caplog.text or "IllegalAction" in caplog.text
    for secret in (GIVE_UP, thinking.action, str(thinking.seed)):
        assert secret not in caplog.text


async def test_a_game_that_cannot_be_read_harms_no_other(people):
    broken, whole = await first(people[0], "pincer"), await first(people[1], "pincer")
    await told(lambda: type(broken).objects.filter(pk=broken.pk).update(rules="withdrawn"))
    async with AtWork():
        await until(whole, lambda live: live.step == 2)


@pytest.mark.django_db(transaction=True)
async def test_a_database_that_fails_for_a_while_is_tried_again(people, caplog):
    game = await first(people[0], "pincer")

    def rename(old: str, new: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {old} RENAME TO {new}")

    await told(rename, "bots_lease", "gone")
    try:
        async with AtWork():
            await wait_until(lambda: "tried again" in caplog.text, "the step of the worker fails")
            assert (await game_service().renew(game.slug)).step == 0
            await told(rename, "gone", "bots_lease")
            await until(game, lambda live: live.step == 2)
    finally:
        if await told(lambda: "gone" in connection.introspection.table_names()):
            await told(rename, "gone", "bots_lease")


async def test_a_worker_says_that_it_is_there_and_when_it_leaves():
    assert (await told(state))["workers"] == 0
    async with AtWork():

        async def is_warm() -> bool:
            return (await told(state))["warm"]

        await wait_until(is_warm, "the worker says that it is warm")
        assert (await told(state))["workers"] == 1
    assert await told(Worker.objects.count) == 0


async def test_a_worker_that_was_killed_is_not_counted_for_long():
    await told(lambda: Worker.objects.create(name="dead", at=clocks.now() - 5_001, is_warm=True))
    facts = await told(state)
    assert (facts["workers"], facts["warm"]) == (0, False)


async def test_a_worker_that_ends_gives_its_seat_back_at_once(people, engine):
    engine("slow")
    game = await first(people[0], "pincer")
    async with AtWork():
        await thinks()
        assert await told(Lease.objects.count) == 1
        start = time.monotonic()
    assert time.monotonic() - start < 6  # a thought takes eight
    assert await told(Lease.objects.count) == 0
    assert (await game_service().renew(game.slug)).step == 0


async def test_a_seat_taken_from_a_worker_is_taken_back_when_that_one_dies(
    people, engine, monkeypatch
):
    engine("slow")
    game = await first(people[0], "pincer")
    async with AtWork():
        await thinks()
        monkeypatch.setattr(faulty_engines, "SECONDS", 0.1)
        engine("slow")
        at = clocks.now()
        await told(lambda: Lease.objects.update(worker="other", until=at + 2_500))
        await until(game, lambda live: live.step == 2, seconds=10)
    assert clocks.now() - at > 2_000
