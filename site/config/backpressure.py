"""What Daphne lacks: bounds on the bytes that a client sends, and on those that it does not read.

A websocket's `send` never waits, so a socket that asks for states and reads none would fill the
memory; and the body of a request is taken in as a whole before anybody looks at it, so one would
fill the disk.
"""

from typing import Any

from daphne import http_protocol
from daphne.http_protocol import WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

MOST_UNSENT = 1024 * 1024  # bytes
MOST_BODY = 1024 * 1024  # bytes; nobody sends files here
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class BoundedProtocol(WebSocketProtocol):  # type: ignore[misc]
    """Cuts the line of a client for which too much waits to be sent."""

    def serverSend(self, content: Any, binary: bool = False) -> None:
        """Sends a frame, or gives the client up."""
        if self.transport is not None and unsent(self.transport) > MOST_UNSENT:
            self.transport.abortConnection()
            return
        super().serverSend(content, binary)


class BoundedRequest(WebRequest):  # type: ignore[misc]
    """Takes no more of a body than the largest form could have."""

    def handleContentChunk(self, data: bytes) -> None:
        """Keeps a part of the body, or says that it is too large and hangs up."""
        if self.content.tell() + len(data) > MOST_BODY:
            self.channel.transport.write(TOO_LARGE)
            self.channel.loseConnection()
            return
        super().handleContentChunk(data)


def unsent(transport: Any) -> int:
    """Bytes that a Twisted transport holds because the other end does not take them.

    Twisted has no public name for it: these are the buffers of its `FileDescriptor`.
    """
    return int(transport._tempDataLen + len(transport.dataBuffer) - transport.offset)


def bound_what_is_unsent() -> None:
    """Makes every websocket of this process a bounded one; call it before the server runs."""
    WebSocketFactory.protocol = BoundedProtocol


def bound_what_is_sent() -> None:
    """Makes every request of this process a bounded one; call it before the server runs."""
    http_protocol.WebRequest = BoundedRequest
