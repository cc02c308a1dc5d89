"""Pings of the server: recipients, intervals, and consequences of a missing answer."""

import asyncio
import time
from types import SimpleNamespace

from server import peer, registry
from server.flow_control import PING_INTERVAL_S
from server.message_assembly import MESSAGE_TIMEOUT_S
from server.registry import ConnectionRegistry
from tests.support.connection_in_memory import Line, frame, opened


def pings_of(line: Line) -> list[bytes]:
    """The payloads of the pings that a connection has sent."""
    return [payload for opcode, payload in line.transport.frames() if opcode == 9]


async def answer_pings(line: Line) -> None:
    """The peer answers the newest ping."""
    await line.feed(frame(pings_of(line)[-1], 10))


async def pings_within_two_minutes(line: Line, monkeypatch, talks: bool = False) -> int:
    """Count the pings to a peer that answers; with `talks` it also sends a frame every 26 s."""
    await answer_pings(line)
    began, before = time.monotonic(), len(pings_of(line))
    for second in range(2, 121, 2):
        monkeypatch.setattr(peer.time, "monotonic", lambda now=began + second: now)
        if talks and second % 26 == 0:
            line.connection.data_received(frame(b"ping"))
        line.connection.check(began + second, False)
        line.connection.data_received(frame(pings_of(line)[-1], 10))
        monkeypatch.undo()
    return len(pings_of(line)) - before


async def test_a_peer_whose_lag_counts_is_pinged_often_and_an_idle_one_rarely(monkeypatch) -> None:
    async with opened() as line:
        assert 2 <= await pings_within_two_minutes(line, monkeypatch) <= 4
    async with opened() as line:
        assert await pings_within_two_minutes(line, monkeypatch, talks=True) == 0
    async with opened() as line:
        line.connection.line.timed_seats = 1
        assert await pings_within_two_minutes(line, monkeypatch) >= 120 / (PING_INTERVAL_S + 2)


async def test_a_ping_that_is_wanted_is_sent_at_once_and_tells_whether_the_peer_is_there() -> None:
    async with opened() as line:
        await answer_pings(line)
        began, stats = time.monotonic(), line.connection.line
        line.connection.check(began + 2, False)
        assert len(pings_of(line)) == 1
        stats.wants_ping = True
        line.connection.check(began + 4, False)
        assert len(pings_of(line)) == 2
        assert not stats.wants_ping and not stats.is_silent
        line.connection.check(began + 6, False)
        assert not stats.is_silent
        line.connection.check(began + 8, False)
        assert stats.is_silent
        await answer_pings(line)
        assert not stats.is_silent
        assert line.transport.is_open


async def test_a_message_that_never_ends_is_noticed_between_two_rare_pings() -> None:
    async with opened() as line:
        await answer_pings(line)
        began = time.monotonic()
        line.connection.check(began + 1, False)
        line.connection.check(began + 4, False)
        await line.feed(frame(b"x", 1, False))
        line.connection.check(time.monotonic() + MESSAGE_TIMEOUT_S + 1, False)
        assert line.transport.close_code == 1008


async def test_the_registry_visits_all_connections_though_not_in_one_go(monkeypatch) -> None:
    monkeypatch.setattr(registry, "SLICE", 2)
    monkeypatch.setattr(registry, "SWEEP_INTERVAL_S", 0.01)
    visited: list[int] = []
    has_two_rounds = asyncio.Event()

    class Visited(SimpleNamespace):
        __hash__ = object.__hash__

        def check(self, now, has_stalled) -> None:
            visited.append(self.number)
            if len(visited) == 10:
                has_two_rounds.set()

    connections = ConnectionRegistry()
    each = [Visited(number=number) for number in range(5)]
    for connection in each:
        connections.add(connection)
    await has_two_rounds.wait()
    for connection in each:
        connections.discard(connection)
    assert sorted(visited[:5]) == sorted(visited[5:10]) == [0, 1, 2, 3, 4]
