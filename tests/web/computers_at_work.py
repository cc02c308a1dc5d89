"""A worker in the loop of a test, and games against computer players."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.db import transaction
from odd_engines import Odd

from accounts.computers import computer
from accounts.models import User
from bots.worker import Worker
from games.core import Role
from play import act, clocks, wire
from play.clocks import Clock
from play.desk import desk
from play.live import Live
from play.models import Game


class AtWork:
    """A worker that thinks for as long as the block runs."""

    def __init__(self, is_exhibiting: bool = False) -> None:
        self.worker = Worker(is_exhibiting)

    async def __aenter__(self) -> Worker:
        self._task = asyncio.create_task(self.worker.run())
        return self.worker

    async def __aexit__(self, *error: object) -> None:
        self.worker.end()
        await asyncio.wait_for(self._task, 20)


def seated_now(seats: dict[Role, User], key: str, clock: Clock | None = None) -> Game:
    """Starts a game between users."""
    with transaction.atomic():
        return act.open_game(key, clock or Clock("none"), seats, public=True)


async def against(user: User, key: str, level: int = 3, clock: Clock | None = None) -> Game:
    """A game of a user, who is white, against the computer."""
    opponent = await sync_to_async(computer)(level)
    return await sync_to_async(seated_now)({"white": user, "black": opponent}, key, clock)


async def first(user: User, key: str, level: int = 3, clock: Clock | None = None) -> Game:
    """The same, but the computer is white."""
    opponent = await sync_to_async(computer)(level)
    return await sync_to_async(seated_now)({"white": opponent, "black": user}, key, clock)


async def until(game: Game, holds: Callable[[Live], Any], seconds: float = 15) -> Live:
    """The game as soon as something holds of it."""
    end = time.monotonic() + seconds
    while True:
        live = await desk().renew(game.slug)
        if holds(live):
            return live
        assert time.monotonic() < end, f"turn {live.turn}, waiting: {live.waiting}, {live.ending}"
        await asyncio.sleep(0.02)


async def play(game: Game, user: User, *actions: str) -> None:
    """Somebody plays a go in a game."""
    live = await desk().renew(game.slug)
    message = wire.Act(f"t-{live.rev}", live.turn, actions, live.takebacks)
    await act.perform(game.slug, user.pk, message, clocks.now())


async def say(game: Game, user: User, message: wire.GameMessage) -> None:
    """Somebody says something else in a game."""
    await act.perform(game.slug, user.pk, message, clocks.now())


async def told(question: Callable[..., Any], *args: Any) -> Any:
    """What the database says."""
    waiting: Awaitable[Any] = desk().read(question, *args)
    return await waiting


async def thinks() -> None:
    """Returns when a player has been asked to choose."""
    for _ in range(500):
        if Odd.given:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("nobody thinks")
