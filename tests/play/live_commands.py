"""Commands to games of the test's own loop: refusals, and the entries of the log."""

import json

import pytest

from accounts.refusals import Refused
from play.domain import clocks
from play.domain.game_refusals import Reason
from play.models import Entry
from play.runtime import game_commands
from play.storage import load
from play.storage.verification import faults_of, rows_of
from tests.support.loop_runtime import game_service


async def say(game, user, command, at=None):
    """Perform a command of a user, received at a time (epoch ms), now without one."""
    return await game_commands.perform(
        game_service(), game.slug, user.pk, command, at or clocks.now()
    )


async def refused(awaitable) -> Reason:
    """Return the reason for which a command is refused, as it has to be."""
    with pytest.raises(Refused) as caught:
        await awaitable
    return caught.value.reason


async def faults(game) -> list[str]:
    """Return what `manage.py verify` finds wrong with a game."""
    return faults_of(await game_service().run_in_db_thread(rows_of, game.slug))


async def live(game):
    """Return the game as this process holds it."""
    return await game_service().find(game.slug)


async def live_as_stored(game):
    """Return the game as this process holds it, which has to be what the database has."""
    held = await live(game)
    assert held == await game_service().run_in_db_thread(load.fetch, game.slug)
    return held


async def last_body(game) -> dict:
    """Return the body of the last entry of a game's log, with its kind and role."""

    def read():
        return Entry.objects.filter(game=game.pk).order_by("-rev").first()

    entry = await game_service().run_in_db_thread(read)
    return {"kind": entry.kind, "role": entry.role, **json.loads(entry.body)}
