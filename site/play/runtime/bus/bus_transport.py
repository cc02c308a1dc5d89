"""Transport of the bus: publishes to Redis channels and reads the subscribed ones.

Delivery is not guaranteed. A message that cannot be sent at once is dropped, and a dead or hanging
Redis blocks nothing: the commit watcher finds the change in the database.

One connection receives, another sends (see `redis_publisher`).
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django.conf import settings

from play.runtime.bus.channel_subscriptions import ChannelSubscriptions
from play.runtime.bus.redis_publisher import RedisPublisher

if TYPE_CHECKING:
    from redis.asyncio.client import PubSub

PREFIX = "quiver.{db}."  # of channels, which Redis does not keep apart by database number
CONNECT_TIMEOUT_S = 2.0
SEND_TIMEOUT_S = 0.25
CLOSE_TIMEOUT_S = 1.0
CHECK_INTERVAL_S = 0.5
ECHO_INTERVAL_S = 5.0  # between pings on the connection that receives
MAX_MISSED_ECHOES = 3  # missing answers after which the connection counts as dead
RETRY_DELAY_S = 0.5
MAX_MESSAGES_AT_ONCE = 100  # before other tasks run
log = logging.getLogger("quiver.play")


class BusTransport:
    """The transport of one event loop.

    `hear` gets the name of the sender and the text of each message of another process; `confirmed`
    is called with each channel whose messages arrive from now on, and `recovered` when all of them
    arrive again after an interruption.
    """

    def __init__(
        self,
        hear: Callable[[str, bytes], None],
        recovered: Callable[[], None] = lambda: None,
        confirmed: Callable[[str], None] = lambda channel: None,
    ) -> None:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        self.name = secrets.token_hex(8)  # identifies this process; begins its messages
        self.lost_count = 0  # messages that could not be sent
        self.channels = ChannelSubscriptions(confirmed)
        self._own = self.name.encode()
        self._hear = hear
        self._recovered = recovered
        self._loop = asyncio.get_running_loop()
        self._client = Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=None,  # messages may be rare; pings find a dead connection
            socket_connect_timeout=CONNECT_TIMEOUT_S,
            socket_keepalive=True,
            protocol=2,
            retry=Retry(NoBackoff(), 0),  # `_receive` reconnects, and knows that it does
        )
        pool = self._client.connection_pool
        self._publisher = RedisPublisher(pool.make_connection())  # type: ignore[no-untyped-call]
        db = pool.connection_kwargs.get("db") or 0
        self._prefix = PREFIX.format(db=db)
        self._heard = self._loop.time()  # when the last ping was answered
        self._was_connected = False
        self._is_broken = False  # the last message could not be sent; logged once
        self._receiving: asyncio.Task[None] | None = None
        self._checking: asyncio.Task[None] | None = None

    @property
    def is_disconnected(self) -> bool:
        """Whether so many pings were not answered that the connection must be dead."""
        return (
            self._checking is not None
            and self._loop.time() - self._heard > ECHO_INTERVAL_S * MAX_MISSED_ECHOES
        )

    def listen(self) -> None:
        """Start to receive messages of other processes."""
        if self._checking is None:
            self._receiving = asyncio.create_task(self._receive())
            self._checking = asyncio.create_task(self._check())

    async def publish(self, messages: Sequence[tuple[str, bytes]]) -> list[int] | None:
        """Send messages, each to a channel; return how many connections got each.

        This process is among them if it has the channel. Return None if they were not sent in time.
        """
        parts: list[str | bytes] = []
        for name, text in messages:
            parts += (self._prefix + name, self._own + text)
        try:
            async with asyncio.timeout(SEND_TIMEOUT_S):
                counts = await self._publisher.publish(parts)
        except Exception as error:
            self.lost_count += len(messages)
            self._log_once(
                "messages to other processes cannot be sent and are dropped (Redis: %s)",
                error,
                "bus_send_failed",
            )
            return None
        if self._is_broken:
            log.info(
                "messages to other processes are sent again; %d were dropped",
                self.lost_count,
                extra={"event": "bus_send_restored"},
            )
        self._is_broken = False
        return counts

    async def close(self) -> None:
        """Close the connections; Redis forgets the channels of this process."""
        await cancel_tasks([task for task in (self._checking, self._receiving) if task])
        await self._close_client()

    async def _receive(self) -> None:
        while True:
            try:
                await self._use_connection()
            except* Exception as group:
                error = group.exceptions[0]
                self._log_once(
                    "messages of other processes cannot be received (Redis: %s)",
                    error,
                    "bus_receive_failed",
                )
            await asyncio.sleep(RETRY_DELAY_S)

    async def _use_connection(self) -> None:
        """Connect, subscribe, and read until the connection is lost."""
        pubsub = self._client.pubsub()
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await pubsub.connect()  # type: ignore[no-untyped-call]
            self.channels.begin_connection()
            await self._send_commands(pubsub)
            # An error in one task ends all: otherwise redis-py would reconnect silently.
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._read(pubsub))
                tasks.create_task(self._keep_subscribing(pubsub))
                tasks.create_task(self._keep_pinging(pubsub))
        finally:
            self.channels.end_connection()
            with suppress(Exception):
                await pubsub.aclose()  # type: ignore[no-untyped-call]

    async def _read(self, pubsub: "PubSub") -> None:
        count = 0
        while True:
            self._dispatch(await pubsub.get_message(timeout=None))
            count += 1
            if count % MAX_MESSAGES_AT_ONCE == 0:
                await asyncio.sleep(0)  # reading buffered messages never suspends this task

    async def _send_commands(self, pubsub: "PubSub") -> None:
        """Wait until other channels are wanted, and subscribe to them."""
        for is_wanted, names in await self.channels.next_commands():
            change = pubsub.subscribe if is_wanted else pubsub.unsubscribe
            await change(*(self._prefix + name for name in names))

    async def _keep_subscribing(self, pubsub: "PubSub") -> None:
        while True:
            await self._send_commands(pubsub)

    async def _keep_pinging(self, pubsub: "PubSub") -> None:
        while True:
            await pubsub.ping()
            await asyncio.sleep(ECHO_INTERVAL_S)

    def _dispatch(self, message: dict[str, Any] | None) -> None:
        if message is None:
            return
        kind = message["type"]
        if kind == "message":
            text: bytes = message["data"]
            if not text.startswith(self._own):
                size = len(self._own)
                self._hear(text[:size].decode("ascii", "replace"), text[size:])
        elif kind == "pong":
            self._note_pong()
        elif kind in ("subscribe", "unsubscribe"):
            name = message["channel"].decode().removeprefix(self._prefix)
            if self.channels.confirm(name, kind == "subscribe"):
                was_connected, self._was_connected = self._was_connected, True
                if was_connected:
                    self._report_recovered()

    def _note_pong(self) -> None:
        silence, self._heard = self._loop.time() - self._heard, self._loop.time()
        if silence > 2 * ECHO_INTERVAL_S:
            self._report_recovered()

    def _report_recovered(self) -> None:
        log.info(
            "messages of other processes are received again",
            extra={"event": "bus_receive_restored"},
        )
        self._recovered()

    async def _check(self) -> None:
        """Rebuild the connections if pings are not answered."""
        rebuilt = self._loop.time()
        while True:
            await asyncio.sleep(min(CHECK_INTERVAL_S, ECHO_INTERVAL_S))
            at = self._loop.time()
            if self.is_disconnected and at - rebuilt > ECHO_INTERVAL_S * MAX_MISSED_ECHOES:
                rebuilt = at
                await self._rebuild()

    async def _rebuild(self) -> None:
        """Replace dead connections."""
        log.error("the connection to Redis is dead; reconnecting", extra={"event": "bus_reconnect"})
        await cancel_tasks([self._receiving] if self._receiving else [])
        await self._close_client()
        self._receiving = asyncio.create_task(self._receive())

    async def _close_client(self) -> None:
        """Close the connections; the next message makes a new one."""
        with suppress(Exception):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._publisher.close()
                await self._client.connection_pool.disconnect()

    def _log_once(self, text: str, error: Exception, event: str) -> None:
        if not self._is_broken:
            log.warning(text, type(error).__name__, extra={"event": event})
        self._is_broken = True


async def cancel_tasks(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel tasks until they have ended.

    Before Python 3.12, a cancellation is lost if it arrives just as `wait_for` gets its result.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=0.1)
    await asyncio.gather(*tasks, return_exceptions=True)
