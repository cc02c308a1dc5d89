"""Transport of the bus: broadcasts messages between processes over the channel layer.

Delivery is not guaranteed. A message that cannot be sent at once is dropped, and a dead or hanging
Redis blocks nothing: the commit watcher finds the change in the database.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from channels.layers import channel_layers

GROUP = "quiver.hints"
KIND = "quiver.hints"  # message type, required by Channels
SEND_TIMEOUT_S = 0.25
REJOIN_INTERVAL_S = 3.0  # between renewals of the group membership
ECHO_INTERVAL_S = 5.0  # between messages to itself
MAX_MISSED_ECHOES = 3  # missing echoes after which the connection counts as dead
RETRY_DELAY_S = 0.5
log = logging.getLogger("quiver.play")
Message = dict[str, Any]


class BusTransport:
    """The transport of one event loop.

    `hear` gets the messages of other processes; `recovered` is called when they arrive again after
    an interruption.
    """

    def __init__(
        self, hear: Callable[[Message], None], recovered: Callable[[], None] = lambda: None
    ) -> None:
        self.name = secrets.token_hex(8)  # identifies this process
        self.lost_count = 0  # messages that could not be sent
        self._hear = hear
        self._recovered = recovered
        self._loop = asyncio.get_running_loop()
        self._layer: Any = channel_layers.make_backend("default")
        self._channel = f"quiver.{self.name}"
        self._heard = self._loop.time()  # when the last message to itself came back
        self._is_broken = False  # the last message could not be sent; logged once
        self._receiving: asyncio.Task[None] | None = None
        self._joining: asyncio.Task[None] | None = None

    @property
    def is_disconnected(self) -> bool:
        """Whether so many of its own echo messages are missing that the connection must be dead."""
        is_listening = self._joining is not None
        return (
            is_listening and self._loop.time() - self._heard > ECHO_INTERVAL_S * MAX_MISSED_ECHOES
        )

    def listen(self) -> None:
        """Start to receive messages of other processes."""
        if self._joining is None:
            self._receiving = asyncio.create_task(self._receive())
            self._joining = asyncio.create_task(self._stay_joined())

    async def say(self, message: Message) -> bool:
        """Send a message to all other processes; return whether it was sent in time."""
        envelope = {"type": KIND, "from": self.name, **message}
        try:
            await asyncio.wait_for(self._layer.group_send(GROUP, envelope), SEND_TIMEOUT_S)
        except Exception as error:
            self.lost_count += 1
            if not self._is_broken:
                log.warning(
                    "messages to other processes cannot be sent and are dropped (Redis: %s)",
                    type(error).__name__,
                    extra={"event": "bus_send_failed"},
                )
            self._is_broken = True
            return False
        if self._is_broken:
            log.info(
                "messages to other processes are sent again; %d were dropped",
                self.lost_count,
                extra={"event": "bus_send_restored"},
            )
        self._is_broken = False
        return True

    async def close(self) -> None:
        """Leave the group and close the connection."""
        tasks = [task for task in (self._joining, self._receiving) if task]
        await cancel_tasks(tasks)
        with suppress(Exception):
            if tasks:
                await asyncio.wait_for(
                    self._layer.group_discard(GROUP, self._channel), SEND_TIMEOUT_S
                )
        await self._close_layer()

    async def _receive(self) -> None:
        while True:
            try:
                await self._join()
                while True:
                    self._dispatch(await self._layer.receive(self._channel))
            except Exception as error:
                if not self._is_broken:
                    log.warning(
                        "messages of other processes cannot be received (Redis: %s)",
                        type(error).__name__,
                        extra={"event": "bus_receive_failed"},
                    )
                self._is_broken = True
                await asyncio.sleep(RETRY_DELAY_S)

    def _dispatch(self, message: Message) -> None:
        if message.get("from") != self.name:
            self._hear(message)
            return
        silence, self._heard = self._loop.time() - self._heard, self._loop.time()
        if silence > 2 * ECHO_INTERVAL_S:
            log.info(
                "no message of another process arrived for %.0f s; receiving again",
                silence,
                extra={"event": "bus_receive_restored"},
            )
            self._recovered()

    async def _stay_joined(self) -> None:
        """Renew the group membership, which expires, and check the connection.

        The check sends messages to itself; without their echo the connection is rebuilt.
        """
        joined = echoed = rebuilt = self._loop.time()
        await self.say({})
        while True:
            await asyncio.sleep(1.0)
            at = self._loop.time()
            if at - joined >= REJOIN_INTERVAL_S:
                joined = at
                with suppress(Exception):
                    await self._join()
            if at - echoed >= ECHO_INTERVAL_S:
                echoed = at
                await self.say({})
            if self.is_disconnected and at - rebuilt > ECHO_INTERVAL_S * MAX_MISSED_ECHOES:
                rebuilt = at
                await self._rebuild()

    async def _join(self) -> None:
        await asyncio.wait_for(self._layer.group_add(GROUP, self._channel), 1.0)

    async def _rebuild(self) -> None:
        """Replace a dead connection."""
        log.error("the connection to Redis is dead; reconnecting", extra={"event": "bus_reconnect"})
        await cancel_tasks([self._receiving] if self._receiving else [])
        await self._close_layer()
        self._layer = channel_layers.make_backend("default")
        self._receiving = asyncio.create_task(self._receive())

    async def _close_layer(self) -> None:
        with suppress(Exception):
            await asyncio.wait_for(self._layer.close_pools(), 1.0)


async def cancel_tasks(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel tasks until they have ended.

    Until Python 3.12 a cancellation is lost that comes just when `wait_for` has got its result.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=0.1)
    await asyncio.gather(*tasks, return_exceptions=True)
