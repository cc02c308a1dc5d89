"""Raw WebSocket client, for invalid frames and for peers that never read."""

import asyncio
import base64
import os
import socket
import struct
from contextlib import suppress

from tests.faults.clients.game_setup import ORIGIN
from tests.support.topic_frames import subscribe

TEXT, BINARY, CONTINUED, CLOSE, PONG = 1, 2, 0, 8, 10


def frame(opcode: int, payload: bytes, is_last: bool = True) -> bytes:
    """A masked frame; the mask is zero, which is allowed."""
    head = bytes([opcode | (0x80 if is_last else 0)])
    size = len(payload)
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 2**16:
        head += bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", size)
    return head + bytes(4) + payload


class Raw:
    """One connection of it."""

    def __init__(self, port: int, slug: str, session: str = "", buffer: int = 0) -> None:
        self.port, self.slug, self.session = port, slug, session
        self.buffer = buffer  # bytes that the kernel may take in for it; 0: as many as usual
        self.close_code: int | None = None
        self.texts: list[bytes] = []  # those that were read

    async def open(self) -> None:
        """Connects, shakes hands, and follows the game."""
        line = socket.socket()
        if self.buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.buffer)
        line.setblocking(False)
        await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", self.port))
        limit = self.buffer or 2**16
        self.reader, self.writer = await asyncio.open_connection(sock=line, limit=limit)
        key = base64.b64encode(os.urandom(16)).decode()
        cookie = f"Cookie: sessionid={self.session}\r\n" if self.session else ""
        self.writer.write(
            f"GET /ws/g/{self.slug}/ HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Origin: {ORIGIN}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n{cookie}\r\n".encode()
        )
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 30)
        assert b" 101 " in head, head
        await self.send(TEXT, subscribe(f"game:{self.slug}").encode())

    async def send(self, opcode: int, payload: bytes, is_last: bool = True) -> bool:
        """Sends a frame; returns whether the line still takes it."""
        try:
            self.writer.write(frame(opcode, payload, is_last))
            await asyncio.wait_for(self.writer.drain(), 5)
        except (OSError, TimeoutError):
            return False
        return not self.writer.is_closing()

    async def read(self) -> None:
        """Reads until the server ends the connection."""
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                first, second = await self.reader.readexactly(2)
                size = second & 127
                if size == 126:
                    (size,) = struct.unpack(">H", await self.reader.readexactly(2))
                elif size == 127:
                    (size,) = struct.unpack(">Q", await self.reader.readexactly(8))
                payload = await self.reader.readexactly(size)
                if first & 15 == CLOSE and size >= 2:
                    (self.close_code,) = struct.unpack(">H", payload[:2])
                    return
                if first & 15 == 9:
                    self.writer.write(frame(PONG, payload))
                elif first & 15 == TEXT:
                    self.texts.append(payload)

    def states(self) -> list[bytes]:
        """The states of the game among what was read."""
        return [text for text in self.texts if b'"t":"game"' in text]

    def pause(self) -> None:
        """Reads nothing more, not even into memory."""
        self.writer.transport.pause_reading()  # type: ignore[attr-defined]

    def cut(self) -> None:
        """Goes away."""
        self.writer.transport.abort()
