"""Bound received and unread data of a client, and measure its round trip.

Pure but for the kernel's round trip: no socket, no clock. Times are seconds of a monotonic clock
that the caller reads; `server.connection` acts on them.
"""

import asyncio
import math
import secrets
import socket
import struct
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings

MAX_QUEUED_EVENTS: Final = 32  # that wait for the application before reading pauses
MAX_QUEUED_BYTES: Final = 256 * 1024
PING_INTERVAL_S: Final = 5.0  # of a connection whose round trip counts
# Of all others, since they were heard: pages that wait ping after 30 s at most, so most of them are
# never pinged. With their timeout and two visits, a half-open connection is cut within 45 s.
IDLE_PING_AFTER_S: Final = 31.0
IDLE_PEER_TIMEOUT_S: Final = 9.0  # for the answer to such a ping
SILENT_S: Final = 3.0  # for the answer to a ping, before the peer counts as silent
PEER_TIMEOUT_S: Final = 20.0  # for the answer to a ping, and for bytes that are not taken
MAX_KEPT_ROUND_TRIPS: Final = 6  # of which the shortest counts
RTT_OFFSET_BYTES: Final = 68  # of `tcpi_rtt` (µs) in `struct tcp_info` of linux/tcp.h
PAYLOADS_AT_A_TIME: Final = 256
Event = dict[str, Any]


def do_nothing() -> None:
    """Do nothing: the default callback."""


class ReceiveQueue:
    """ASGI events of one connection that wait for the application.

    `is_full` tells the connection to stop reading; when the application has taken half of what
    waited, `on_room` is called, and reading goes on.
    """

    __slots__ = ("_bytes", "_events", "_waiter", "is_full", "on_room")

    def __init__(self, on_room: Callable[[], None] = do_nothing) -> None:
        self.on_room = on_room
        self.is_full = False
        self._events: deque[Event] = deque()
        self._bytes = 0  # of the messages among them
        self._waiter: asyncio.Future[None] | None = None

    def put(self, event: Event) -> None:
        """Add an event."""
        self._events.append(event)
        self._bytes += size_of(event)
        self.is_full |= len(self._events) >= MAX_QUEUED_EVENTS or self._bytes >= MAX_QUEUED_BYTES
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get(self) -> Event:
        """Return the next event: ASGI's `receive`. Nothing is lost if it is cancelled."""
        while not self._events:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        event = self._events.popleft()
        self._bytes -= size_of(event)
        if (
            self.is_full
            and len(self._events) <= MAX_QUEUED_EVENTS // 2
            and self._bytes <= MAX_QUEUED_BYTES // 2
        ):
            self.is_full = False
            self.on_room()
        return event


def size_of(event: Event) -> int:
    """Return the length of a message; 0 for the other events."""
    return len(event.get("text") or event.get("bytes") or "")


class PingPayloads:
    """Random payloads of 8 bytes; the system is asked for many at a time, which costs a call."""

    def __init__(self) -> None:
        self._left: list[bytes] = []

    def take(self) -> bytes:
        """Return a payload that nobody can guess."""
        if not self._left:
            block = secrets.token_bytes(8 * PAYLOADS_AT_A_TIME)
            self._left = [block[at : at + 8] for at in range(0, len(block), 8)]
        return self._left.pop()


PAYLOADS: Final = PingPayloads()


class PingTimer:
    """Pings of the server; a peer can answer one only after it has read all data before it."""

    __slots__ = ("_payload", "_round_trips_s", "_sent_at")

    def __init__(self) -> None:
        self._payload: bytes | None = None  # of the ping that is under way
        self._sent_at = float("-inf")
        self._round_trips_s: list[float] = []

    def next_payload(self, now: float) -> bytes | None:
        """Return the payload of a ping to be sent now; None while another is under way."""
        if self._payload is not None:
            return None
        self._payload, self._sent_at = PAYLOADS.take(), now
        return self._payload

    def due_at(self, heard_at: float, is_timed: bool) -> float:
        """Return when the next ping is due of a peer that was heard at `heard_at`."""
        if is_timed:
            return self._sent_at + PING_INTERVAL_S
        return max(self._sent_at, heard_at) + IDLE_PING_AFTER_S

    def check_at(self, now: float, due_at: float) -> float:
        """Return when to look again: the next ping is due, or an answer is late."""
        if self._payload is None:
            return due_at
        return now if self.is_silent(now) else self._sent_at + SILENT_S

    def receive_pong(self, payload: bytes, now: float) -> None:
        """Measure the round trip, if this answers the ping that is under way."""
        if payload == self._payload:
            self._payload = None
            kept = self._round_trips_s[1 - MAX_KEPT_ROUND_TRIPS :]
            self._round_trips_s = [*kept, now - self._sent_at]

    def forget(self) -> None:
        """Give up the pending ping: its answer would measure a delay of this process."""
        self._payload = None

    @staticmethod
    def tcp_round_trip_ms(transport: asyncio.BaseTransport | None) -> int | None:
        """Return the kernel's smoothed round trip to the peer in ms; no page can lengthen it.

        Return None where it is unknown, and behind proxies, whose round trip is not the visitor's.
        """
        if settings.PROXIES or transport is None or sys.platform != "linux":
            return None
        peer = transport.get_extra_info("socket")
        if peer is None or peer.family not in (socket.AF_INET, socket.AF_INET6):
            return None
        size = RTT_OFFSET_BYTES + 4
        try:
            info = peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, size)
        except OSError:  # closed meanwhile
            return None
        rtt_us: int = struct.unpack_from("=I", info, RTT_OFFSET_BYTES)[0]
        return math.ceil(rtt_us / 1000)

    def is_silent(self, now: float) -> bool:
        """Whether the pending ping is unanswered for so long that the peer may be gone."""
        return self._payload is not None and now - self._sent_at >= SILENT_S

    def is_overdue(self, now: float, is_timed: bool = True) -> bool:
        """Whether the pending ping is unanswered for too long, even if other data arrives."""
        limit_s = PEER_TIMEOUT_S if is_timed else min(PEER_TIMEOUT_S, IDLE_PEER_TIMEOUT_S)
        return self._payload is not None and now - self._sent_at > limit_s

    @property
    def round_trip_ms(self) -> int | None:
        """Milliseconds of the shortest of the last round trips; None before the first."""
        return round(min(self._round_trips_s) * 1000) if self._round_trips_s else None


class StallDetector:
    """Detects a peer that takes no more of the unsent bytes."""

    __slots__ = ("_since", "_taken_bytes")

    def __init__(self) -> None:
        self._taken_bytes = -1
        self._since: float | None = None  # when the peer last took some

    def is_stalled(self, written_bytes: int, unsent_bytes: int, now: float) -> bool:
        """Whether the peer has taken nothing for too long; `written_bytes` counts all so far."""
        if unsent_bytes == 0:
            self._since = None  # the time without unsent bytes is no delay of the peer
            return False
        taken = written_bytes - unsent_bytes
        if taken > self._taken_bytes or self._since is None:
            self._taken_bytes, self._since = taken, now
            return False
        return now - self._since > PEER_TIMEOUT_S

    def forget(self) -> None:
        """Restart the measurement, because this process was blocked."""
        self._since = None
