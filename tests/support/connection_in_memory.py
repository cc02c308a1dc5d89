"""A WebSocket connection of the site without a server or a socket, fed byte by byte."""

import asyncio
import contextlib
import struct
from collections.abc import Iterator
from typing import Any

from server.connection import Connection
from server.registry import ConnectionRegistry

HEAD = (
    b"GET /ws/x?a=%2F HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Cookie: a=\xe9\r\nX_Real: spoofed\r\n\r\n"
)


class MemoryTransport(asyncio.Transport):
    """A transport that keeps what is written; `pauses` counts how often reading was paused."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_open, self.is_reading_now, self.has_eof, self.pauses = True, True, False, 0

    def write(self, data) -> None:
        assert self.is_open and not self.has_eof
        self.written += data

    def write_eof(self) -> None:
        self.has_eof = True

    def can_write_eof(self) -> bool:
        return True

    def close(self) -> None:
        self.is_open = False

    abort = close

    def is_closing(self) -> bool:
        return not self.is_open

    def pause_reading(self) -> None:
        self.is_reading_now = False
        self.pauses += 1

    def resume_reading(self) -> None:
        self.is_reading_now = True

    def get_write_buffer_size(self) -> int:
        return 0

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Yield (opcode, payload) of what was written after the handshake."""
        data = self.written.partition(b"\r\n\r\n")[2]
        while data:
            size, head = data[1], 2
            if size == 126:
                size, head = struct.unpack("!H", data[2:4])[0], 4
            elif size == 127:
                size, head = struct.unpack("!Q", data[2:10])[0], 10
            yield data[0] & 15, data[head : head + size]
            data = data[head + size :]

    @property
    def close_code(self) -> int | None:
        """The code of the close frame that was written."""
        codes = [int.from_bytes(data[:2]) for opcode, data in self.frames() if opcode == 8]
        assert len(codes) <= 1
        return codes[0] if codes else None


class Line:
    """A connection whose application notes what it gets."""

    def __init__(self) -> None:
        self.transport = MemoryTransport()
        self.events: list[dict[str, Any]] = []
        self.may_read = asyncio.Event()
        self.may_read.set()
        self.scope: dict[str, Any] = {}
        self.connection = Connection(self._application, ConnectionRegistry())
        self.connection.connection_made(self.transport)

    async def _application(self, scope, receive, send) -> None:
        self.scope, self.send = scope, send
        assert (await receive())["type"] == "websocket.connect"
        if scope["path"] == "/denied":
            await send({"type": "websocket.http.response.start", "status": 503, "headers": []})
            await send({"type": "websocket.http.response.body", "body": b"later"})
            return
        await send({"type": "websocket.accept"})
        while True:
            await self.may_read.wait()
            event = await receive()
            self.events.append(event)
            if event["type"] == "websocket.disconnect":
                return

    async def open(self, head: bytes = HEAD) -> None:
        """Send the handshake."""
        self.connection.data_received(head)
        await steps()

    async def feed(self, *chunks: bytes) -> None:
        """Send bytes; the application handles what has come."""
        for chunk in chunks:
            self.connection.data_received(chunk)
        await steps()

    @property
    def messages(self) -> list[str | bytes]:
        """The messages that the application got."""
        found = [each for each in self.events if each["type"] == "websocket.receive"]
        return [each["text"] if "text" in each else each["bytes"] for each in found]


async def steps() -> None:
    """Let the event loop run what is ready."""
    for _ in range(10):
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def opened(head: bytes = HEAD):
    """An open connection; it ends with its peer."""
    line = Line()
    await line.open(head)
    yield line
    line.connection.connection_lost(None)
    line.may_read.set()
    await steps()
    assert line.events[-1]["type"] == "websocket.disconnect" or not line.scope


def frame(
    payload: bytes, opcode: int = 1, is_last: bool = True, mask: bytes = b"\1\2\3\4"
) -> bytes:
    """A frame as a client sends it."""
    size, first = len(payload), opcode | (0x80 if is_last else 0)
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 2**16:
        head = struct.pack("!BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, size)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
