"""`python -m tests.bench.reconnect_storm.pages`: open many game pages' sockets at once.

A light client: handshakes and frames are bytes that it makes itself, so that it costs far less than
the server. Reads a plan as JSON from standard input and prints what the pages saw.
"""

import asyncio
import json
import struct
import sys
import time
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

MASK = b"\0\0\0\0"  # masking with zeros changes nothing
UPGRADE = (
    "GET /ws/g/{slug}/?lang=en HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
    "Cookie: {cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
OPEN_TIMEOUT_S = 120.0
TEXT, PING, PONG, CLOSE = 1, 9, 10, 8  # opcodes


def frame(opcode: int, payload: bytes) -> bytes:
    """Return a masked frame of up to 64 KiB."""
    if len(payload) < 126:
        return struct.pack("!BB", 0x80 | opcode, 0x80 | len(payload)) + MASK + payload
    return struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, len(payload)) + MASK + payload


@dataclass
class Page:
    """One page: its topics with the revs that it has, and when it had an answer on all of them."""

    slug: str
    cookie: str
    revs: dict[str, Any] = field(default_factory=dict)
    refusals: int = 0  # handshakes that were refused; the page came again
    ended: list[str] = field(default_factory=list)  # topics that the server ended
    answered_s: float = 0.0

    @property
    def topics(self) -> list[str]:
        """The topics of a game's page: see static/js/game, chat, pages/my-games, notices/bell."""
        return [f"game:{self.slug}", f"chat:game/{self.slug}", "mine", "notices"]

    async def come(self, host: str, port: int, began: float, held: list[Any]) -> None:
        """Open the socket, subscribe, and wait for an answer on each topic."""
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(UPGRADE.format(slug=self.slug, host=host, cookie=self.cookie).encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            if head.startswith("HTTP/1.1 101"):
                break
            self.refusals += 1
            writer.close()
            wait = [line for line in head.lower().split("\r\n") if line.startswith("retry-after")]
            await asyncio.sleep(float(wait[0].partition(":")[2]) if wait else 1.0)
        held.append((reader, writer))
        for topic in self.topics:
            ask = {"t": "subscribe", "topic": topic, "rev": self.revs.get(topic, -1)}
            writer.write(frame(TEXT, json.dumps(ask).encode()))
        await self._hear(reader, writer)
        self.answered_s = time.monotonic() - began

    async def _hear(self, reader: Any, writer: Any) -> None:
        waits = set(self.topics)
        while waits:
            opcode, payload = await read_frame(reader)
            if opcode == PING:
                writer.write(frame(PONG, payload))
            elif opcode == CLOSE:
                raise ConnectionError(f"closed with {payload!r}")
            elif opcode == TEXT:
                message = json.loads(payload)
                topic, kind = message.get("topic"), message["t"]
                if kind == "ended":
                    self.ended.append(f"{topic} {message['reason']}")
                    waits.discard(topic)
                elif kind in ("game", "chat", "mine", "notices"):
                    if "rev" in message:  # `mine` has none on the wire
                        self.revs[topic] = message["rev"]
                    waits.discard(topic)
                elif kind == "pong":
                    waits.discard(topic)


async def read_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Return the opcode and the payload of the next frame of the server."""
    first, size = await reader.readexactly(2)
    if size == 126:
        (size,) = struct.unpack("!H", await reader.readexactly(2))
    elif size == 127:
        (size,) = struct.unpack("!Q", await reader.readexactly(8))
    return first & 15, await reader.readexactly(size)


async def probe(host: str, port: int, every_s: float, trips: list[float]) -> None:
    """Ask for `/watch/` again and again; add the seconds that each answer took."""
    ask = f"GET /watch/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
    while True:
        began = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ask)
        answer = await reader.read()
        trips.append(time.monotonic() - began)
        assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
        writer.close()
        await asyncio.sleep(every_s)


async def storm(plan: dict[str, Any]) -> dict[str, Any]:
    """Let all pages come at once; return when they were answered, and their revs."""
    pages = [Page(**page) for page in plan["pages"]]
    ports, host = cycle(plan["ports"]), plan["host"]
    held: list[Any] = []
    trips: list[float] = []
    asking = asyncio.create_task(probe(host, plan["ports"][0], plan["every_s"], trips))
    began = time.monotonic()
    async with asyncio.timeout(OPEN_TIMEOUT_S):
        await asyncio.gather(*(page.come(host, next(ports), began, held) for page in pages))
    asking.cancel()
    print(
        json.dumps(
            {
                "answered_s": sorted(page.answered_s for page in pages),
                "refusals": sum(page.refusals for page in pages),
                "ended": sorted({each for page in pages for each in page.ended}),
                "watch_s": trips,
                "revs": [page.revs for page in pages],
            }
        ),
        flush=True,
    )
    await asyncio.to_thread(sys.stdin.readline)  # the sockets stay open until the server was read
    return {}


if __name__ == "__main__":
    asyncio.run(storm(json.loads(sys.stdin.readline())))
