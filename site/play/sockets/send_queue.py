"""The bounded send queue of one socket, and the rate limits of its frames."""

import asyncio
import random
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from play.domain.socket_session import SocketSession
from play.domain.wire_types import Frame, encode_frame
from play.runtime.open_sockets import add_open, remove_open
from play.sockets.messages import Bye
from telemetry import counters

MAX_REPLIES = 128
MAX_UNSENT_CHARS = 1024 * 1024  # of the replies and states that wait
POLICY = 1008  # close code: the peer has broken a limit
SIGNED_OUT_CODE = 4401  # close code: the session that opened the socket has ended
RECONNECT_DELAYS_MS = (300, 1_500)  # bounds of the random delay of pages, which may double it
RESTART_CODE = 1012  # close code: the service restarts
UNREAD = 4009  # close code: the peer does not read
MAX_BEHIND_S = 20.0  # a page with the same old rev for longer is stalled
# Of the frames of all sockets of a network. Thirty people at fast games send 50 a second; the 300
# sockets that a network may have send some 1,200 at once when they come back.
FRAMES_PER_S_OF_NETWORK = 200.0
BURST_OF_NETWORK = 3_000.0
MAX_NETWORKS = 4096  # whose buckets are kept


class PageWriter(Protocol):
    """The writing side of a page's socket: its consumer."""

    async def send(self, text_data: Frame) -> None:
        """Send a frame; returns when the server takes the next one."""

    async def close(self, code: int) -> None:
        """Close the socket."""


class SendQueue:
    """Queues replies in order and the newest state of each topic; older unsent states are dropped.

    A task sends them while there are any: everything queued in one iteration of the event loop is
    sent together, and what is queued while the server takes nothing waits here. Nothing leaves once
    the socket is being closed.
    """

    def __init__(self, page: PageWriter, permit: SocketSession) -> None:
        self.permit = permit
        self.is_over = False  # it is being closed: further frames are ignored
        self.is_stalled = False  # the peer does not read
        self._loop = asyncio.get_running_loop()
        self.opened_at = self._loop.time()  # seconds on the loop's clock
        self._page = page
        self._replies: list[Frame] = []
        self._states: dict[str, Frame] = {}  # by topic
        self._unsent_chars = 0  # of both
        self._sending: asyncio.Task[None] | None = None
        # By topic: the old rev of the page, and since when.
        self._behind: dict[str, tuple[object, float]] = {}
        add_open(self)

    def post(self, frame: Frame) -> None:
        """Add a reply; a socket with too many waiting replies counts as stalled."""
        if len(self._replies) >= MAX_REPLIES or not self._has_room(len(frame)):
            self.is_stalled = True
            return
        self._replies.append(frame)
        self._send_soon()

    def show(self, topic: str, frame: Frame) -> None:
        """Replace the state of a topic that waits to be sent."""
        if topic in self._states:
            self.drop(topic)
        if not self._has_room(len(frame)):
            self.is_stalled = True
            return
        self._states[topic] = frame
        self._send_soon()

    def drop(self, topic: str) -> None:
        """Drop the state of a topic that waits to be sent."""
        old = self._states.pop(topic, None)
        if old is not None:
            self._unsent_chars -= len(old)

    def _has_room(self, size: int) -> bool:
        """Count characters that are to wait, unless they are too many; return whether they fit."""
        if self._unsent_chars + size > MAX_UNSENT_CHARS:
            return False
        self._unsent_chars += size
        return True

    def _send_soon(self) -> None:
        if self._sending is None:
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        try:
            while (frames := [*self._replies, *self._states.values()]) and not self.is_over:
                self._clear()
                for frame in frames:
                    await self._page.send(text_data=frame)
        except OSError:  # as ASGI says it: the peer has gone
            self.is_over = True
        finally:
            self._sending = None

    def _clear(self) -> None:
        self._replies, self._states, self._unsent_chars = [], {}, 0

    def note_old_rev(self, topic: str, rev: object) -> None:
        """Note that the page has an old rev of a topic.

        A page that stays at the same old rev for too long is stalled: sending frames does not prove
        that it reads them.
        """
        at = self._loop.time()
        behind = self._behind.get(topic)
        if behind is None or behind[0] != rev:
            self._behind[topic] = (rev, at)
        elif at - behind[1] > MAX_BEHIND_S:
            self.is_stalled = True

    def note_current(self, topic: str) -> None:
        """Note that the page has the newest rev of a topic, or has left it."""
        self._behind.pop(topic, None)

    def end_if_stalled(self) -> None:
        """Close the socket if the peer does not read."""
        if self.is_stalled and not self.is_over:
            counters.EVICTIONS.labels("unread").inc()
            self.end(UNREAD)

    async def say_bye(self) -> None:
        """Tell the page that the server goes away and when to reconnect, and close the socket."""
        retry = random.randint(*RECONNECT_DELAYS_MS)
        await self._page.send(text_data=encode_frame(Bye("restart", retry)))
        await self._page.close(RESTART_CODE)

    def revoke(self) -> None:
        """Close the socket because its session has ended; from any thread."""
        self.is_over = True
        self._loop.call_soon_threadsafe(self.end, SIGNED_OUT_CODE)

    def end(self, code: int) -> None:
        """Close the socket; its listener gets the disconnect from the server."""
        self.is_over = True
        self._ending = asyncio.create_task(self._page.close(code))

    def close(self) -> None:
        """Stop sending; what still waits is dropped."""
        self.is_over = True
        remove_open(self)
        self._clear()
        if self._sending is not None:
            self._sending.cancel()


@dataclass(slots=True)
class Bucket:
    """A token bucket: `rate` frames a second, at most `burst` at once."""

    rate: float = 40.0
    burst: float = 120.0
    tokens: float = field(default=120.0)
    at: float = 0.0  # seconds on the loop's clock
    refused: int = 0  # frames refused more than accepted

    def take(self, at: float) -> bool:
        """Return whether one more frame may be handled now."""
        self._refill(at)
        if self.tokens < 1:
            self.refused += 1
            return False
        self.tokens -= 1
        self.refused = max(0, self.refused - 1)
        return True

    def take_on_credit(self, at: float) -> float:
        """Take a token, even if there is none; return the seconds until there is one again."""
        self._refill(at)
        self.tokens -= 1
        return max(0.0, -self.tokens / self.rate)

    def _refill(self, at: float) -> None:
        self.tokens = min(self.burst, self.tokens + (at - self.at) * self.rate)
        self.at = at


@lru_cache(maxsize=MAX_NETWORKS)
def bucket_of_network(network: str) -> Bucket:
    """Return the bucket that all sockets of a network share in this process."""
    return Bucket(FRAMES_PER_S_OF_NETWORK, BURST_OF_NETWORK, BURST_OF_NETWORK)
