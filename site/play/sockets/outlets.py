"""Outlets: write frames of a send queue to the connection while that accepts them.

Connections of the `server` app are outlets themselves and write bytes (`server.connection`);
`Sending` wraps the `send` of every other ASGI server.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from play.domain.encoding import Frame

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Outlet(Protocol):
    """The writing side of one socket."""

    is_open: bool  # the peer accepts data
    when_open: Callable[[], None]  # called each time it opens

    def write(self, frames: Sequence[Frame]) -> None:
        """Send frames in order, at once; only while the outlet is open."""


class PageConnection(Outlet, Protocol):
    """A connection of the `server` app: an outlet that hands the peer's messages on by itself."""

    def deliver_to(self, receiver: Callable[[str | None], float | None] | None) -> None:
        """Give text messages to a receiver by a call, and None for binary ones.

        It returns after how many seconds it takes the next message; None: at once, 0: in the next
        iteration of the event loop. Without a receiver, messages are returned by ASGI's `receive`.
        """


def ignore_opening() -> None:
    """Do nothing: the callback of an outlet without a send queue."""


class Sending:
    """The outlet of any ASGI server: open while no `send` is pending."""

    def __init__(self, send: Send) -> None:
        self.is_open = True
        self.when_open: Callable[[], None] = ignore_opening
        self._send = send
        self._task: asyncio.Task[None] | None = (
            None  # keeps a reference: the loop holds tasks weakly
        )

    def write(self, frames: Sequence[Frame]) -> None:
        """Send frames one after the other; the outlet is closed meanwhile."""
        self.is_open = False
        self._task = asyncio.create_task(self._write(frames))

    async def _write(self, frames: Sequence[Frame]) -> None:
        try:
            for frame in frames:
                await self._send({"type": "websocket.send", "text": frame.text})
        except Exception:
            return  # the peer has gone
        self.is_open = True
        self.when_open()
