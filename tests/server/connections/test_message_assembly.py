"""One WebSocket connection, byte by byte, without a server or a socket."""

import asyncio
import itertools
import struct
import time
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import REGISTRY
from twisted.internet.interfaces import ISSLTransport
from twisted.internet.testing import StringTransport
from zope.interface import implementer

from server import peer
from server.connection import Connection
from server.flow_control import PEER_TIMEOUT_S
from server.registry import ConnectionRegistry
from tests.support.connection_in_memory import HEAD, Line, frame, opened, steps

MOST = peer.MAX_MESSAGE_BYTES


def evicted(reason: str) -> float:
    """The number of sockets closed so far for a reason."""
    return REGISTRY.get_sample_value("quiver_evictions_total", {"reason": reason}) or 0.0


async def test_a_handshake_becomes_a_scope() -> None:
    async with opened() as line:
        assert line.transport.written.startswith(b"HTTP/1.1 101 ")
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in line.transport.written
        scope = line.scope
        assert (scope["path"], scope["query_string"]) == ("/ws/x", b"a=%2F")
        assert (b"cookie", b"a=\xe9") in scope["headers"]
        assert not [name for name, _ in scope["headers"] if b"_" in name]


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (HEAD.replace(b": 13", b": 12"), 400),
        (HEAD.replace(b"dGhl", b"dG"), 400),
        (HEAD.replace(b": Upgrade\r\n", b": close\r\n"), 426),
        (HEAD.replace(b"HTTP/1.1", b"HTTP/1.0"), 505),
        (HEAD.replace(b"GET", b"POST"), 405),
        (HEAD.replace(b"Host", b"Ho st"), 400),
        (HEAD.replace(b"/ws/x", b"/\xff"), 400),
        (HEAD.replace(b"/ws/x", b"/denied"), 503),
    ],
)
async def test_a_handshake_that_is_none_gets_a_status_and_the_end(head, status) -> None:
    async with opened(head) as line:
        assert line.transport.written.startswith(b"HTTP/1.1 %d " % status)
        assert line.transport.has_eof or not line.transport.is_open
        line.events.append({"type": "websocket.disconnect"})


@pytest.mark.parametrize("size", [0, 1, 3, 4, 125, 126, 2047, 2048, 2049, 65_535, MOST])
async def test_a_frame_of_any_size_is_read(size) -> None:
    payload = bytes(i % 251 for i in range(size))
    async with opened() as line:
        await line.feed(frame(payload, 2))
        assert line.messages == [payload]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 60), max_size=20), st.binary(max_size=40))
def test_it_does_not_matter_where_the_bytes_are_cut(cuts, payload) -> None:
    sent = frame(b"one") + frame(payload, 2) + frame(b"", 9) + frame(b"th", 1, False)
    sent += frame(b"ree", 0)
    points = sorted({0, *cuts, len(sent)})

    async def read() -> list[str | bytes]:
        async with opened() as line:
            await line.feed(*(sent[a:b] for a, b in itertools.pairwise(points)))
            return line.messages

    assert asyncio.run(read()) == ["one", payload, "three"]


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=300), st.booleans())
def test_whatever_comes_nothing_breaks(noise, is_inside) -> None:
    async def read() -> None:
        async with opened() as line:
            await line.feed(frame(b"a", 1, False) if is_inside else b"", noise, noise)
            assert line.transport.close_code in (None, 1000, *range(1001, 5000))

    asyncio.run(read())


async def test_pings_are_answered_between_the_fragments_of_a_message() -> None:
    async with opened() as line:
        await line.feed(frame(b"a", 1, False) + frame(b"!", 9) + frame(b"b", 0))
        await line.feed(frame(b"\3\xe8", 8))
        assert line.messages == ["ab"]
        answers = [each for each in line.transport.frames() if each[0] != 9]
        assert answers == [(10, b"!"), (8, b"\3\xe8")]
        assert not line.transport.is_open
    assert line.events[-1] == {"type": "websocket.disconnect", "code": 1000}


@pytest.mark.parametrize(
    ("sent", "code", "reason"),
    [
        (b"\x81\x01x", 1002, "protocol"),  # not masked
        (b"\xc1" + frame(b"x")[1:], 1002, "protocol"),  # compressed, which was not agreed upon
        (frame(b"x", 3), 1002, "protocol"),
        (frame(b"x", 11), 1002, "protocol"),
        (frame(b"x", 0), 1002, "protocol"),  # continues nothing
        (frame(b"x", 1, False) + frame(b"y", 1), 1002, "protocol"),
        (frame(b"x", 9, False), 1002, "protocol"),
        (frame(b"x" * 126, 9), 1002, "protocol"),
        (frame(b"x", 8), 1002, "protocol"),  # half a code
        (frame(b"\3\xed", 8), 1002, "protocol"),  # 1005 may not be sent
        (frame(b"\3\xe8\xff", 8), 1007, "invalid-text"),
        (frame(b"\xff"), 1007, "invalid-text"),
        (frame(b"\xc3", 1, False) + frame(b"x", 0), 1007, "invalid-text"),
        (frame(b"x" * (MOST + 1)), 1009, "too-large"),
        (frame(b"x" * 40_000, 1, False) + frame(b"x" * 40_000, 0), 1009, "too-large"),
        (struct.pack("!BBQ", 0x81, 0xFF, 2**63), 1009, "too-large"),
    ],
)
async def test_a_violation_is_closed_with_its_code_and_counted(sent, code, reason) -> None:
    before = evicted(reason)
    async with opened() as line:
        await line.feed(frame(b"before") + sent + frame(b"after"), frame(b"later"))
        assert line.messages == ["before"]
        assert line.transport.close_code == code
        assert line.transport.has_eof and line.transport.is_open  # or the frame could be lost
    assert line.events[-1] == {"type": "websocket.disconnect", "code": code}
    assert evicted(reason) == before + 1


async def test_text_in_fragments_may_be_cut_inside_a_character() -> None:
    async with opened() as line:
        await line.feed(frame(b"\xc3", 1, False) + frame(b"\xa9", 0))
        assert line.messages == ["é"]


@pytest.mark.parametrize("opcode", [0, 9, 10])
async def test_a_flood_of_small_frames_is_parsed_no_further_than_it_has_to_be(opcode) -> None:
    before = evicted("flood")
    async with opened() as line:
        begin = frame(b"", 1, False) if opcode == 0 else b""
        await line.feed(begin + frame(b"", opcode, opcode != 0) * 10_000)
        assert line.transport.close_code == 1008
        assert len([each for each in line.transport.frames() if each[0] == 10]) < 700
    assert evicted("flood") == before + 1


async def test_reading_pauses_while_the_application_has_enough_to_do_and_nothing_is_lost() -> None:
    async with opened() as line:
        line.may_read.clear()
        await line.feed(frame(b"x") * 1)  # taken already by the `receive` that waits
        await line.feed(frame(b"y") * 5_000)
        assert not line.transport.is_reading_now
        assert len(line.messages) <= 1
        line.may_read.set()
        for _ in range(600):
            await steps()
        assert line.messages == ["x"] + ["y"] * 5_000
        assert line.transport.is_reading_now


async def test_frames_sent_before_the_handshake_is_answered_wait_for_it() -> None:
    line = Line()
    await line.feed(HEAD, frame(b"early"), frame(b"!", 9))
    assert line.transport.written.startswith(b"HTTP/1.1 101 ")
    assert line.messages == ["early"]
    line.connection.connection_lost(None)


async def test_a_close_of_ours_is_seen_through_what_had_to_wait() -> None:
    async with opened() as line:
        line.may_read.clear()
        await line.feed(frame(b"x") * 3_000)
        assert not line.transport.is_reading_now
        await line.send({"type": "websocket.close", "code": 4404, "reason": "gone"})
        await line.feed(frame(b"x") * 100 + frame(b"\x11\x34", 8))
        assert line.transport.close_code == 4404
        assert not line.transport.is_open
        assert len(line.messages) < 3_000


async def test_after_our_close_a_flood_of_messages_is_dropped_unparsed_and_then_cut() -> None:
    async with opened() as line:
        await line.send({"type": "websocket.close", "code": 1012})
        flood = frame(b"x" * 60_000)
        for _ in range(2 + peer.MAX_LATE_BYTES // len(flood)):
            if line.transport.is_open:
                line.connection.data_received(flood)
        assert not line.transport.is_open


async def test_texts_and_bytes_leave_as_frames() -> None:
    async with opened() as line:
        await line.send({"type": "websocket.send", "text": "é"})
        await line.send({"type": "websocket.send", "bytes": b"\0"})
        sent = [each for each in line.transport.frames() if each[0] != 9]
        assert sent == [(1, "é".encode()), (2, b"\0")]


async def test_a_writer_waits_until_the_peer_takes_more_or_is_gone() -> None:
    async with opened() as line:
        line.connection.pause_writing()
        sending = asyncio.create_task(line.send({"type": "websocket.send", "text": "x"}))
        await steps()
        assert not sending.done()
        line.connection.resume_writing()
        await sending
        assert (1, b"x") in line.transport.frames()
        line.connection.pause_writing()
        sending = asyncio.create_task(line.send({"type": "websocket.send", "text": "y"}))
        await steps()
    await sending


async def test_an_event_that_may_not_come_now_is_an_error() -> None:
    async with opened() as line:
        with pytest.raises(RuntimeError):
            await line.send({"type": "websocket.accept"})


async def test_a_connection_ends_after_its_greatest_age() -> None:
    async with opened() as line:
        line.connection.check(time.monotonic() + peer.MAX_AGE_S + 1, False)
        assert line.transport.close_code == 1000


async def test_a_peer_is_not_cut_for_a_delay_of_ours() -> None:
    late = time.monotonic() + PEER_TIMEOUT_S + 1
    async with opened() as line:
        line.connection.check(late, True)
        assert line.transport.is_open
    async with opened() as line:
        line.connection.check(late, False)
        assert not line.transport.is_open


async def test_the_registry_releases_what_has_ended_and_cancels_the_rest() -> None:
    line = Line()
    connections = ConnectionRegistry()
    line.connection = Connection(line._application, connections)
    line.connection.connection_made(line.transport)
    await line.open()
    assert len(connections) == 1
    await connections.cancel_all()
    assert line.transport.close_code == 1000
    line.connection.connection_lost(None)
    assert len(connections) == 0


@implementer(ISSLTransport)
class TlsTransport(StringTransport):
    """A connection that Twisted has decrypted."""

    def setTcpNoDelay(self, enabled: bool) -> None:
        """Twisted's HTTP asks for it."""


async def test_a_handshake_on_a_tls_port_of_daphne_is_refused_in_order() -> None:
    from server.daphne import BoundedChannel, BoundedRequest

    transport = TlsTransport()
    server = SimpleNamespace(protocol_connected=lambda request: None)
    channel = BoundedChannel()
    channel.factory, channel.requestFactory = SimpleNamespace(server=server), BoundedRequest
    channel.timeOut = None
    channel.makeConnection(transport)
    channel.dataReceived(HEAD)
    assert transport.value().startswith(b"HTTP/1.1 501 ")
    assert transport.disconnecting
