"""The Redis transport stops when told to, at any moment, and shows what Redis says of channels."""

import asyncio

import pytest

from play.runtime.bus.bus_transport import BusTransport
from tests.play.runtime.bus.processes.test_bus import own_redis, until  # noqa: F401
from tests.support.servers.own_servers import missing

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
]


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 8, 13, 21, 34])
async def test_a_connection_ends_at_any_moment(steps, own_redis):  # noqa: F811
    line = BusTransport(lambda sender, text: None)
    line.channels.add("all")
    line.listen()
    for _ in range(steps):
        await asyncio.sleep(0.0005)
    async with asyncio.timeout(5):
        await line.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    for _ in range(50):
        if not own_redis.channels():
            break
        await asyncio.sleep(0.05)
    assert own_redis.channels() == set()


async def test_messages_of_other_processes_arrive_and_their_receivers_are_counted(own_redis):  # noqa: F811
    heard: list[bytes] = []
    one = BusTransport(lambda sender, text: heard.append(text))
    other = BusTransport(lambda sender, text: None)
    for line in (one, other):
        line.channels.add("game:x")
        line.listen()
        assert await line.channels.wait("game:x", 5)
    assert await other.publish([("game:x", b"1"), ("game:y", b"2"), ("game:x", b"3")]) == [2, 0, 2]
    await until(lambda: heard == [b"1", b"3"])
    one.channels.discard("game:x")
    await until(lambda: own_redis.subscribers("quiver.0.game:x") == 1)
    assert await other.publish([("game:x", b"4")]) == [1]
    await asyncio.sleep(0.1)
    assert heard == [b"1", b"3"]
    await one.close()
    await other.close()
