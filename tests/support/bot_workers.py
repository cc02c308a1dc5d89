"""Helpers: a worker in a test's event loop, and games against computer players."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.db import transaction

from accounts.models import User
from accounts.people.computer_users import computer
from bots.worker import Worker
from games.core import Role
from play.domain import clocks, commands
from play.domain.clocks import Clock
from play.domain.game_state import GameState
from play.models import Game
from play.runtime import game_commands
from tests.support.faulty_engines import Odd
from tests.support.loop_runtime import game_service
from tests.support.waiting import TIMEOUT_S, wait_until


class AtWork:
    """A worker that thinks for as long as the block runs."""

    def __init__(self, is_exhibiting: bool = False, is_pondering: bool = False) -> None:
        self.worker = Worker(game_service(), is_exhibiting, is_pondering=is_pondering)

    async def __aenter__(self) -> Worker:
        self._task = asyncio.create_task(self.worker.run())
        return self.worker

    async def __aexit__(self, *error: object) -> None:
        self.worker.end()
        await asyncio.wait_for(self._task, TIMEOUT_S)


def seated_now(seats: dict[Role, User], key: str, clock: Clock | None = None) -> Game:
    """Starts a game between users."""
    with transaction.atomic():
        return game_commands.open_game(key, clock or Clock("none"), seats, public=True)


async def against(user: User, key: str, level: int = 3, clock: Clock | None = None) -> Game:
    """A game of a user, who is white, against the computer."""
    opponent = await sync_to_async(computer)(level)
    return await sync_to_async(seated_now)({"white": user, "black": opponent}, key, clock)


async def first(user: User, key: str, level: int = 3, clock: Clock | None = None) -> Game:
    """The same, but the computer is white."""
    opponent = await sync_to_async(computer)(level)
    return await sync_to_async(seated_now)({"white": opponent, "black": user}, key, clock)


async def _renewed(game: Game) -> GameState:
    live = await game_service().renew(game.slug)
    assert live is not None, game.slug
    return live


async def until(
    game: Game, holds: Callable[[GameState], Any], seconds: float = TIMEOUT_S
) -> GameState:
    """The game as soon as something holds of it."""
    live = await _renewed(game)

    async def is_so() -> Any:
        nonlocal live
        live = await _renewed(game)
        return holds(live)

    def newest() -> str:
        return f"the game is at step {live.step}, waits for {live.waiting}, {live.ending}"

    await wait_until(is_so, newest, seconds)
    return live


async def play(game: Game, user: User, *actions: str) -> None:
    """Somebody plays a turn in a game."""
    live = await _renewed(game)
    message = commands.Act(f"t-{live.rev}", live.step, actions, live.takebacks)
    await game_commands.perform(game_service(), game.slug, user.pk, message, clocks.now())


async def say(game: Game, user: User, message: commands.GameCommand) -> None:
    """Somebody says something else in a game."""
    await game_commands.perform(game_service(), game.slug, user.pk, message, clocks.now())


async def told(question: Callable[..., Any], *args: Any) -> Any:
    """The result of a query on the database thread."""
    waiting: Awaitable[Any] = game_service().run_in_db_thread(question, *args)
    return await waiting


async def thinks() -> None:
    """Returns when a player has been asked to choose."""
    await wait_until(lambda: Odd.given, "a player is asked to choose")
