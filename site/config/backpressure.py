"""What Daphne lacks: a bound on the bytes that wait for a client which does not read.

Its `send` never waits, so a socket that asks for states and reads none would fill the memory.
"""

from typing import Any

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

MOST_UNSENT = 1024 * 1024  # bytes


class BoundedProtocol(WebSocketProtocol):  # type: ignore[misc]
    """Cuts the line of a client for which too much waits to be sent."""

    def serverSend(self, content: Any, binary: bool = False) -> None:
        """Sends a frame, or gives the client up."""
        if self.transport is not None and unsent(self.transport) > MOST_UNSENT:
            self.transport.abortConnection()
            return
        super().serverSend(content, binary)


def unsent(transport: Any) -> int:
    """Bytes that a Twisted transport holds because the other end does not take them.

    Twisted has no public name for it: these are the buffers of its `FileDescriptor`.
    """
    return int(transport._tempDataLen + len(transport.dataBuffer) - transport.offset)


def bound_what_is_unsent() -> None:
    """Makes every websocket of this process a bounded one; call it before the server runs."""
    WebSocketFactory.protocol = BoundedProtocol
