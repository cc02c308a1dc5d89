"""What waits to be written to one socket, bounded, and how fast the socket may speak."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from weakref import WeakSet

from play.frames import Frame
from play.outlets import Outlet, Send, Sending, nobody
from play.permit import Permit
from play.postman import postman

MOST_REPLIES = 128
SIGNED_OUT = 4401  # close code: the session that opened the socket has ended
RESTART = 1012  # close code: the service restarts
LATEST = 20.0  # seconds in which a page that speaks has to have taken something newer


class Mailbox:
    """Replies in their order, and the newest whole state; an older unsent state is dropped.

    `send` is the socket's own way to close it; frames leave by the `outlet`, if it has a better
    one.
    """

    def __init__(
        self, send: Send, audience: str, permit: Permit, outlet: Outlet | None = None
    ) -> None:
        self.audience = audience
        self.permit = permit
        self.is_over = False  # it is being closed: nothing that still comes in is handled
        self.is_deaf = False  # the other end does not take what is sent
        self._loop = asyncio.get_running_loop()
        self._postman = postman()
        self._send = send
        self._outlet = outlet or Sending(send)
        self._outlet.when_open = self.empty
        self._replies: list[Frame] = []
        self._state: Frame | None = None
        self._is_called_for = False  # it will be emptied soon
        self._behind: tuple[object, float] | None = None  # the old rev it has, and since when
        with LIST:
            OPEN.add(self)

    def post(self, frame: Frame) -> None:
        """Adds a reply; a socket that lets too many of them wait is given up."""
        if len(self._replies) >= MOST_REPLIES:
            self.is_deaf = True
            return
        self._replies.append(frame)
        self._fill()

    def show(self, frame: Frame) -> None:
        """Replaces the state that waits to be sent."""
        self._state = frame
        self._fill()

    def _fill(self) -> None:
        if not self._is_called_for:
            self._is_called_for = True
            self._postman.call(self)

    def empty(self) -> None:
        """Sends what waits; if the other end takes nothing now, that is done when it does."""
        self._is_called_for = False
        if not self._outlet.is_open:
            return
        frames, self._replies = self._replies, []
        if self._state is not None:
            frames.append(self._state)
            self._state = None
        if frames:
            self._outlet.write(frames)

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

    async def say_bye(self, retry: int) -> None:
        """Tells the page that the server goes away, and to come back after `retry` ms."""
        bye = f'{{"t":"bye","reason":"restart","retry":{retry}}}'
        await self._send({"type": "websocket.send", "text": bye})
        await self._send({"type": "websocket.close", "code": RESTART})

    def revoke(self) -> None:
        """Cuts the socket off, because its session has ended; from any thread."""
        self.is_over = True
        self._loop.call_soon_threadsafe(self.end, SIGNED_OUT)

    def end(self, code: int) -> None:
        """Closes the socket; whoever listens to it hears of that from the server."""
        self.is_over = True
        self._ending = asyncio.ensure_future(self._send({"type": "websocket.close", "code": code}))

    def close(self) -> None:
        """Stops sending; what still waits is dropped."""
        with LIST:
            OPEN.discard(self)
        self._outlet.when_open = nobody
        self._replies, self._state = [], None


class Gate:
    """Whether this process still takes new sockets and frames, and how many it is answering."""

    is_shut = False
    busy = 0

    def answering(self) -> "Gate":
        """Counts a frame as being answered for as long as the block runs that this is `with`."""
        return self

    def __enter__(self) -> None:
        self.busy += 1

    def __exit__(self, *raised: object) -> None:
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
