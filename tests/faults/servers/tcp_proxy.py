"""TCP proxy before a loopback port that can cut, hold, slow and drop traffic."""

import asyncio
from contextlib import suppress
from typing import Literal

Direction = Literal["up", "down"]  # to the server, to the client
CHUNK = 64 * 1024


class Proxy:
    """Passes bytes on between its own port and the server's; all its moods hold at once."""

    def __init__(self, target: int) -> None:
        self.target = target  # the server's port
        self.port = 0
        self.delay = 0.0  # seconds that each piece waits
        self.rate: float | None = None  # bytes a second to the client; None: as fast as it goes
        self.swallows: set[Direction] = set()  # traffic in these directions is dropped
        self.is_shut = False  # new connections are closed at once
        self.server_closed: list[float] = []  # when the server ended a connection (loop time)
        self._lines: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listens on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Ends everything."""
        if self._server:
            self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def lines(self) -> int:
        """The number of connections through the proxy."""
        return len(self._lines) // 2

    def cut(self) -> None:
        """Resets every connection."""
        for line in list(self._lines):
            line.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        with suppress(asyncio.CancelledError):  # by `close`
            await self._join(reader, writer)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connects a client with the server until one of them goes away."""
        if self.is_shut:
            writer.transport.abort()
            return
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        lines = {writer, up_writer}
        self._lines |= lines
        try:
            await asyncio.gather(
                self._pass("up", reader, up_writer), self._pass("down", up_reader, writer)
            )
        finally:
            for line in lines:
                line.transport.abort()
            self._lines -= lines

    async def _pass(
        self, way: Direction, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(CHUNK):
                if way in self.swallows:
                    continue
                if self.delay:
                    await asyncio.sleep(self.delay)
                if self.rate and way == "down":
                    await asyncio.sleep(len(data) / self.rate)
                writer.write(data)
                await writer.drain()
        if way == "down":
            self.server_closed.append(asyncio.get_running_loop().time())
        if way not in self.swallows:
            with suppress(OSError, RuntimeError):
                writer.write_eof()
