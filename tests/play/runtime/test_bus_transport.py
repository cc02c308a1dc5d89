"""The Redis transport stops when told to, at any moment."""

import asyncio

import pytest

from play.runtime.bus_transport import BusTransport


class Layer:
    """A channel layer that sends when it is let, and hears nothing."""

    def __init__(self) -> None:
        self.sending, self.may_send = asyncio.Event(), asyncio.Event()

    async def group_send(self, group: str, message: dict) -> None:
        self.sending.set()
        await self.may_send.wait()

    async def group_add(self, group: str, channel: str) -> None:
        """There is nobody else in it."""

    async def group_discard(self, group: str, channel: str) -> None:
        """There is nobody else in it."""

    async def receive(self, channel: str) -> None:
        await asyncio.Event().wait()

    async def close_pools(self) -> None:
        """There are none."""


@pytest.mark.parametrize("steps", range(5))
async def test_a_connection_ends_although_its_message_is_sent_just_then(steps):
    line, layer = BusTransport(lambda message: None), Layer()
    line._layer = layer
    line.listen()
    await layer.sending.wait()
    layer.may_send.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await line.close()
