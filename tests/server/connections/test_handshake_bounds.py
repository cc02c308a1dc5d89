"""Handshakes that wait are bounded by visitor and in all, under Daphne and uvicorn."""

import errno
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionAborted
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from server import handshake_queue
from server.daphne import BoundedChannel, BoundedRequest
from server.handshake_queue import HandshakeLimits, HandshakeQueue
from tests.support.connection_in_memory import HEAD, MemoryTransport, steps
from tests.support.waiting import turn_loop_clock

PROXY, ADA, BOB = "127.0.0.1", "192.0.2.1", "192.0.2.2"


class Handle:
    """Substitute for the socket of a Twisted transport."""

    def __init__(self, has_file: bool) -> None:
        self._has_file = has_file

    def dup(self) -> "Handle":
        if not self._has_file:
            raise OSError(errno.EMFILE, "Too many open files")
        return self


class TwistedTransport(StringTransport):
    """A connection of Twisted's."""

    has_file = True

    def getHandle(self) -> Handle:
        return Handle(self.has_file)

    def setTcpNoDelay(self, enabled: bool) -> None:
        """Twisted's HTTP asks for it."""


def head_of(forwarded: str) -> bytes:
    """Return the head of a handshake, with the addresses that proxies have appended."""
    if not forwarded:
        return HEAD
    return HEAD.replace(b"\r\n", b"\r\nX-Forwarded-For: %b\r\n" % forwarded.encode(), 1)


class UnderDaphne:
    """Handshakes that come to Daphne, and those that were put into its queue."""

    def __init__(self, monkeypatch) -> None:
        self.limits = HandshakeLimits(most_of_one=1, most=12)
        self.taken: list[str] = []
        self._server = SimpleNamespace(
            protocol_connected=lambda request: None,
            protocol_disconnected=lambda request: None,
            handshake_limits=self.limits,
            serve_socket=lambda handle, head, network: self.taken.append(network),
        )

    def come(self, address: str, forwarded: str = "", has_file: bool = True) -> TwistedTransport:
        transport = TwistedTransport(peerAddress=IPv4Address("TCP", address, 1))
        transport.has_file = has_file
        channel = BoundedChannel()
        channel.factory = SimpleNamespace(server=self._server)
        channel.requestFactory, channel.timeOut = BoundedRequest, None
        channel.makeConnection(transport)
        channel.dataReceived(head_of(forwarded))
        if transport.disconnecting:
            channel.connectionLost(Failure(ConnectionAborted()))
        return transport

    async def count(self) -> int:
        """Return how many handshakes were put into the queue."""
        return len(self.taken)


class AddressedTransport(MemoryTransport):
    """A transport whose peer has an address."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def get_extra_info(self, name, default=None):
        return (self._address, 1) if name in ("peername", "sockname") else default


class UnderUvicorn:
    """Handshakes that come to uvicorn, and the addresses of those that have begun."""

    def __init__(self, monkeypatch, queue: HandshakeQueue | None = None) -> None:
        self._server = pytest.importorskip("server.uvicorn")
        self.limits = HandshakeLimits(most_of_one=1, most=12)
        self.begun: list[str] = []
        monkeypatch.setattr(self._server, "HANDSHAKES", queue or HandshakeQueue())
        monkeypatch.setattr(self._server, "HANDSHAKE_LIMITS", self.limits, raising=False)
        self._state = SimpleNamespace(connections=set(), tasks=set())

    def open(self, address: str, forwarded: str = "") -> tuple[Any, AddressedTransport]:
        """Return a connection whose handshake has come, and its transport."""
        config = SimpleNamespace(loaded_app=self._application, ws_max_size=1024)
        connection = self._server.WebSocket(config, self._state, {})
        transport = AddressedTransport(address)
        connection.connection_made(transport)
        connection.data_received(head_of(forwarded))
        return connection, transport

    come = open

    async def _application(self, scope, receive, send) -> None:
        self.begun.append(scope["client"][0])
        await receive()
        await send({"type": "websocket.accept"})

    async def count(self) -> int:
        """Return how many handshakes have begun."""
        await steps()
        return len(self.begun)


@pytest.fixture(params=[UnderDaphne, UnderUvicorn])
async def site(request, monkeypatch) -> UnderDaphne | UnderUvicorn:
    """A server that lets one handshake of a visitor wait."""
    return request.param(monkeypatch)


async def test_one_visitor_behind_a_proxy_takes_the_places_of_no_other(site, settings) -> None:
    settings.PROXIES = 1
    site.come(PROXY, ADA)
    site.come(PROXY, f"203.0.113.7, {ADA}")  # the last is the proxy's; earlier ones are forged
    site.come(PROXY, BOB)
    assert await site.count() == 2


async def test_without_a_proxy_a_visitor_cannot_name_another_network(site, settings) -> None:
    settings.PROXIES = 0
    site.come(ADA, "203.0.113.7")
    site.come(ADA, "203.0.113.8")
    site.come(BOB, "203.0.113.7")
    assert await site.count() == 2


async def test_daphne_has_its_places_back_when_no_file_is_left(monkeypatch) -> None:
    site = UnderDaphne(monkeypatch)
    for _ in range(13):  # more than there are places
        refused = site.come(PROXY, has_file=False)
        assert refused.value().startswith(b"HTTP/1.1 503 ")
        assert refused.disconnecting
    assert await site.count() == 0
    site.come(PROXY)
    assert await site.count() == 1


async def test_uvicorn_has_a_place_back_when_a_handshake_begins(monkeypatch) -> None:
    site = UnderUvicorn(monkeypatch)
    for count in range(1, 15):  # more than there are places
        site.come(ADA)
        assert await site.count() == count


async def test_uvicorn_refuses_a_handshake_without_a_place_after_a_while(monkeypatch) -> None:
    monkeypatch.setattr(handshake_queue, "HOLD_S", (120.0, 120.0))  # longer than this test
    site = UnderUvicorn(monkeypatch)
    monkeypatch.setattr(site.limits, "take", lambda network: False)
    gone, unwritten = site.open(ADA)
    gone.connection_lost(None)
    _, refused = site.open(BOB)
    await turn_loop_clock(60)
    assert refused.written == b""
    await turn_loop_clock(60)
    assert refused.written.startswith(b"HTTP/1.1 503 ")
    assert refused.has_eof
    assert unwritten.written == b""
    assert site.begun == []


async def test_a_handshake_that_was_refused_while_it_waited_does_not_begin(monkeypatch) -> None:
    site = UnderUvicorn(monkeypatch, HandshakeQueue(1))
    waiting, transport = site.open(ADA)
    waiting.end(1013)
    answer = transport.written
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert await site.count() == 0
    assert transport.written == answer
    site.come(ADA)
    assert await site.count() == 1  # its place is free
