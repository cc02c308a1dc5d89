"""How one connection does: what waits on either side of it, and how far away the other end is.

Pure: times are seconds of a monotonic clock that the caller reads. `backpressure` acts on it.
"""

import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

MOST_FRAMES = 32  # that wait for the handler before nothing more is read
MOST_BYTES = 256 * 1024
PING_EVERY = 5.0
PATIENCE = 20.0  # for the answer to a ping, and for bytes that the other end does not take
STALL = 4.0  # between two looks, after which it was this process that stood still
KEPT = 6  # round trips of which the shortest counts
Receive = Callable[[], Awaitable[dict[str, Any]]]


class Inlet:
    """What has been read of a connection and waits for its handler."""

    def __init__(self, when_empty: Callable[[], None]) -> None:
        self._when_empty = when_empty
        self._waiting: deque[int] = deque()  # sizes
        self._bytes = 0
        self.is_shut = False  # nothing more is read until half of it has been handled

    def came(self, size: int) -> None:
        """A frame of that many bytes waits now."""
        self._waiting.append(size)
        self._bytes += size
        self.is_shut |= len(self._waiting) >= MOST_FRAMES or self._bytes >= MOST_BYTES

    def taken(self) -> None:
        """The handler has taken a frame."""
        if self._waiting:
            self._bytes -= self._waiting.popleft()
        if (
            self.is_shut
            and len(self._waiting) <= MOST_FRAMES // 2
            and self._bytes <= MOST_BYTES // 2
        ):
            self.is_shut = False
            self._when_empty()

    def emptied_by(self, receive: Receive) -> Receive:
        """The ASGI `receive` that also counts what it hands over."""

        async def counted() -> dict[str, Any]:
            event = await receive()
            if event["type"] == "websocket.receive":
                self.taken()
            return event

        return counted


class Pings:
    """Pings of the server's own, whose answers nobody can give before he has read that far."""

    def __init__(self) -> None:
        self._asked: bytes | None = None
        self._at = float("-inf")  # when the newest was sent
        self._trips: deque[float] = deque(maxlen=KEPT)

    def due(self, at: float) -> bytes | None:
        """What to send now, if anything: one ping is under way at a time."""
        if self._asked is not None or at - self._at < PING_EVERY:
            return None
        self._asked, self._at = secrets.token_bytes(8), at
        return self._asked

    def answered(self, payload: bytes, at: float) -> None:
        """Hears a pong; only the answer to the ping that is under way counts."""
        if payload == self._asked:
            self._asked = None
            self._trips.append(at - self._at)

    def forget(self) -> None:
        """Gives up the ping that is under way: its answer would tell of our own delays."""
        self._asked = None

    def is_overdue(self, at: float) -> bool:
        """Whether the other end has not read for too long, whatever it says meanwhile."""
        return self._asked is not None and at - self._at > PATIENCE

    @property
    def round_trip(self) -> int | None:
        """Milliseconds of the shortest of the last round trips; None before the first."""
        return round(min(self._trips) * 1000) if self._trips else None


class Unsent:
    """Whether bytes that wait to be sent still move."""

    def __init__(self) -> None:
        self._taken = -1
        self._since: float | None = None  # when they stopped moving

    def is_stuck(self, written: int, unsent: int, at: float) -> bool:
        """Whether the other end has taken nothing for too long; `written` are all bytes so far."""
        taken = written - unsent
        if unsent == 0 or taken > self._taken or self._since is None:
            self._taken, self._since = taken, at
            return False
        return at - self._since > PATIENCE

    def forget(self) -> None:
        """Counts anew, because this process stood still."""
        self._since = None
