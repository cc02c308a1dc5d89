"""Foreign messages on the bus, on a real Redis."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from channels.layers import channel_layers

from play.runtime import bus as bus_module
from play.runtime import viewer_counts
from play.runtime.bus_transport import GROUP, KIND
from tests.play.runtime.test_bus import Listener, heard, own_redis, two, until  # noqa: F401
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
    {"crowds": [["lobby", "k7", {"a": 1}]], "from": {}},
    {"from": "stranger", "bye": {"a": 1}},
)


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    """Processes say often who is there; before they begin to listen."""
    monkeypatch.setattr(bus_module, "SHARE_INTERVAL_S", 0.1)
    monkeypatch.setattr(viewer_counts, "EXPIRY_S", 0.5)


async def test_odd_messages_change_nothing_and_stop_nothing(two):  # noqa: F811
    """A count that is no number ended the task that says who is here, for good."""
    one, other = two
    layer = channel_layers.make_backend("default")
    strangers = {"type": KIND, "from": "stranger", "crowds": [[*LOBBY, {"a": 1}]]}
    await layer.group_send(GROUP, strangers)
    await until(lambda: one.bus.crowds.elsewhere(LOBBY) == Counter(a=1))
    for number, odd in enumerate(ODD):
        await layer.group_send(GROUP, {"type": KIND, "from": f"odd {number}", **odd})
    await layer.group_send(GROUP, {"type": KIND, "from": "last", "hints": [["game", "last", 1]]})
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
    await layer.close_pools()
