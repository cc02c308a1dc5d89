"""The age of the oldest turn that computer players owe, for Prometheus."""

import asyncio

import pytest

from telemetry.counters import COMPUTER_TURN_AGE
from tests.support.bot_workers import AtWork, first, thinks, until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def exported_age_s() -> float:
    """The age as Prometheus reads it."""
    [family] = COMPUTER_TURN_AGE.collect()
    return family.samples[0].value


async def test_a_turn_under_way_grows_older_until_it_is_played(people, engine, at_work) -> None:
    engine("slow")
    await first(people[0], "pincer")
    async with AtWork():
        await thinks()
        young = exported_age_s()
        await asyncio.sleep(0.1)
        assert exported_age_s() >= young + 0.099  # both are rounded to milliseconds


async def test_without_a_turn_that_is_due_it_is_zero(people, engine, at_work) -> None:
    engine("quick")
    game = await first(people[0], "pincer")
    async with AtWork():
        await until(game, lambda live: "white" not in live.waiting)
        await asyncio.sleep(0.1)  # the worker gives the seat back
        assert exported_age_s() == 0
