"""The peer's side of one WebSocket connection: an asyncio protocol with bounds in both directions.

Frames are parsed by `websockets`, which was measured against our own former reader: see CHANGELOG.
There are bounds on received frames and bytes, fragments, unsent bytes, silence, handshake and
close.
"""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from typing import Final, cast

from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from play.domain.lag import ConnectionStats
from server.flow_control import PingTimer, ReceiveQueue, StallDetector, do_nothing
from server.handshake import denial
from server.message_assembly import (
    POLICY,
    PROTOCOL_ERROR,
    VIOLATIONS,
    MessageReader,
    MessageRefused,
)
from server.registry import REFUSED, ConnectionRegistry
from telemetry.counters import EVICTIONS, UNSENT

MAX_MESSAGE_BYTES: Final = 64 * 1024  # the site refuses messages over 16 KiB in words
MAX_UNSENT_BYTES: Final = 1024 * 1024
MAX_EARLY_BYTES: Final = 16 * 1024  # received before the handshake is answered
MAX_PARSED_LATE_BYTES: Final = 512 * 1024  # received after our close frame; further are dropped
MAX_LATE_BYTES: Final = 8 * 1024 * 1024
FEED_BYTES: Final = 2048  # at most 341 frames are parsed before the bounds are checked again
HANDSHAKE_TIMEOUT_S = 10.0
CLOSE_TIMEOUT_S: Final = 5.0  # for the peer's answer to a close frame
MAX_AGE_S: Final = 24 * 3600.0
NORMAL, ABNORMAL, TRY_AGAIN_LATER_CODE = 1000, 1006, 1013  # close codes
PING_HEADER: Final = b"\x89\x08"  # of an unmasked ping with 8 bytes (RFC 6455, 5.5.2)
RETRY_LATER: Final = ((b"retry-after", b"5"),)
frame_log = logging.getLogger("quiver.server.frames")
frame_log.setLevel(logging.WARNING)  # at DEBUG `websockets` would log every frame


class PeerConnection(asyncio.Protocol, ABC):
    """Frames from and to one peer, with bounds on both."""

    __slots__ = (
        *("_check_at", "_close_code", "_deadline", "_has_request", "_heard_at", "_is_closing"),
        *("_is_discarding", "_is_lost", "_late_bytes", "_max_age_s", "_opened_at", "_pings"),
        *("_protocol", "_queue", "_reader", "_registry", "_stall", "_transport", "_unread"),
        *("_waiter", "_written_bytes", "is_open", "line"),
    )

    def __init__(
        self, registry: ConnectionRegistry, max_message_bytes: int, max_age_s: float
    ) -> None:
        self.line = ConnectionStats()
        self.is_open = True  # the peer takes what is written
        self._registry = registry
        self._max_age_s = max_age_s
        size = min(max_message_bytes, MAX_MESSAGE_BYTES)
        self._protocol = ServerProtocol(max_size=size, logger=frame_log)
        self._queue = ReceiveQueue(self._read_on)
        self._reader = MessageReader()
        self._pings, self._stall = PingTimer(), StallDetector()
        self._check_at = 0.0  # `check` has nothing to do before that, on `time.monotonic`
        self._heard_at = 0.0  # when the last data frame was parsed
        self._transport: asyncio.Transport | None = None
        self._opened_at = time.monotonic()
        self._unread = b""  # received, not parsed yet
        self._written_bytes = 0
        self._late_bytes = 0  # that came after our close frame
        self._has_request = False  # the head of the handshake has come
        self._is_closing = False  # a close frame or a refusal was sent
        self._is_discarding = False  # received data is no longer parsed
        self._is_lost = False
        self._close_code: int | None = None
        self._deadline: asyncio.TimerHandle | None = None  # for the end of the connection
        self._waiter: asyncio.Event | None = None  # for `writable`

    @abstractmethod
    def _receive_request(self, data: bytes) -> None:
        """Handle the head of the handshake."""

    @abstractmethod
    def cancel(self) -> "asyncio.Task[None] | None":
        """Cancel the application; return its task if it still runs."""

    # ---- the transport's side ----

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport over; the head of the handshake follows as the first data."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass
        self._registry.add(self)

    def data_received(self, data: bytes) -> None:
        """Parse received data, unless too many events wait for the application."""
        if self._is_closing:
            self._receive_late(data)
        elif self._protocol.state is State.OPEN:
            self._parse(self._unread + data if self._unread else data)
        elif not self._has_request:
            self._receive_request(data)
        else:
            self._unread += data
            if len(self._unread) > MAX_EARLY_BYTES:
                self._pause_reading()

    def _receive_late(self, data: bytes) -> None:
        """Look for the answer to our close frame; drop all other data after it."""
        self._late_bytes += len(data)
        if self._late_bytes > MAX_LATE_BYTES:
            self._abort()
        elif self._late_bytes > MAX_PARSED_LATE_BYTES:
            self._is_discarding = True
        elif not self._is_discarding:
            self._parse(data)

    def eof_received(self) -> bool:
        """Close the transport, because the peer has ended its side."""
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Send the application a disconnect, and drop references back to this object, so that it
        needs no garbage collection."""
        self._is_lost = True
        self._registry.discard(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._queue.on_room = do_nothing
        self._queue.put({"type": "websocket.disconnect", "code": self._close_code or ABNORMAL})
        self.resume_writing()
        self._protocol.parser.close()

    def pause_writing(self) -> None:
        """Mark the connection as not writable: the transport's buffer is full."""
        self.is_open = False

    def resume_writing(self) -> None:
        """Mark the connection as writable again, and wake up those who wait for that."""
        self.is_open = True
        if self._waiter is not None:
            self._waiter.set()
            self._waiter = None

    async def writable(self) -> None:
        """Wait until the connection is writable, or lost."""
        while not self.is_open:
            self._waiter = self._waiter or asyncio.Event()
            await self._waiter.wait()

    # ---- from the peer ----

    def _parse(self, data: bytes) -> None:
        """Parse frames in small pieces, and stop when the receive queue is full."""
        if len(data) <= FEED_BYTES:
            self._unread = b""
            self._feed(data)
        else:
            at, size = 0, len(data)
            while at < size and not self._is_discarding and not self._must_wait():
                self._feed(data[at : at + FEED_BYTES])
                at += FEED_BYTES
            self._unread = b"" if self._is_discarding else data[at:]
        if self._must_wait():
            self._pings.forget()
            self._pause_reading()

    def _must_wait(self) -> bool:
        return self._queue.is_full and not self._is_closing

    def _feed(self, data: bytes) -> None:
        protocol = self._protocol
        protocol.receive_data(data)
        for frame in protocol.events_received():
            assert isinstance(frame, Frame)
            self._receive_frame(frame)
            if self._is_discarding:
                return
        if protocol.parser_exc is not None:
            self._fail_parsing()
        elif output := protocol.data_to_send():
            self._flush(output)

    def _receive_frame(self, frame: Frame) -> None:
        opcode = frame.opcode
        if opcode is Opcode.CLOSE:
            self._close_code = self._close_code or int(Close.parse(frame.data).code)
            return
        try:
            if opcode is Opcode.PING:  # which `websockets` answers
                self._reader.count_small_frame(time.monotonic())
            elif opcode is Opcode.PONG:
                self._receive_pong(bytes(frame.data), time.monotonic())
            else:
                self._heard_at = time.monotonic()
                event = self._reader.read(frame, self._heard_at)
                if event is None:
                    self._check_at = 0.0  # a message that is not complete may be late
                elif not self._is_closing:
                    self.line.messages += 1
                    self._queue.put(event)
        except MessageRefused as refused:
            self._evict(refused.reason, refused.code)

    def _receive_pong(self, payload: bytes, now: float) -> None:
        self._reader.count_small_frame(now)
        self._pings.receive_pong(payload, now)
        self.line.round_trip = self._pings.round_trip_ms
        self.line.tcp_round_trip = self._pings.tcp_round_trip_ms(self._transport)
        self.line.is_silent = self._pings.is_silent(now)

    def _read_on(self) -> None:
        """Parse the data that had to wait, then resume reading."""
        if self._is_lost:
            return
        if self._unread and not self._is_discarding:
            self._parse(self._unread)
        transport = self._transport
        if not self._must_wait() and transport is not None and not transport.is_closing():
            transport.resume_reading()

    def _pause_reading(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    # ---- to the peer ----

    def _write(self, data: bytes) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        self._written_bytes += len(data)
        transport.write(data)
        if not self.is_open and transport.get_write_buffer_size() > MAX_UNSENT_BYTES:
            self._cut("unsent")

    def _flush(self, output: list[bytes]) -> None:
        """Write the output of `websockets`; an empty item is the end of the stream."""
        if data := b"".join(output):
            self._write(data)
        if output and not output[-1]:
            self._finish()

    # ---- the end ----

    def close(self, code: int = NORMAL, reason: str = "") -> None:
        """Send a close frame; the transport closes after the peer's answer or `CLOSE_TIMEOUT_S`.

        Unread data are parsed and dropped, to find the answer.
        """
        if self._protocol.state is not State.OPEN or self._is_lost:
            return
        self._close_code = self._close_code or code
        self._is_closing = True
        self._protocol.send_close(code, reason)
        self._flush(self._protocol.data_to_send())
        self._set_deadline()
        self._read_on()

    def end(self, code: int) -> None:
        """Close with a code, or refuse a handshake that is not answered yet with 503."""
        if self._protocol.state is State.CONNECTING and not self._is_closing:
            self._refuse(denial(503, RETRY_LATER, b"Service Unavailable\n"))
        else:
            self.close(code)

    def _evict(self, reason: str, code: int) -> None:
        """Close with a code and drop all further data."""
        if self._is_discarding:
            return
        EVICTIONS.labels(reason).inc()
        self._close_code = self._close_code or code
        self._is_closing = self._is_discarding = True
        self._protocol.fail(code)
        self._flush(self._protocol.data_to_send())

    def _fail_parsing(self) -> None:
        """Close with the code that `websockets` has chosen for the malformed data."""
        sent = self._protocol.close_sent
        code = PROTOCOL_ERROR if sent is None else int(sent.code)
        if not self._is_closing:
            EVICTIONS.labels(VIOLATIONS.get(code, "protocol")).inc()
        self._close_code = self._close_code or code
        self._is_closing = self._is_discarding = True
        self._flush(self._protocol.data_to_send())

    def _finish(self) -> None:
        """Close the transport, with a delay if data may still come: closing a socket with unread
        data resets the connection, and the peer loses the close frame."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        self._is_closing = True
        if not self._is_discarding or not transport.can_write_eof():
            transport.close()
            return
        transport.write_eof()
        self._unread = b""
        transport.resume_reading()
        self._set_deadline()

    def _set_deadline(self) -> None:
        if self._deadline is None:
            loop = asyncio.get_running_loop()
            self._deadline = loop.call_later(CLOSE_TIMEOUT_S, self._abort)

    def _cut(self, reason: str) -> None:
        """Abort: the peer would not read a close frame either."""
        EVICTIONS.labels(reason).inc()
        self._is_closing = self._is_discarding = True
        self._abort()

    def _abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _refuse(self, response: Response) -> None:
        self._protocol.send_response(response)
        self._is_closing = self._is_discarding = True
        self._flush(self._protocol.data_to_send())

    # ---- every two seconds ----

    def check(self, now: float, has_stalled: bool) -> None:
        """Send a ping if one is due, and close the connection on a timeout (`server.registry`).

        An idle connection is checked only twice a minute: there are thousands.
        """
        if now < self._check_at and self.is_open and not self.line.wants_ping and not has_stalled:
            return
        transport = self._transport
        if transport is None or transport.is_closing() or self._is_closing:
            return
        age_s = now - self._opened_at
        if self._protocol.state is State.CONNECTING:
            if age_s > HANDSHAKE_TIMEOUT_S:
                REFUSED.labels("handshake").inc()
                self.end(TRY_AGAIN_LATER_CODE)
            return
        if has_stalled:
            self._pings.forget()
            self._stall.forget()
        if age_s > self._max_age_s:
            self.close()
            return
        is_timed = self.line.timed_seats > 0
        self.line.unsent = transport.get_write_buffer_size()
        UNSENT.record(self.line.unsent)
        if self._stall.is_stalled(self._written_bytes, self.line.unsent, now):
            self._cut("stuck")
        elif self._pings.is_overdue(now, is_timed):
            self._cut("silent")
        elif self._reader.is_late(now):
            self._evict("fragments", POLICY)
        else:
            due_at = self._pings.due_at(self._heard_at, is_timed)
            if self.line.wants_ping or now >= due_at:
                self._ping(now)
            self.line.is_silent = self._pings.is_silent(now)
            must_watch = self._reader.is_partial or self.line.unsent > 0
            self._check_at = 0.0 if must_watch else self._pings.check_at(now, due_at)

    def _ping(self, now: float) -> None:
        """Send a ping, unless one is under way or nothing is read from the peer."""
        if ping := self._ping_frame(now):
            self._write(ping)

    def _ping_frame(self, now: float) -> bytes | None:
        """Return the frame of a ping to be sent now, or None."""
        if self._queue.is_full or not (payload := self._pings.next_payload(now)):
            return None
        self.line.wants_ping = False
        return PING_HEADER + payload
