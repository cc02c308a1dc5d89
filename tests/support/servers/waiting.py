"""Polling for a change in a server process."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx

from tests.support.servers.server_process import Server


async def until(holds: Callable[[], object | Awaitable[object]], seconds: float = 30.0) -> None:
    """Waits until something, perhaps to be awaited, holds."""
    async with asyncio.timeout(seconds):
        while True:
            answer = holds()
            if await answer if asyncio.iscoroutine(answer) else answer:
                return
            await asyncio.sleep(0.1)


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
