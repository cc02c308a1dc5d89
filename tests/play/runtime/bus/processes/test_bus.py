"""Bus between web processes when Redis dies, hangs or loses data."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from play.runtime.bus import bus_transport
from play.runtime.bus.bus import Bus
from play.runtime.bus.viewer_counts import ViewerCounts
from tests.support.servers.own_servers import OwnRedis, missing

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
]


@pytest.fixture
def own_redis(tmp_path, settings) -> Iterator[OwnRedis]:
    """A Redis of this test alone, and the settings for it."""
    server = OwnRedis(tmp_path)
    settings.REDIS_URL = server.url
    yield server
    server.thaw()
    server.kill()


class Listener:
    """Listener of a process on the bus, which records its messages."""

    def __init__(self) -> None:
        self.hints: list = []
        self.names: list[int] = []
        self.left: list = []
        self.recoveries = 0
        self.bus = Bus()
        self.bus.listen(self)

    def hint(self, topic, rev=None) -> None:
        self.hints.append((topic, rev))

    def show_new_name(self, user: int) -> None:
        self.names.append(user)

    def tell(self, topic) -> None: ...

    def on_last_socket_closed_elsewhere(self, topic, audience: str) -> None:
        self.left.append((topic, audience))

    def on_bus_recovered(self) -> None:
        self.recoveries += 1


async def until(is_so, seconds: float = 10.0) -> float:
    """Waits for something; returns the seconds that it took."""
    start = time.monotonic()
    while not is_so():
        assert time.monotonic() - start < seconds
        await asyncio.sleep(0.02)
    return time.monotonic() - start


@pytest.fixture
async def two(own_redis) -> tuple[Listener, Listener]:
    """Two processes on one bus that hear each other."""
    one, other = Listener(), Listener()
    await heard(one, other)
    await heard(other, one)
    yield one, other
    await one.bus.close()
    await other.bus.close()


async def heard(one: Listener, other: Listener, seconds: float = 30.0) -> float:
    """Says something new until the other hears it; returns the seconds that it took."""
    start, number = time.monotonic(), len(other.hints)
    while not any(topic[1] == f"try-{number}" for topic, _ in other.hints):
        assert time.monotonic() - start < seconds
        one.bus.say(("lists", f"try-{number}"), 1)
        await asyncio.sleep(0.1)
    return time.monotonic() - start


async def both_watch(two, *topics) -> None:
    """Both processes watch topics, and know that the other one does."""
    for listener in two:
        for topic in topics:
            await listener.bus.watch(topic)
    await asyncio.sleep(0.2)


async def test_a_hint_reaches_the_other_process_and_not_its_sender(two):
    one, other = two
    own = len(one.hints)
    await both_watch(two, ("game", "x"))
    one.bus.say(("game", "x"), 7)
    one.bus.say(("renamed", "12"))
    await until(lambda: (("game", "x"), 7) in other.hints and other.names == [12], 1.0)
    assert len(one.hints) == own and not one.names


async def test_of_hints_that_wait_together_the_newest_of_a_topic_is_sent(two):
    one, other = two
    await both_watch(two, ("game", "x"), *(("mine", str(user)) for user in range(300)))
    before = len(other.hints)
    for rev in range(1_000):
        one.bus.say(("game", "x"), rev)
        one.bus.say(("mine", str(rev % 300)))
    await until(lambda: len(other.hints) - before >= 301)
    await asyncio.sleep(0.2)
    assert len(other.hints) - before < 400
    assert (("game", "x"), 999) in other.hints


async def test_an_idle_line_stays_open_for_longer_than_any_timeout(two):
    one, other = two
    await asyncio.sleep(15)
    assert not one.bus.is_disconnected and not other.bus.is_disconnected and one.bus.lost_count == 0
    assert await heard(one, other) < 1
    assert not other.recoveries


async def test_redis_killed_and_started_again_empty_is_heard_again(two, own_redis):
    one, other = two
    own_redis.kill()
    start = time.monotonic()
    for number in range(50):
        one.bus.say(("game", "lost"), number)
        await asyncio.sleep(0.02)
    assert time.monotonic() - start < 15
    own_redis.start()
    assert await heard(one, other) < 10
    assert await heard(other, one) < 10


async def test_a_redis_that_hangs_holds_nobody_up_and_is_heard_again(two, own_redis, monkeypatch):
    monkeypatch.setattr(bus_transport, "ECHO_INTERVAL_S", 0.5)
    one, other = two
    own_redis.freeze()
    one.bus.say(("game", "lost"), 1)
    stall = 0.0
    for _ in range(40):
        start = time.monotonic()
        await asyncio.sleep(0.05)
        stall = max(stall, time.monotonic() - start)
    await until(lambda: one.bus.is_disconnected, 10)
    assert one.bus.lost_count > 0 and stall < 1
    own_redis.thaw()
    assert await heard(one, other) < 10
    await until(lambda: not one.bus.is_disconnected and one.recoveries > 0, 20)


async def test_a_connection_that_redis_has_closed_is_replaced_with_all_its_channels(two, own_redis):
    one, other = two
    await both_watch(two, ("game", "x"))
    own_redis.cut_subscribers()
    await until(lambda: one.recoveries == 1 and other.recoveries == 1)
    for sender, receiver in ((one, other), (other, one)):
        sender.bus.say(("game", "x"), 5)
        await until(lambda heard=receiver: (("game", "x"), 5) in heard.hints, 1.0)


async def test_spectators_in_another_process_are_counted_until_they_leave(two):
    one, other = two
    topic = ("game", "x")
    await both_watch(two, topic)
    one.bus.share(topic, Counter({"white": 1, "spectator": 3}))
    await until(lambda: other.bus.crowds.elsewhere(topic)["spectator"] == 3)
    one.bus.share(topic, Counter({"spectator": 2}))
    await until(lambda: other.left == [(topic, "white")])
    assert other.bus.crowds.elsewhere(topic) == {"spectator": 2}
    await one.bus.close()
    await until(lambda: not other.bus.crowds.elsewhere(topic))
    assert other.left[1:] == [(topic, "spectator")]


async def test_a_message_sent_while_the_bus_closes_leaves_no_task_running(own_redis):
    listener = Listener()
    listener.bus.say(("game", "a"), 1)
    closing = asyncio.create_task(listener.bus.close())
    while not closing.done():
        listener.bus.say(("game", "a"), 2)
        listener.bus.share(("game", "a"), Counter(watcher=1))
        await asyncio.sleep(0)
    await closing
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_a_process_that_says_nothing_any_more_is_forgotten(monkeypatch):
    crowds, topic = ViewerCounts(), ("game", "x")
    crowds.update_other("a", topic, Counter({"white": 1}))
    crowds.update_other("b", topic, Counter({"spectator": 1}))
    at = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: at + 20)
    crowds.update_other("b", topic, Counter({"spectator": 1}))
    assert list(crowds.drop_expired()) == [(topic, "white")]
    assert crowds.elsewhere(topic) == {"spectator": 1}
    assert crowds.forget_process("b") == [(topic, "spectator")]
