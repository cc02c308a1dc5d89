"""Waiting for a change in a server process."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import httpx

from tests.support.servers.server_process import Server
from tests.support.waiting import wait_until


async def until(holds: Callable[[], object | Awaitable[object]], seconds: float = 30.0) -> None:
    """Waits as `wait_until` does; new tests use that, and say what they wait for."""
    await wait_until(holds, "what the test waits for", seconds)


async def readiness(server: Server) -> tuple[int, str]:
    """The status and the text of /readyz."""
    async with httpx.AsyncClient(base_url=server.origin, trust_env=False, timeout=20) as anybody:
        answer = await anybody.get("/readyz")
        return answer.status_code, answer.text.strip()


async def is_ready(server: Server) -> bool:
    """Whether /readyz answers 200."""
    return (await readiness(server))[0] == 200


async def is_unready(server: Server) -> bool:
    """Whether /readyz answers 503."""
    return (await readiness(server))[0] == 503


async def stay_unready(server: Server, seconds: float) -> None:
    """Asks a server for some seconds; it has to be unready each time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert await is_unready(server)
        await asyncio.sleep(0.1)
