"""Begin WebSocket handshakes a few at a time, so that requests are answered in between.

When thousands of pages come back at once, the listening socket is emptied first, because requests
wait in it behind them; then their handshakes begin in order of arrival.
"""

import asyncio
import random
import socket
from collections import deque
from collections.abc import Callable
from typing import Final, TypeAlias

from server.http_limits import max_connections
from server.registry import REFUSED, REQUESTS, Quota

MAX_BEGUN_PER_ROUND: Final = 8  # handshakes that begin in one iteration of the event loop
MAX_VISITED_PER_ROUND: Final = 50  # including those whose peers have left (24 us of CPU time each)
REQUEST_DELAY_S: Final = 0.005  # between two that begin while HTTP requests are answered
MAX_UNDER_WAY: Final = 100  # that have begun and are not answered yet
MAX_UNDER_WAY_S: Final = 1.0  # after which one that waits for a database no longer blocks others
# Handshakes that have not begun; a school class reconnects at once after a restart of the server.
MAX_WAITING_PER_NETWORK: Final = 200
MAX_WAITING: Final = 6000
# Handshakes that wait for their refusal, and for how long: browsers do not show scripts the status
# or `retry-after`, so a page that was refused at once would come again within a second.
MAX_HELD: Final = 1000
HOLD_S: Final = (2.0, 4.0)

# A function that begins a handshake and returns whether it did: its peer may have left. The
# argument is a function to call when the handshake is answered; a second call does nothing.
Begin: TypeAlias = Callable[[Callable[[], None]], bool]


class HandshakeQueue:
    """The handshakes of one event loop whose heads were read, in order of arrival."""

    def __init__(self, most: int = MAX_UNDER_WAY) -> None:
        self._most = most
        self._waiting: deque[Begin] = deque()
        self._under_way = 0
        self._is_scheduled = False

    def put(self, begin: Begin) -> None:
        """Call `begin` in its turn. After `MAX_UNDER_WAY_S` it no longer blocks others."""
        self._waiting.append(begin)
        self._schedule()

    def _schedule(self) -> None:
        if self._waiting and not self._is_scheduled and self._under_way < self._most:
            self._is_scheduled = True
            loop = asyncio.get_running_loop()
            if REQUESTS.count:
                loop.call_later(REQUEST_DELAY_S, self._begin_some, 1)
            else:
                loop.call_soon(self._begin_some, MAX_BEGUN_PER_ROUND)

    def _begin_some(self, most: int) -> None:
        """Begin up to `most`; those whose peers have left do not count."""
        begun = 0
        try:
            for _ in range(min(MAX_VISITED_PER_ROUND, len(self._waiting))):
                if begun >= most or self._under_way >= self._most:
                    return
                begun += self._begin(self._waiting.popleft())
        finally:
            self._is_scheduled = False
            self._schedule()

    def _begin(self, begin: Begin) -> bool:
        is_under_way = True
        self._under_way += 1

        def end() -> None:
            nonlocal is_under_way
            if is_under_way:
                is_under_way = False
                timer.cancel()
                self._under_way -= 1
                self._schedule()

        timer = asyncio.get_running_loop().call_later(MAX_UNDER_WAY_S, end)
        has_begun = begin(end)
        if not has_begun:
            end()
        return has_begun


class HandshakeLimits:
    """Bounds of the handshakes of this process that have not begun yet, by network and in total.

    Each has an open file, and most are not counted as HTTP connections any more. By default HTTP
    connections and these together leave a sixteenth of the files that this process may open.
    """

    def __init__(self, most_of_one: int = MAX_WAITING_PER_NETWORK, most: int | None = None) -> None:
        most = most or min(MAX_WAITING, max_connections() * 3 // 4)
        self._waiting = Quota(most_of_one, most)
        self._held = Quota(most_of_one, min(MAX_HELD, most // 6))

    def take(self, network: str) -> bool:
        """Count one more handshake, unless there are too many; return whether it was counted."""
        if self._waiting.take(network):
            return True
        REFUSED.labels("handshakes").inc()
        return False

    def give_back(self, network: str) -> None:
        """Count one less."""
        self._waiting.give_back(network)

    def hold(self, network: str, refuse: Callable[[], None]) -> None:
        """Call `refuse` after a while, or at once if too many handshakes wait for that."""
        if not self._held.take(network):
            refuse()
            return

        def end() -> None:
            self._held.give_back(network)
            refuse()

        asyncio.get_running_loop().call_later(random.uniform(*HOLD_S), end)


def has_left(peer: socket.socket) -> bool:
    """Whether the peer of a connected socket, which does not block, has closed it."""
    try:
        return not peer.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
