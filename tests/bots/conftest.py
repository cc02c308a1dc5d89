"""Fixtures of the tests of computer players on the site."""

import pytest

from play.domain.clocks import Clock
from tests.support.bot_workers import first
from tests.support.loop_runtime import game_service
from tests.support.site_fixtures import *  # noqa: F403


@pytest.fixture
def seen(people, at_work):
    """A game against the computer, as it is read; the computer is white."""

    async def seen(key: str, clock: Clock | None = None):
        return await game_service().find((await first(people[0], key, clock=clock)).slug)

    return seen
