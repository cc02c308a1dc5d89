"""Handshakes begin in order and leave room for requests."""

import asyncio
import resource
import selectors
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse

from server import handshake_queue, http_limits
from server.handler import OneThreadHandler
from server.handshake_queue import HandshakeLimits, HandshakeQueue, has_left
from server.registry import REQUESTS
from tests.support.connection_in_memory import steps


class SkippingSelector(selectors.DefaultSelector):
    """A selector that advances its clock instead of waiting for a timer."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        self.now += timeout
        return super().select(0)


class OwnTimeLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is that of its selector."""

    def __init__(self) -> None:
        self._clock = SkippingSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in such a loop."""
    with asyncio.Runner(loop_factory=OwnTimeLoop) as runner:
        runner.run(main)


class Begun:
    """Handshakes of a queue: their numbers and times as they begin, and what ends them."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.times: list[float] = []
        self.ends: list[Callable[[], None]] = []

    def handshake(self, number: int) -> Callable[[Callable[[], None]], bool]:
        """Return what the queue calls when it is the turn of a handshake."""

        def begin(end: Callable[[], None]) -> bool:
            self.numbers.append(number)
            self.times.append(round(asyncio.get_running_loop().time(), 6))
            self.ends.append(end)
            return True

        return begin


def leave(end: Callable[[], None]) -> bool:
    """The turn of a handshake whose peer has left."""
    return False


@pytest.fixture
def pending(monkeypatch) -> None:
    """A request that is being answered."""
    monkeypatch.setattr(REQUESTS, "count", 1)


async def test_a_few_handshakes_begin_in_each_iteration_of_the_loop() -> None:
    queue, begun = HandshakeQueue(), Begun()
    most = handshake_queue.MAX_BEGUN_PER_ROUND
    for number in range(2 * most + 1):
        queue.put(begun.handshake(number))
    for count in (most, 2 * most, 2 * most + 1):
        await asyncio.sleep(0)
        assert begun.numbers == list(range(count))


async def test_a_handshake_waits_until_one_before_it_is_answered() -> None:
    queue, begun = HandshakeQueue(2), Begun()
    for number in range(4):
        queue.put(begun.handshake(number))
    await asyncio.sleep(0)
    assert begun.numbers == [0, 1]
    begun.ends[0]()
    begun.ends[0]()
    await asyncio.sleep(0)
    assert begun.numbers == [0, 1, 2]


async def test_a_handshake_that_is_not_answered_holds_others_up_for_a_moment(monkeypatch) -> None:
    monkeypatch.setattr(handshake_queue, "MAX_UNDER_WAY_S", 0.01)
    queue, begun, second = HandshakeQueue(1), Begun(), asyncio.Event()
    queue.put(begun.handshake(0))
    queue.put(lambda end: second.set() or True)
    await asyncio.wait_for(second.wait(), 5)


async def test_handshakes_that_wait_are_bounded_and_a_refusal_is_held(monkeypatch) -> None:
    monkeypatch.setattr(handshake_queue, "HOLD_S", (0.01, 0.01))
    limits, refused = HandshakeLimits(most_of_one=1), asyncio.Event()
    assert limits.take("192.0.2.1")
    assert not limits.take("192.0.2.1")
    assert limits.take("192.0.2.2")
    limits.hold("192.0.2.1", refused.set)
    assert not refused.is_set()
    at_once: list[None] = []
    limits.hold("192.0.2.1", lambda: at_once.append(None))  # as many as that are not held
    assert at_once
    await asyncio.wait_for(refused.wait(), 5)
    limits.give_back("192.0.2.1")
    assert limits.take("192.0.2.1")


def test_a_peer_that_has_left_is_noticed_without_reading_its_data() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours:
        with theirs:
            assert not has_left(ours)
            theirs.sendall(b"x")
            assert not has_left(ours)
            assert ours.recv(1) == b"x"
        assert has_left(ours)


def test_one_handshake_begins_in_5_ms_while_a_request_is_pending(pending) -> None:
    async def come() -> None:
        queue, begun = HandshakeQueue(), Begun()
        for number in range(18):
            queue.put(begun.handshake(number))
        await asyncio.sleep(0.052)
        assert begun.times == [round(0.005 * count, 6) for count in range(1, 11)]
        REQUESTS.count = 0  # the next one is planned already
        await asyncio.sleep(0.004)
        assert begun.times[10:] == [0.055] * 8

    run(come())


def test_without_a_pending_request_handshakes_take_no_time() -> None:
    async def come() -> None:
        queue, begun = HandshakeQueue(), Begun()
        for number in range(50):
            queue.put(begun.handshake(number))
        for _ in range(7):
            await asyncio.sleep(0)
        assert begun.times == [0.0] * 50

    run(come())


def test_handshakes_whose_peers_have_left_delay_no_other(pending) -> None:
    """Pages give up after 9 s; at 5 ms each, 1,800 that have left would take that long."""

    async def come() -> None:
        queue, begun = HandshakeQueue(), Begun()
        for _ in range(1_800):
            queue.put(leave)
        queue.put(begun.handshake(0))
        await asyncio.sleep(1)
        assert begun.times and begun.times[0] < 0.2

    run(come())


async def test_handshakes_whose_peers_have_left_do_not_block_the_loop() -> None:
    queue, left = HandshakeQueue(), []

    def drop(end: Callable[[], None]) -> bool:
        left.append(None)
        return False

    for _ in range(1_000):
        queue.put(drop)
    await asyncio.sleep(0)
    assert 0 < len(left) <= handshake_queue.MAX_VISITED_PER_ROUND


async def test_a_handshake_that_did_not_begin_holds_no_place() -> None:
    queue, begun = HandshakeQueue(1), Begun()
    queue.put(leave)
    queue.put(leave)
    queue.put(begun.handshake(0))
    await asyncio.sleep(0)
    assert begun.numbers == [0]


async def test_a_request_is_pending_from_the_end_of_its_body_on() -> None:
    """A body that is trickled does not slow handshakes down."""
    counts: list[int] = []

    class Counting(OneThreadHandler):
        def respond(self, scope, body) -> HttpResponse:
            counts.append(REQUESTS.count)
            return HttpResponse("read")

    site = ApplicationCommunicator(Counting(), {"type": "http", "method": "POST"})
    await site.send_input({"type": "http.request", "body": b"a", "more_body": True})
    await steps()
    assert REQUESTS.count == 0
    await site.send_input({"type": "http.request", "body": b"b"})
    assert (await site.receive_output(5))["status"] == 200
    await site.receive_output(5)
    await site.wait(5)
    assert counts == [1]
    assert REQUESTS.count == 0


async def test_handshakes_that_wait_leave_files_for_the_rest(monkeypatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1024, 1024))
    limits = HandshakeLimits()
    waiting = sum(limits.take(f"network {number}") for number in range(1024))
    refused: list[int] = []
    for number in range(1024):
        limits.hold(f"network {number}", lambda number=number: refused.append(number))
    held = 1024 - len(refused)
    assert waiting >= 200
    assert held > 0
    assert http_limits.max_connections() + waiting + held <= 1024 - 64
