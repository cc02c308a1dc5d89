"""What every test of the site shares: people, games, and event loops that end clean."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

# One place for compiled code in all processes of all tests, kept between runs.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "numba"))
IS_COMPLETE = os.environ.get("QUIVER_TESTS_COMPLETE") == "1"  # then nothing may be skipped


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fails the run if something was skipped although everything has to be tested."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if IS_COMPLETE and exitstatus == 0 and reporter.stats.get("skipped"):
        reporter.write_line("QUIVER_TESTS_COMPLETE is set: nothing may be skipped", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def people(transactional_db):
    """Three users: ada and bob sit down, cy only watches."""
    from accounts.models import User

    return [User.objects.create(username=name) for name in ("ada", "bob", "cy")]


@pytest.fixture
def opened(people):
    """Opens a game between ada (white) and bob (black): `opened("pincer")`."""
    from django.db import transaction

    from play import act
    from play.clocks import Clock

    def open_now(key: str, clock: Clock | None = None, public: bool = True, watch: bool = True):
        ada, bob, _ = people
        with transaction.atomic():
            seats = {"white": ada, "black": bob}
            return act.open_game(key, clock or Clock("none"), seats, public, watch=watch)

    return open_now


@pytest.fixture
def table(opened, at_work):
    """The same from a coroutine: `await table("pincer")`."""
    from play.desk import desk

    async def table(*args, **kwargs):
        return await desk().read(lambda: opened(*args, **kwargs))

    return table


@pytest.fixture
async def at_work() -> AsyncIterator[None]:
    """Lets the loop's hub and desk be used, and closes them and their connections afterwards."""
    from play.hub import hub

    yield
    await hub().close()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
