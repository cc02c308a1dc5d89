"""Hints between processes when Redis dies, hangs or closes connections."""

import asyncio
import time
from collections.abc import Iterator

import pytest
from channels.layers import channel_layers as configured
from channels_redis.pubsub import RedisPubSubChannelLayer

from config.backing_services import channel_layers
from play.runtime.layer import CLOSE_TIMEOUT_S, SEND_TIMEOUT_S, ProcessChannel
from telemetry.outage_log import LAYER
from tests.support.servers.own_servers import OwnRedis, missing
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
]
X = ("game", "x")


@pytest.fixture
def own_redis(tmp_path) -> Iterator[OwnRedis]:
    """A Redis of this test alone."""
    server = OwnRedis(tmp_path)
    yield server
    server.thaw()
    server.kill()


class Process:
    """A channel on a layer of its own, as each process has one."""

    def __init__(self, url: str) -> None:
        self.heard: list = []
        config = channel_layers(url)["default"]["CONFIG"]
        self.channel = ProcessChannel(RedisPubSubChannelLayer(**config))
        self.channel.listen(lambda topic, rev: self.heard.append((topic, rev)))

    async def hear(self, sender: "Process", rev: int) -> None:
        """Wait until a hint arrives that another process repeats."""

        def has_heard() -> bool:
            sender.channel.say(X, rev)
            return (X, rev) in self.heard

        await wait_until(has_heard, f"the hint of rev {rev}")


@pytest.fixture
async def two(own_redis) -> tuple[Process, Process]:
    """Two processes that hear each other."""
    one, other = Process(own_redis.url), Process(own_redis.url)
    await other.hear(one, 1)
    await one.hear(other, 2)
    yield one, other
    for process in (one, other):
        await process.channel.close()


async def test_hints_arrive_again_after_redis_was_killed_and_started_empty(two, own_redis, caplog):
    one, other = two
    own_redis.kill()
    one.channel.say(X, 3)
    await wait_until(lambda: LAYER.is_open, "the outage is noticed")
    own_redis.start()
    await wait_until(lambda: (X, 3) in other.heard, "the hint is sent once Redis is there")
    await one.hear(other, 4)
    assert not LAYER.is_open
    assert not any(record.exc_info for record in caplog.records)


async def test_processes_that_start_without_redis_hear_each_other_once_it_is_there(own_redis):
    own_redis.kill()
    one, other = Process(own_redis.url), Process(own_redis.url)
    one.channel.say(X, 1)
    await wait_until(lambda: LAYER.is_open, "the outage is noticed")
    own_redis.start()
    await other.hear(one, 2)
    await one.hear(other, 3)
    for process in (one, other):
        await process.channel.close()


async def test_a_redis_that_hangs_blocks_no_event_loop_and_is_heard_again(two, own_redis):
    one, other = two
    own_redis.freeze()
    began = time.monotonic()
    one.channel.say(X, 3)
    await asyncio.sleep(0)
    assert time.monotonic() - began < SEND_TIMEOUT_S
    await wait_until(lambda: LAYER.is_open, "the outage is noticed")
    own_redis.thaw()
    await wait_until(lambda: (X, 3) in other.heard, "the hint is sent once Redis answers")
    await one.hear(other, 4)


async def test_a_connection_that_redis_closes_is_replaced_and_subscribed_again(two, own_redis):
    one, other = two
    own_redis.cut_subscribers()
    await other.hear(one, 3)
    await one.hear(other, 4)


async def test_a_process_closes_in_time_while_redis_hangs(own_redis):
    one, other = Process(own_redis.url), Process(own_redis.url)
    await other.hear(one, 1)
    own_redis.freeze()
    one.channel.say(X, 2)
    began = time.monotonic()
    for process in (one, other):
        await process.channel.close()
    assert time.monotonic() - began < 2 * CLOSE_TIMEOUT_S + 1
    await wait_until(lambda: asyncio.all_tasks() == {asyncio.current_task()}, "all tasks end")


async def test_sites_in_two_databases_of_a_redis_do_not_hear_each_other(own_redis):
    other_url = own_redis.url.replace("/0", "/1")
    one, other, stranger = (Process(url) for url in (own_redis.url, own_redis.url, other_url))
    friend = Process(other_url)
    await other.hear(one, 1)
    await stranger.hear(friend, 2)
    assert {rev for _, rev in other.heard} == {1} and {rev for _, rev in stranger.heard} == {2}
    for process in (one, other, stranger, friend):
        await process.channel.close()


@pytest.mark.nightly
async def test_an_idle_process_stays_in_its_group_for_longer_than_redis_py_waits(two):
    one, other = two
    await asyncio.sleep(6)  # redis-py waits for 5 s by default
    one.channel.say(X, 3)
    await wait_until(lambda: (X, 3) in other.heard, "the hint", 2)


def test_the_layer_is_that_of_channels_and_one_process_has_none(settings):
    settings.CHANNEL_LAYERS = channel_layers("redis://127.0.0.1:6379/3")
    assert isinstance(configured["default"], RedisPubSubChannelLayer)
    assert channel_layers("") == {}
