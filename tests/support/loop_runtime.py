"""The runtime of the running event loop, and its parts; the fixture `at_work` closes it."""

import asyncio

from play.runtime.game_service import GameService
from play.runtime.hub import Hub
from play.runtime.periodic import Background
from play.runtime.presence import Presence
from play.runtime.runtime import RUNNING, WebRuntime, web_runtime
from play.runtime.session_watch import SessionWatch


def runtime() -> WebRuntime:
    """Return the runtime of the running loop, made on the first call."""
    return web_runtime()


def game_service() -> GameService:
    """Return its game service."""
    return web_runtime().games


def hub() -> Hub:
    """Return its hub."""
    return web_runtime().hub


def presence() -> Presence:
    """Return its record of presence."""
    return web_runtime().presence


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
