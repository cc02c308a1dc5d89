"""The runtime of the running event loop, and its parts; the fixture `at_work` closes it.

`settle` and `settle_until` turn the loop's clock and let the database threads finish.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from channels.testing import WebsocketCommunicator

from play.runtime.game_service import GameService
from play.runtime.hub import Hub
from play.runtime.periodic import Background
from play.runtime.runtime import RUNNING, WebRuntime, web_runtime
from play.runtime.seat_presence import SeatPresence
from play.runtime.session_watch import SessionWatch
from tests.support.waiting import (
    POLL_INTERVAL_S,
    TIMEOUT_S,
    check_deadline,
    run_ready,
    turn_loop_clock,
)

T = TypeVar("T")
DATABASE_ROUNDS = 10  # more calls than anything makes one after the other without a timer
STEP_S = 0.25  # of the loop's clock
SETTLE_S = 2.0  # longer than the timers that follow one change, those of the lists too


def runtime() -> WebRuntime:
    """Return the runtime of the running loop, made on the first call."""
    return web_runtime()


def game_service() -> GameService:
    """Return its game service."""
    return web_runtime().games


def hub() -> Hub:
    """Return its hub."""
    return web_runtime().hub


def seats() -> SeatPresence:
    """Return its record of the presence of players."""
    return web_runtime().seats


def session_watch() -> SessionWatch:
    """Return its watch of revoked sessions."""
    return web_runtime().session_watch


def started() -> Background:
    """Start its background tasks, once, and return them."""
    web_runtime().start()
    return web_runtime().background


async def close_runtime() -> None:
    """Close the running loop's runtime, if there is one."""
    found = RUNNING.pop(asyncio.get_running_loop(), None)
    if found is not None and not found.is_closed:
        await found.close()


async def finish_database_calls() -> None:
    """Let the database threads finish, and what follows, and the calls that this makes, and so on.

    The threads run calls in order: when an empty one has returned, those before it have.
    """
    for _ in range(DATABASE_ROUNDS):
        await run_ready()
        await game_service().run_in_db_thread(int)
        await game_service().write(int)
    await run_ready()


async def settle(seconds: float = SETTLE_S) -> None:
    """Turn the loop's clock by steps until nothing follows any more from what has happened.

    After each step the database calls are done, so that a timer which follows another one runs too.
    """
    await finish_database_calls()
    for _ in range(round(seconds / STEP_S)):
        await turn_loop_clock(STEP_S)
        await finish_database_calls()


async def settle_until(condition: Callable[[], Any], awaited: str) -> Any:
    """Turn the loop's clock by steps until a function returns something true; return that."""
    deadline_s = time.monotonic() + TIMEOUT_S
    while not (found := condition()):
        check_deadline(deadline_s, awaited, TIMEOUT_S)
        await finish_database_calls()
        if not condition():
            await turn_loop_clock(STEP_S)
            await asyncio.sleep(POLL_INTERVAL_S)  # for Redis, whose answers no clock brings
    return found


async def settle_for(work: Awaitable[T], awaited: str) -> T:
    """Turn the loop's clock by steps until something awaited is done; return its result."""
    task = asyncio.ensure_future(work)
    await settle_until(task.done, awaited)
    return await task


async def is_silent(socket: WebsocketCommunicator) -> bool:
    """Settle; return whether nothing was sent to a socket but what has been taken."""
    await settle()
    return not has_frame(socket)


def has_frame(socket: WebsocketCommunicator) -> bool:
    """Return whether a frame waits to be taken; raise what the socket's consumer has raised."""
    if socket.future.done():
        socket.future.result()
    return not socket.output_queue.empty()
