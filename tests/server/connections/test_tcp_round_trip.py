"""The kernel's round trip of a connection: measured on Linux, where no proxy stands between."""

import asyncio
import sys

import pytest

from server.flow_control import PingTimer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="TCP_INFO is Linux's")


async def connected() -> int | None:
    """The round trip that a server measures on a connection that has been used."""
    measured: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        measured.set_result(PingTimer.tcp_round_trip_ms(writer.transport))
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"hello\n")
        try:
            return await measured
        finally:
            writer.close()


async def test_it_is_known_of_a_direct_connection_and_short_on_this_machine(settings):
    settings.PROXIES = 0
    round_trip = await connected()
    assert round_trip is not None
    assert 0 < round_trip < 500


async def test_behind_a_proxy_it_is_unknown(settings):
    settings.PROXIES = 1
    assert await connected() is None
    assert PingTimer.tcp_round_trip_ms(None) is None
