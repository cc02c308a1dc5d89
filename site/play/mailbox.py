"""What waits to be written to one socket, bounded, and how fast the socket may speak."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from weakref import WeakSet

from play.permit import Permit

MOST_REPLIES = 128
SIGNED_OUT = 4401  # close code: the session that opened the socket has ended
RESTART = 1012  # close code: the service restarts
LATEST = 20.0  # seconds in which a page that speaks has to have taken something newer
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Mailbox:
    """Replies in their order, and the newest whole state; an older unsent state is dropped."""

    def __init__(self, send: Send, audience: str, permit: Permit) -> None:
        self.audience = audience
        self.permit = permit
        self.is_over = False  # that session has ended: nothing that still comes in is handled
        self._loop = asyncio.get_running_loop()
        self._send = send
        self._replies: deque[str] = deque()
        self._state: str | None = None
        self._filled = asyncio.Event()
        self._pump = asyncio.create_task(self._run())
        self.is_deaf = False  # the other end does not take what is sent
        self._behind: tuple[object, float] | None = None  # the old rev it has, and since when
        with LIST:
            OPEN.add(self)

    def post(self, frame: str) -> None:
        """Adds a reply; a socket that lets too many of them wait is given up."""
        if len(self._replies) >= MOST_REPLIES:
            self.is_deaf = True
            return
        self._replies.append(frame)
        self._filled.set()

    def show(self, frame: str) -> None:
        """Replaces the state that waits to be sent."""
        self._state = frame
        self._filled.set()

    def still_has(self, rev: object) -> None:
        """Hears that the page has an old rev. If that is the same one for too long, it is deaf:
        what somebody says is no proof that he reads."""
        at = self._loop.time()
        if self._behind is None or self._behind[0] != rev:
            self._behind = (rev, at)
        elif at - self._behind[1] > LATEST:
            self.is_deaf = True

    def is_up(self) -> None:
        """Hears that the page has the newest rev."""
        self._behind = None

    async def _run(self) -> None:
        while True:
            await self._filled.wait()
            self._filled.clear()
            while self._replies:
                await self._send({"type": "websocket.send", "text": self._replies.popleft()})
            if self._state is not None:
                frame, self._state = self._state, None
                await self._send({"type": "websocket.send", "text": frame})

    async def say_bye(self, retry: int) -> None:
        """Tells the page that the server goes away, and to come back after `retry` ms."""
        bye = f'{{"t":"bye","reason":"restart","retry":{retry}}}'
        await self._send({"type": "websocket.send", "text": bye})
        await self._send({"type": "websocket.close", "code": RESTART})

    def revoke(self) -> None:
        """Cuts the socket off, because its session has ended; from any thread."""
        self.is_over = True
        self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        self._ending = asyncio.ensure_future(
            self._send({"type": "websocket.close", "code": SIGNED_OUT})
        )

    async def close(self) -> None:
        """Stops sending; what still waits is dropped."""
        with LIST:
            OPEN.discard(self)
        self._pump.cancel()
        await asyncio.gather(self._pump, return_exceptions=True)


class Gate:
    """Whether this process still takes new sockets and frames, and how many it is answering."""

    is_shut = False
    busy = 0

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Counts a frame as being answered for as long as the block runs."""
        self.busy += 1
        try:
            yield
        finally:
            self.busy -= 1

    async def quiet(self, seconds: float) -> None:
        """Waits until nothing is being answered any more, but not for longer than that."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while self.busy and loop.time() < end:  # noqa: ASYNC110 - one gate for many loops
            await asyncio.sleep(0.01)


GATE = Gate()
LIST = Lock()  # held while OPEN is changed or read
OPEN: WeakSet[Mailbox] = WeakSet()  # of all sockets of this process


def revoke(is_over: Callable[[Permit], bool]) -> None:
    """Cuts off every socket of this process whose permit is over; from any thread."""
    for box in every_open():
        if is_over(box.permit):
            box.revoke()


def every_open() -> list[Mailbox]:
    """The mailboxes of all sockets of this process; from any thread."""
    with LIST:
        return list(OPEN)


@dataclass(slots=True)
class Bucket:
    """A token bucket: `rate` frames a second, `burst` at once."""

    rate: float = 40.0
    burst: float = 120.0
    tokens: float = field(default=120.0)
    at: float = 0.0  # seconds on the loop's clock
    refused: int = 0  # frames refused more than accepted

    def take(self, at: float) -> bool:
        """Whether one more frame may be handled now."""
        self.tokens = min(self.burst, self.tokens + (at - self.at) * self.rate)
        self.at = at
        if self.tokens < 1:
            self.refused += 1
            return False
        self.tokens -= 1
        self.refused = max(0, self.refused - 1)
        return True
