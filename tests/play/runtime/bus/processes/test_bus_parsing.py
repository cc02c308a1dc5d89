"""Foreign messages on the bus, on a real Redis."""

import asyncio
from collections import Counter
from typing import Any

import msgspec
import pytest
import redis.asyncio

from play.runtime.bus import bus as bus_module
from play.runtime.bus import viewer_counts
from tests.play.runtime.bus.processes.test_bus import (  # noqa: F401
    Listener,
    both_watch,
    heard,
    own_redis,
    two,
    until,
)
from tests.support.servers.own_servers import missing

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
]
LOBBY = ("lobby", "k7")
ODD: tuple[dict[str, Any], ...] = (
    {"hints": 5},
    {"hints": [["game", "k7"]]},
    {"hints": [["game", ["k7"], 1]]},
    {"hints": [["renamed", "x", None]]},
    {"hints": [["renamed", None, None]]},
    {"crowds": [["lobby", "k7", ["a"]]]},
    {"crowds": [["lobby", "k7", {"a": "many"}]]},
    {"crowds": [["lobby", "k7", {"a": -1}]]},
    {"asks": ["lobby"]},
    {"asks": [["lobby", "k7"]] * 50},
    {"asks": {"a": 1}},
    {"bye": {"a": 1}},
)
STRANGER = b"0123456789abcdef"  # the name of a process


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    """Processes say often who is there; before they begin to listen."""
    monkeypatch.setattr(bus_module, "SHARE_INTERVAL_S", 0.1)
    monkeypatch.setattr(viewer_counts, "EXPIRY_S", 0.5)


async def test_odd_messages_change_nothing_and_stop_nothing(two, own_redis):  # noqa: F811
    """A count that is no number ended the task that says who is here, for good."""
    one, other = two
    await both_watch(two, LOBBY, ("game", "last"))
    line = redis.asyncio.Redis.from_url(own_redis.url)

    async def send(message: Any, text: bytes | None = None, sender: bytes = STRANGER) -> None:
        for channel in ("all", "lobby:k7"):
            text = msgspec.msgpack.encode(message) if text is None else text
            await line.publish(f"quiver.0.{channel}", sender + text)

    await send({"crowds": [[*LOBBY, {"a": 1}]]})
    await until(lambda: one.bus.crowds.elsewhere(LOBBY) == Counter(a=1))
    for number, odd in enumerate(ODD):
        await send(odd, sender=f"odd {number:012}".encode())
    for text in (b"", b"\xc1", b"\x81", b"\xff" * 100):
        await send(None, text)
        await send(None, text, sender=b"\xff" * 16)
    await line.publish("quiver.0.all", b"")
    await send({"hints": [["game", "last", 1]]})
    await until(lambda: (("game", "last"), 1) in one.hints)
    assert one.bus.crowds.elsewhere(LOBBY) in (Counter(a=1), Counter())
    assert not one.names
    await until(lambda: not one.bus.crowds.elsewhere(LOBBY))
    other.bus.share(LOBBY, Counter(white=1))
    await until(lambda: one.bus.crowds.elsewhere(LOBBY) == Counter(white=1))
    for _ in range(20):  # four times as long as what is not said again is kept
        await asyncio.sleep(0.1)
        assert one.bus.crowds.elsewhere(LOBBY) == Counter(white=1)
    await heard(one, other)
    await line.aclose()
