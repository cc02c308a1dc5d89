"""How frames leave: a mailbox writes to its outlet whenever that is open.

Daphne's connections have one of their own, which writes bytes (`config.backpressure`); every other
server's `send` is put behind `Sending`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from play.frames import Frame

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Outlet(Protocol):
    """The way out of one socket."""

    is_open: bool  # the other end takes what is sent
    when_open: Callable[[], None]  # called each time it opens

    def write(self, frames: Sequence[Frame]) -> None:
        """Sends frames in their order, at once; only while it is open."""


def nobody() -> None:
    """Who hears of an outlet that nobody writes to."""


class Sending:
    """The outlet of any ASGI server: open while its `send` is not waiting for the other end."""

    def __init__(self, send: Send) -> None:
        self.is_open = True
        self.when_open: Callable[[], None] = nobody
        self._send = send
        self._task: asyncio.Task[None] | None = None  # kept: the loop holds tasks weakly

    def write(self, frames: Sequence[Frame]) -> None:
        """Sends frames one after the other; the outlet is shut meanwhile."""
        self.is_open = False
        self._task = asyncio.create_task(self._write(frames))

    async def _write(self, frames: Sequence[Frame]) -> None:
        try:
            for frame in frames:
                await self._send({"type": "websocket.send", "text": frame.text})
        except Exception:
            return  # the other end has gone, and nobody will take anything any more
        self.is_open = True
        self.when_open()
