"""Hints between processes by a channel layer that loses, doubles, delays or hangs."""

import asyncio
import random
from collections import Counter

import pytest
from channels.layers import InMemoryChannelLayer

from play.domain.wire_types import encode_frame
from play.runtime import layer as layer_module
from play.runtime.game_service import GameService
from play.runtime.hub import Hub
from play.runtime.layer import GROUP, ProcessChannel
from play.runtime.topics import TopicSource
from telemetry.outage_log import LAYER
from tests.support.waiting import run_ready, turn_loop_clock

X = ("game", "x")
GAMES = [("game", str(number)) for number in range(5)]


class CountingLayer(InMemoryChannelLayer):
    """A layer that keeps what is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[list] = []

    async def group_send(self, group, message) -> None:
        self.sent.append(message["hints"])
        await super().group_send(group, message)


class LossyLayer(InMemoryChannelLayer):
    """A layer that loses half of the messages and doubles some of the others."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)
        self.lost = 0

    async def group_send(self, group, message) -> None:
        if self.random.random() < 0.5:
            self.lost += 1
            return
        for _ in range(self.random.choice((1, 1, 2))):
            await super().group_send(group, message)


class HangingLayer(CountingLayer):
    """A layer that does not answer until it is told to, like one whose Redis is stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = asyncio.Event()
        self.attempts = 0

    async def group_send(self, group, message) -> None:
        self.attempts += 1
        await self.answers.wait()
        await super().group_send(group, message)


class Process:
    """A channel that records the hints that arrive."""

    def __init__(self, layer) -> None:
        self.heard: list = []
        self.renamed: list[str] = []
        self.channel = ProcessChannel(layer)
        self.channel.handle("renamed", self.renamed.append)
        self.channel.listen(lambda topic, rev: self.heard.append((topic, rev)))


async def join(layer, count: int = 2) -> list[Process]:
    """Return processes in the group of a layer."""
    processes = [Process(layer) for _ in range(count)]
    await run_ready()
    assert len(layer.groups[GROUP]) == count
    return processes


async def close(*processes) -> None:
    for process in processes:
        await process.channel.close()


async def test_a_hint_reaches_the_other_processes_and_not_its_sender():
    one, other, third = processes = await join(InMemoryChannelLayer(), 3)
    one.channel.say(X, 7)
    one.channel.publish_to_all("renamed", "12")
    await run_ready()
    for receiver in (other, third):
        assert (receiver.heard, receiver.renamed) == ([(X, 7)], ["12"])
    assert not one.heard and not one.renamed
    await close(*processes)


async def test_the_first_hint_goes_at_once_and_those_after_it_together_with_the_newest_rev(
    monkeypatch,
):
    monkeypatch.setattr(layer_module, "SEND_INTERVAL_S", 60.0)  # longer than this test
    layer = CountingLayer()
    one, other = await join(layer)
    one.channel.say(X, 0)
    await run_ready()
    for rev in range(1, 50):
        one.channel.say(X, rev)
        one.channel.say(("mine", str(rev % 3)))
        await asyncio.sleep(0)
    assert layer.sent == [[("game", "x", 0)]]
    await turn_loop_clock(60.0)
    assert [len(hints) for hints in layer.sent] == [1, 4]
    assert (X, 49) in other.heard and len(other.heard) == 5
    await close(one, other)


async def test_a_layer_that_hangs_holds_nobody_up_and_gets_the_newest_revs_once_it_answers(
    monkeypatch,
):
    monkeypatch.setattr(layer_module, "SEND_TIMEOUT_S", 60.0)  # longer than this test
    monkeypatch.setattr(layer_module, "FAILED_SEND_PAUSE_S", 60.0)
    layer = HangingLayer()
    one, other = await join(layer)
    for rev in range(3):
        one.channel.say(X, rev)  # returns at once: it is no coroutine
        await run_ready()
    assert layer.attempts == 1 and not LAYER.is_open
    await turn_loop_clock(60.0)  # the first attempt is given up
    assert LAYER.is_open
    one.channel.say(GAMES[0], 1)
    layer.answers.set()
    await turn_loop_clock(60.0)
    assert not LAYER.is_open
    assert sorted(other.heard) == [(GAMES[0], 1), (X, 2)]
    await close(one, other)


async def test_hints_that_wait_while_a_layer_hangs_are_bounded(monkeypatch):
    monkeypatch.setattr(layer_module, "MAX_PENDING_HINTS", 10)
    one, other = await join(HangingLayer())
    for number in range(100):
        one.channel.say(("game", str(number)), 1)
    one.channel.say(("game", "9"), 2)
    assert len(one.channel._pending) == 10 and one.channel._pending["game", "9"] == 2
    await close(one, other)


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "hints", "sender": "x", "hints": 7},
        {"type": "hints", "sender": "x", "hints": [["game", "x"]]},
        {"type": "hints", "sender": "x", "hints": [["game", "x", -0.5]]},
        {"type": "hints", "sender": "x", "hints": [["number", "x", None]]},
    ],
)
async def test_a_message_that_cannot_be_read_is_dropped_and_the_next_one_arrives(
    message, monkeypatch, caplog
):
    monkeypatch.setattr(layer_module, "RECEIVE_ERROR_PAUSE_S", 60.0)
    layer = InMemoryChannelLayer()
    one, other = await join(layer)
    for process in (one, other):
        process.channel.handle("number", int)
    await InMemoryChannelLayer.group_send(layer, GROUP, message)
    await run_ready()
    assert [record.event for record in caplog.records] == ["layer_invalid_message"] * 2
    one.channel.say(X, 1)
    await turn_loop_clock(60.0)
    assert other.heard == [(X, 1)]
    await close(one, other)


async def test_a_process_without_a_layer_sends_nothing():
    alone = Process(None)
    alone.channel.say(X, 1)
    assert alone.channel.is_alone and not alone.channel._pending
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await alone.channel.close()


async def test_a_hint_that_is_sent_while_the_channel_closes_leaves_no_task_running():
    (one,) = await join(CountingLayer(), 1)
    one.channel.say(X, 1)
    closing = asyncio.create_task(one.channel.close())
    while not closing.done():
        one.channel.say(X, 2)
        await asyncio.sleep(0)
    await closing
    assert asyncio.all_tasks() == {asyncio.current_task()}


class Stored(TopicSource[tuple[str, int]]):
    """Values of a shared store, which stands for the database."""

    def __init__(self, store: Counter[str]) -> None:
        self._store = store

    async def load(self, ident):
        return ident, self._store[ident]

    def rev(self, value):
        return value[1]

    def render(self, value, audience):
        return encode_frame({"t": "stored", "rev": value[1]})

    def revs(self, idents):
        return {ident: self._store[ident] for ident in idents}


class Looker:
    """A page that looks at a topic, and the revs that it was shown."""

    audience = "spectator"
    viewer = reader = None
    is_visible = False

    def __init__(self) -> None:
        self.frames: list[str] = []

    def show(self, frame) -> None:
        self.frames.append(frame)


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
async def test_lost_and_doubled_hints_only_delay(seed):
    """Three hubs show the newest revs once the commit watcher has asked, and no rev twice."""
    layer, store = LossyLayer(seed), Counter[str]()
    games = GameService()
    channels = [ProcessChannel(layer) for _ in range(3)]
    hubs = [Hub(games, channel, {"game": Stored(store)}) for channel in channels]
    lookers = {(hub, topic): Looker() for hub in hubs for topic in GAMES}
    for (hub, topic), looker in lookers.items():
        await hub.join(topic, looker)
    hinted = 0
    for _ in range(60):
        topic, at = layer.random.choice(GAMES), layer.random.randrange(3)
        store[topic[1]] += 1
        hubs[at].offer(topic, (topic[1], store[topic[1]]))
        channels[at].say(topic, store[topic[1]])
        await turn_loop_clock(layer_module.SEND_INTERVAL_S)
        hinted += hubs[at - 1].rev(topic) == store[topic[1]]
    assert layer.lost > 10 and hinted > 10
    for hub in hubs:
        await hub._poll()
    await run_ready()
    for (hub, topic), looker in lookers.items():
        assert hub.rev(topic) == store[topic[1]]
        assert len(looker.frames) == len(set(looker.frames))
    for part in (*hubs, *channels, games):
        await part.close()
