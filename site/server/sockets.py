"""Daphne's WebSocket with bounds: on frames that wait, on small frames, and on unread data.

Autobahn bounds the sizes of frames and messages, and the times of both handshakes; Daphne pings and
closes a socket that does not answer. What they leave open is bounded here, by Twisted's producer
interface and Autobahn's documented callbacks.
"""

import asyncio
import math
import socket
import struct
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from autobahn.exception import Disconnected
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from twisted.internet.interfaces import IPushProducer, ISSLTransport
from zope.interface import implementer  # type: ignore[import-untyped]

from play.domain.lag import ConnectionStats
from play.sockets.send_queue import POLICY, Bucket
from telemetry.counters import EVICTIONS

MAX_WAITING_FRAMES: Final = 32  # for the application; then nothing more is read
PIECE_BYTES: Final = 2048  # at most 341 frames are parsed before the bounds are checked again
SMALL_FRAMES_PER_S: Final = 50.0  # pings, pongs and fragments
MAX_SMALL_FRAMES: Final = 300.0  # of them at once
UNREAD_TIMEOUT_S = 20.0  # for a peer that takes nothing of what was sent
RTT_OFFSET_BYTES: Final = 68  # of `tcpi_rtt` (µs) in `struct tcp_info` of linux/tcp.h


@implementer(IPushProducer)
class ReadingPeer:
    """Whether the peer takes what is sent; Twisted reports it as to a producer of the data.

    Nothing is read from a peer that takes nothing: its pings would be answered without end.
    """

    def __init__(self, transport: Any, read_on: Callable[[], None]) -> None:
        self._transport = transport
        self._read_on = read_on
        self._deadline: asyncio.TimerHandle | None = None
        self.may_send = asyncio.Event()
        self.may_send.set()

    def pauseProducing(self) -> None:
        """Note that the transport's buffer is full; cut the connection if it stays so."""
        self.may_send.clear()
        self._transport.pauseProducing()
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(UNREAD_TIMEOUT_S, self._cut)

    def resumeProducing(self) -> None:
        """Note that the peer has taken everything."""
        self.stopProducing()
        self._read_on()

    def stopProducing(self) -> None:
        """Stop waiting for the peer: it has taken everything, or has gone."""
        self.may_send.set()
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _cut(self) -> None:
        EVICTIONS.labels("stuck").inc()
        self._transport.abortConnection()


class BoundedSocket(WebSocketProtocol):  # type: ignore[misc]
    """One WebSocket of Daphne."""

    _unparsed = b""  # received while too many frames wait
    _is_reading = True
    _is_fragment = False
    _is_flooding = False
    _waiting = 0  # frames, for the application

    def connectionMade(self) -> None:
        """Begin, with the bounds of what is sent."""
        super().connectionMade()
        self.line = ConnectionStats()
        self.peer_reads = ReadingPeer(self.transport, self._read_on)
        self._small_frames = Bucket(SMALL_FRAMES_PER_S, MAX_SMALL_FRAMES, MAX_SMALL_FRAMES)
        self.transport.unregisterProducer()  # that was Twisted's HTTP channel
        self.transport.registerProducer(self.peer_reads, True)

    def connectionLost(self, reason: Any = None) -> None:
        """End; `send` waits for the peer no longer."""
        self.peer_reads.stopProducing()
        super().connectionLost(reason)

    def dataReceived(self, data: bytes) -> None:
        """Parse data in small pieces, as long as few frames wait for the application."""
        self._unparsed += data
        while self._unparsed and self._is_reading:
            piece, self._unparsed = self._unparsed[:PIECE_BYTES], self._unparsed[PIECE_BYTES:]
            super().dataReceived(piece)

    def onOpen(self) -> None:
        """Measure the round trip at once: the first action may come soon."""
        super().onOpen()
        self.sendPing()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        """Pass a message on; stop reading if too many wait."""
        super().onMessage(payload, isBinary)
        self._waiting += 1
        if self._is_reading and self._waiting >= MAX_WAITING_FRAMES:
            self._is_reading = False
            self.transport.pauseProducing()

    def bounded_events(self, receive: Any, send: Any) -> tuple[Any, Any]:
        """Return ASGI's `receive` and `send` of this socket with its bounds."""
        return partial(self._take_event, receive), partial(self._pass_event, send)

    async def _take_event(self, receive: Any) -> Any:
        """Return the next event; read on once the application has taken half of what waited."""
        event = await receive()
        if event["type"] == "websocket.receive":
            self._waiting -= 1
            self._note_taken()
        return event

    async def _pass_event(self, send: Any, event: Mapping[str, Any]) -> None:
        """Send an event, a frame as soon as the peer takes data."""
        if event["type"] == "websocket.send":
            await self.peer_reads.may_send.wait()
        with suppress(Disconnected):  # nothing is sent to a peer that is leaving
            await send(event)

    def _note_taken(self) -> None:
        if self._is_reading or self._is_flooding or self._waiting > MAX_WAITING_FRAMES // 2:
            return
        self._is_reading = True
        self.dataReceived(b"")
        self._read_on()

    def _read_on(self) -> None:
        """Have data received again, unless frames wait or the peer takes nothing."""
        if self._is_reading and self.peer_reads.may_send.is_set():
            self.transport.resumeProducing()

    def onMessageFrameBegin(self, length: int) -> None:
        """Count a frame that continues a message, which may be empty."""
        if self._is_fragment:
            self._count_small_frame()
        self._is_fragment = True
        super().onMessageFrameBegin(length)

    def onMessageBegin(self, isBinary: bool) -> None:
        """Begin a message; its first frame is no fragment."""
        self._is_fragment = False
        super().onMessageBegin(isBinary)

    def onPing(self, payload: bytes) -> None:
        """Answer a ping of the peer."""
        self._count_small_frame()
        super().onPing(payload)

    def sendPing(self, payload: bytes | None = None) -> None:
        """Send a ping, and note when, for the round trip."""
        if self.line.pinged_at is None:
            self.line.pinged_at = time.monotonic()
        super().sendPing(payload)

    def onPong(self, payload: bytes) -> None:
        """Measure the round trip by the answer to a ping."""
        self._count_small_frame()
        self.line.note_pong(time.monotonic(), tcp_round_trip_ms(self.transport))

    def _count_small_frame(self) -> None:
        """Close the socket of a peer that sends too many frames that cost more than they hold."""
        if not self._small_frames.take(time.monotonic()):
            EVICTIONS.labels("flood").inc()
            self._is_reading, self._is_flooding, self._unparsed = False, True, b""
            self.sendClose(POLICY)
            self.transport.loseConnection()

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        """Write data. Autobahn's own method first makes a text for its log: 11 % of an action."""
        self.transport.write(data)

    def sendClose(self, code: int | None = None, reason: str | None = None) -> None:
        """Send a close frame; Autobahn refuses codes such as 1008 and 1012 here."""
        self.sendCloseFrame(code=code)


def tcp_round_trip_ms(transport: Any) -> int | None:
    """Return the kernel's smoothed round trip to the peer in ms; no page can lengthen it.

    Return None where it is unknown, as under TLS, and behind proxies, whose round trip is not the
    visitor's.
    """
    if settings.PROXIES or sys.platform != "linux" or ISSLTransport.providedBy(transport):
        return None
    peer = transport.getHandle()
    if peer.family not in (socket.AF_INET, socket.AF_INET6):
        return None
    try:
        info = peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, RTT_OFFSET_BYTES + 4)
    except OSError:  # closed meanwhile
        return None
    rtt_us: int = struct.unpack_from("=I", info, RTT_OFFSET_BYTES)[0]
    return math.ceil(rtt_us / 1000)
