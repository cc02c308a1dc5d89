"""How one connection does: what waits on either side of it, and how far away the other end is.

Times are seconds of a monotonic clock that the caller reads. `backpressure` acts on it.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from play.frames import Frame
from play.outlets import nobody

MOST_FRAMES = 32  # that wait for the handler before nothing more is read
MOST_BYTES = 256 * 1024
PING_EVERY = 5.0
PATIENCE = 20.0  # for the answer to a ping, and for bytes that the other end does not take
STALL = 4.0  # between two looks, after which it was this process that stood still
KEPT = 6  # round trips of which the shortest counts
Event = dict[str, Any]


class Inlet:
    """What has been read of a connection and waits for its handler: the queue of its events."""

    __slots__ = ("_awaited", "_bytes", "_events", "_when_empty", "is_shut")

    def __init__(self, when_empty: Callable[[], None]) -> None:
        self._when_empty = when_empty
        self._events: list[Event] = []
        self._bytes = 0  # of the frames among them
        self._awaited: asyncio.Future[None] | None = None  # somebody waits for the next
        self.is_shut = False  # nothing more is read until half of it has been handled

    def put_nowait(self, event: Event) -> None:
        """Something has come."""
        self._events.append(event)
        self._bytes += size_of(event)
        self.is_shut |= len(self._events) >= MOST_FRAMES or self._bytes >= MOST_BYTES
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(None)

    def leave(self) -> None:
        """Hears that nothing more comes: nobody reads on."""
        self._when_empty = nobody

    async def get(self) -> Event:
        """The next event: ASGI's `receive`. Nothing is lost if that is cancelled."""
        while not self._events:
            self._awaited = asyncio.get_running_loop().create_future()
            await self._awaited
        event = self._events.pop(0)
        self._bytes -= size_of(event)
        if (
            self.is_shut
            and len(self._events) <= MOST_FRAMES // 2
            and self._bytes <= MOST_BYTES // 2
        ):
            self.is_shut = False
            self._when_empty()
        return event


def size_of(event: Event) -> int:
    """How large a frame is; nothing for the other events."""
    return len(event.get("text") or event.get("bytes") or "")


class Outlet:
    """The way out of one websocket: shut while the other end does not take what is sent.

    For Twisted it is the producer that hears of that.
    """

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self.is_open = True
        self.when_open: Callable[[], None] = nobody
        self._write = write
        self._opened: asyncio.Event | None = None  # for `wait`

    def write(self, frames: Sequence[Frame]) -> None:
        """Sends frames in one go."""
        self._write(b"".join([frame.wire for frame in frames]))

    def leave(self) -> None:
        """Hears that the connection is gone: nothing is sent any more."""
        self._write = _nowhere

    def pauseProducing(self) -> None:
        """Called by the transport when its buffer is full."""
        self.is_open = False

    def resumeProducing(self) -> None:
        """Called by the transport when its buffer is empty again."""
        self.is_open = True
        if self._opened:
            self._opened.set()
            self._opened = None
        self.when_open()

    stopProducing = resumeProducing

    async def wait(self) -> None:
        """Returns when more may be written, or when nobody will read it any more."""
        while not self.is_open:
            self._opened = self._opened or asyncio.Event()
            await self._opened.wait()


def _nowhere(frames: bytes) -> None:
    """Where frames go when their connection has gone."""


class Pings:
    """Pings of the server's own, whose answers nobody can give before he has read that far."""

    def __init__(self) -> None:
        self._asked: bytes | None = None
        self._at = float("-inf")  # when the newest was sent
        self._trips: list[float] = []

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
            self._trips = [*self._trips[1 - KEPT :], at - self._at]

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
