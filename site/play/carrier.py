"""The line between processes: what one says, all others hear, by the channel layer.

Nothing here is certain. A message that cannot be sent at once is dropped, one that is lost is not
missed, and a dead or hanging Redis holds nobody up: whoever hears too late reads it in the
database (see `tail`).
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from channels.layers import channel_layers

GROUP = "quiver.hints"
KIND = "quiver.hints"  # the type of the messages, which Channels wants
DEADLINE = 0.25  # seconds for a message to be sent
REJOIN = 3.0  # seconds after which this process says again that it listens
ECHO = 5.0  # seconds between two messages to itself
MISSES = 3  # echoes that may fail to come before the line counts as dead
AGAIN = 0.5  # seconds after an error
log = logging.getLogger("quiver.play")
Message = dict[str, Any]


class Carrier:
    """The line of one event loop. `hear` gets the messages of other processes, and `recovered` is
    called when they can be heard again."""

    def __init__(
        self, hear: Callable[[Message], None], recovered: Callable[[], None] = lambda: None
    ) -> None:
        self.name = secrets.token_hex(8)  # of this process on the line
        self.lost = 0  # messages that could not be sent
        self._hear = hear
        self._recovered = recovered
        self._loop = asyncio.get_running_loop()
        self._layer: Any = channel_layers.make_backend("default")
        self._channel = f"quiver.{self.name}"
        self._heard = self._loop.time()  # when the last message to itself came back
        self._is_broken = False  # the last message could not be sent; said once
        self._receiving: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None

    @property
    def is_deaf(self) -> bool:
        """Whether nothing has come over the line for so long that it must be dead."""
        is_listening = self._keeping is not None
        return is_listening and self._loop.time() - self._heard > ECHO * MISSES

    def listen(self) -> None:
        """Begins to hear what others say."""
        if self._keeping is None:
            self._receiving = asyncio.create_task(self._receive())
            self._keeping = asyncio.create_task(self._keep())

    async def say(self, message: Message) -> bool:
        """Tells all other processes; whether that could be done before the deadline."""
        told = {"type": KIND, "from": self.name, **message}
        try:
            await asyncio.wait_for(self._layer.group_send(GROUP, told), DEADLINE)
        except Exception as error:
            self.lost += 1
            if not self._is_broken:
                log.warning("hints to other processes are dropped: %s", type(error).__name__)
            self._is_broken = True
            return False
        if self._is_broken:
            log.info("hints reach other processes again; %d were dropped", self.lost)
        self._is_broken = False
        return True

    async def close(self) -> None:
        """Leaves the line."""
        tasks = [task for task in (self._keeping, self._receiving) if task]
        await ended(tasks)
        with suppress(Exception):
            if tasks:
                await asyncio.wait_for(self._layer.group_discard(GROUP, self._channel), DEADLINE)
        await self._let_go()

    async def _receive(self) -> None:
        while True:
            try:
                await self._join()
                while True:
                    self._take(await self._layer.receive(self._channel))
            except Exception as error:
                if not self._is_broken:
                    log.warning(
                        "hints of other processes cannot be heard: %s", type(error).__name__
                    )
                self._is_broken = True
                await asyncio.sleep(AGAIN)

    def _take(self, message: Message) -> None:
        if message.get("from") != self.name:
            self._hear(message)
            return
        silence, self._heard = self._loop.time() - self._heard, self._loop.time()
        if silence > 2 * ECHO:
            log.info("other processes were not heard for %.0f s", silence)
            self._recovered()

    async def _keep(self) -> None:
        """Stays in the group, which may be forgotten, and proves the line by talking to itself."""
        joined = echoed = rebuilt = self._loop.time()
        await self.say({})
        while True:
            await asyncio.sleep(1.0)
            at = self._loop.time()
            if at - joined >= REJOIN:
                joined = at
                with suppress(Exception):
                    await self._join()
            if at - echoed >= ECHO:
                echoed = at
                await self.say({})
            if self.is_deaf and at - rebuilt > ECHO * MISSES:
                rebuilt = at
                await self._rebuild()

    async def _join(self) -> None:
        await asyncio.wait_for(self._layer.group_add(GROUP, self._channel), 1.0)

    async def _rebuild(self) -> None:
        """Puts a new line in the place of a dead one."""
        log.error("the line between processes is dead; making another")
        await ended([self._receiving] if self._receiving else [])
        await self._let_go()
        self._layer = channel_layers.make_backend("default")
        self._receiving = asyncio.create_task(self._receive())

    async def _let_go(self) -> None:
        with suppress(Exception):
            await asyncio.wait_for(self._layer.close_pools(), 1.0)


async def ended(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancels tasks until they have ended: a cancellation that comes just when `wait_for` has got
    what it waited for is lost (until Python 3.12)."""
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=0.1)
    await asyncio.gather(*tasks, return_exceptions=True)
