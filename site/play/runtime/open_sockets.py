"""The open sockets of this process, and the gate that closes at its shutdown.

They are global to the process, not to an event loop: a session is revoked in the thread of a
request, and the metrics are read in a thread of their own.
"""

import asyncio
from collections.abc import Callable
from threading import Lock
from typing import Protocol
from weakref import WeakSet

from play.domain.socket_session import SocketSession


class OpenSocket(Protocol):
    """A socket that can be closed because its session has ended, or because the server stops."""

    permit: SocketSession
    is_over: bool

    def revoke(self) -> None:
        """Close the socket because its session has ended; from any thread."""

    async def say_bye(self) -> None:
        """Tell the page that the server goes away, and close the socket."""


class AcceptingGate:
    """Whether this process accepts new sockets and frames, and how many frames it is answering."""

    is_shut = False
    busy = 0

    def count_answer(self) -> "AcceptingGate":
        """Return a context manager that counts a frame as being answered."""
        return self

    def __enter__(self) -> None:
        self.busy += 1

    def __exit__(self, *raised: object) -> None:
        self.busy -= 1

    async def wait_until_idle(self, seconds: float) -> None:
        """Wait until no frame is being answered, for at most `seconds`."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while self.busy and loop.time() < end:  # noqa: ASYNC110 - one gate for many loops
            await asyncio.sleep(0.01)


ACCEPTING = AcceptingGate()
_lock = Lock()  # held while _open is changed or read
_open: WeakSet[OpenSocket] = WeakSet()


def add_open(socket: OpenSocket) -> None:
    """Add a socket that was opened."""
    with _lock:
        _open.add(socket)


def remove_open(socket: OpenSocket) -> None:
    """Remove a socket that was closed."""
    with _lock:
        _open.discard(socket)


def every_open() -> list[OpenSocket]:
    """Return all open sockets of this process; from any thread."""
    with _lock:
        return list(_open)


def revoke(is_over: Callable[[SocketSession], bool]) -> None:
    """Close every socket of this process whose session `is_over`; from any thread."""
    for socket in every_open():
        if is_over(socket.permit):
            socket.revoke()
