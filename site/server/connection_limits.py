"""ASGI middleware that bounds handshakes and sockets, of one visitor and in all.

The counts are of this process. A page holds one socket. When thousands of pages come back at once,
some are served at a time, in the order in which they came, and the others wait for their handshake:
if all were served at once, none would have its game before the last.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from accounts.limits.networks import of_scope
from play.domain.refusals import Reason, Refused
from play.sockets.consumers import POLICY, refuse_socket
from server.flow_control import do_nothing
from server.registry import REFUSED, Quota

MAX_SOCKETS_PER_USER: Final = 50  # tabs
MAX_SOCKETS_PER_NETWORK: Final = 300  # a school class with five tabs each, twice
# Unanswered handshakes; a school class reconnects at once after a restart of the server.
MAX_HANDSHAKES_PER_NETWORK: Final = 200
MAX_HANDSHAKES: Final = 1000
RETRY_AFTER_S: Final = 5
# Handshakes that wait for their refusal, and for how long: browsers do not show scripts the status
# or `retry-after`, so a page that was refused at once would come again within a second.
MAX_HELD: Final = 4000
HOLD_S: Final = (2.0, 4.0)
MAX_SERVED: Final = 60  # pages that have come and wait for their first states
# After which the next page is let in all the same: some subscribe to nothing, or slowly.
MAX_SERVED_S: Final = 0.5


class SocketLimitMiddleware:
    """ASGI middleware that refuses a socket to visitors who hold too many.

    `name` returns the visitor of a scope, or an empty text for one that is not counted. A refused
    socket is opened and closed with a reason, so that the page waits before it reconnects.
    """

    def __init__(self, inner: Any, name: Callable[[Mapping[str, Any]], str], most: int) -> None:
        self._inner = inner
        self._name = name
        self._quota = Quota(most)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the application, or refuse the socket."""
        name = self._name(scope)
        if not self._quota.take(name):
            await receive()
            await send({"type": "websocket.accept"})
            await refuse_socket(send, Refused(Reason.SLOW_DOWN), POLICY)
            return
        try:
            await self._inner(scope, receive, send)
        finally:
            self._quota.give_back(name)


def of_address(inner: Any) -> SocketLimitMiddleware:
    """Bound the sockets of one network, before any query for them."""
    return SocketLimitMiddleware(inner, of_scope, MAX_SOCKETS_PER_NETWORK)


def of_user(inner: Any) -> SocketLimitMiddleware:
    """Bound the sockets of one user; those without a user are bounded by their network."""
    return SocketLimitMiddleware(
        inner, lambda scope: str(scope["user"].pk or ""), MAX_SOCKETS_PER_USER
    )


class AdmissionGate:
    """Lets some pages at a time begin, in the order in which they came.

    Not an `asyncio.Semaphore`: that belongs to one event loop, and the application to its process.
    """

    def __init__(self, most: int = MAX_SERVED) -> None:
        self._free = most
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> Callable[[], None]:
        """Wait for a place; return a function that gives it back, now or after `MAX_SERVED_S`."""
        loop = asyncio.get_running_loop()
        if self._free:
            self._free -= 1
        else:
            turn = loop.create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._pass_on()
                raise
        timer: asyncio.TimerHandle | None = None

        def leave() -> None:
            nonlocal timer
            if timer is not None:
                timer.cancel()
                timer = None
                self._pass_on()

        timer = loop.call_later(MAX_SERVED_S, leave)
        return leave

    def _pass_on(self) -> None:
        """Give a place to the page that has waited longest."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


def bound_handshakes(
    inner: Any, most_of_one: int = MAX_HANDSHAKES_PER_NETWORK, most: int = MAX_HANDSHAKES
) -> Any:
    """Return the ASGI application that lets some handshakes in at a time.

    It refuses one with 503 (403 under servers without ASGI's denial responses) while too many wait
    for their answer, and holds it for a while before. The application calls `served` in the scope
    as soon as a page has its states.
    """
    quota, gate = Quota(most_of_one, most), AdmissionGate()
    held = Quota(most_of_one, MAX_HELD)

    async def bounded(scope: Any, receive: Any, send: Any) -> None:
        name = of_scope(scope)
        if not quota.take(name):
            REFUSED.labels("handshakes").inc()
            await hold_handshake(name, held)
            await refuse_handshake(scope, receive, send)
            return
        is_under_way, leave = True, do_nothing

        async def sending(message: Any) -> None:
            nonlocal is_under_way
            if is_under_way:
                is_under_way = False
                quota.give_back(name)
            await send(message)

        try:
            leave = await gate.enter()
            await inner({**scope, "served": leave}, receive, sending)
        finally:
            leave()
            if is_under_way:
                quota.give_back(name)

    return bounded


async def hold_handshake(name: str, held: Quota) -> None:
    """Wait before a refusal, unless too many handshakes wait for theirs."""
    if not held.take(name):
        return
    try:
        await asyncio.sleep(random.uniform(*HOLD_S))
    finally:
        held.give_back(name)


async def refuse_handshake(scope: Any, receive: Any, send: Any) -> None:
    """Answer a handshake with 503."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close"})
        return
    headers = [(b"retry-after", b"%d" % RETRY_AFTER_S)]
    await send({"type": "websocket.http.response.start", "status": 503, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": b""})
