"""The age of the oldest turn that computer players owe, for Prometheus."""

import pytest

from play.domain import clocks
from play.domain.clocks import MonotonicClock
from telemetry.counters import COMPUTER_TURN_AGE
from tests.support.bot_workers import AtWork, first, thinks, until
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def exported_age_s() -> float:
    """The age as Prometheus reads it."""
    [family] = COMPUTER_TURN_AGE.collect()
    return family.samples[0].value


async def test_a_turn_under_way_grows_older_until_it_is_played(
    people, engine, at_work, monkeypatch
) -> None:
    clock = MonotonicClock(clocks.now())
    monkeypatch.setattr(clocks, "CLOCK", clock)
    engine("slow")
    await first(people[0], "pincer")
    async with AtWork():
        await thinks()
        young = exported_age_s()
        clock.set_by(1_000)
        assert exported_age_s() >= young + 1


async def test_without_a_turn_that_is_due_it_is_zero(people, engine, at_work) -> None:
    engine("quick")
    game = await first(people[0], "pincer")
    async with AtWork():
        await until(game, lambda live: "white" not in live.waiting)
        await wait_until(lambda: exported_age_s() == 0, "the worker gives the seat back")
