"""TCP relay between browser and server that can be cut, slowed or half closed."""

import asyncio


class CuttableProxy:
    """Relays connections to a port; `cut` drops them all and takes no new ones until `mend`."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._is_cut = False
        self._swallows = False
        self._is_deaf = False
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.port = 0
        self.slow_answer: bytes | None = None  # answers with these bytes come a second late

    async def open(self, port: int = 0) -> None:
        """Listens on a port of loopback (0: a free one)."""
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stops listening and drops what is open."""
        self.cut()
        if self._server:
            self._server.close()

    def cut(self) -> None:
        """Drops every connection at once, as a lost network does."""
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def swallow(self) -> None:
        """Carries nothing any more, and closes nothing: the line is half open."""
        self._swallows = True

    def deafen(self) -> None:
        """Carries what the browser sends and none of the answers, and closes nothing."""
        self._is_deaf = True

    def mend(self) -> None:
        """Lets connections through again; those that were half open are dropped."""
        if self._swallows or self._is_deaf:
            self.cut()
        self._is_cut = self._swallows = self._is_deaf = False

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers |= {writer, up_writer}
        await asyncio.gather(
            self._pump(reader, up_writer),
            self._pump(up_reader, writer, is_answer=True),
            return_exceptions=True,
        )
        self._writers -= {writer, up_writer}

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_answer: bool = False
    ) -> None:
        try:
            while data := await reader.read(65_536):
                if is_answer and self.slow_answer and self.slow_answer in data:
                    await asyncio.sleep(1)
                if self._swallows or (is_answer and self._is_deaf):
                    continue
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()
