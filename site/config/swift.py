"""uvicorn's websockets with a way out of their own: `uvicorn --ws config.swift:Socket …`.

Frames go to the transport as they are, framed once for all who get them, instead of one by one
through a task and uvicorn's `send`.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from config.lines import Outlet


class Socket(WebSocketsSansIOProtocol):
    """One websocket; its scope has an `outlet`."""

    def connection_made(self, transport: Any) -> None:
        """The connection has been handed over by the HTTP request that asked for it."""
        self.outlet = Outlet(self._write)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Lets go whoever waits to write."""
        super().connection_lost(exc)
        self.outlet.resumeProducing()

    async def run_asgi(self) -> None:
        """Runs the application."""
        self.scope["outlet"] = self.outlet  # type: ignore[typeddict-unknown-key]
        await super().run_asgi()

    def pause_writing(self) -> None:
        """The transport's buffer is full."""
        super().pause_writing()
        self.outlet.pauseProducing()

    def resume_writing(self) -> None:
        """The other end has taken most of it."""
        super().resume_writing()
        self.outlet.resumeProducing()

    def _write(self, frames: bytes) -> None:
        if self.handshake_complete and not self.close_sent and not self.transport.is_closing():
            self.transport.write(frames)
