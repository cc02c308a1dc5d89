"""ASGI middleware that bounds handshakes and sockets, per visitor and in total.

The counts are of this process. A page holds one socket.
"""

import asyncio
import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from accounts.limits.networks import of_scope
from play.domain.refusals import Reason, Refused
from play.sockets.consumers import refuse_socket
from play.sockets.send_queue import POLICY
from server.quotas import REFUSED, Quota

MAX_SOCKETS_PER_USER: Final = 50  # tabs
MAX_SOCKETS_PER_NETWORK: Final = 300  # a school class with five tabs each, twice
# Unanswered handshakes; a school class reconnects at once after a restart of the server.
MAX_HANDSHAKES_PER_NETWORK: Final = 200
MAX_HANDSHAKES: Final = 1000
# Handshakes of the last seconds, answered or not, so that opening and closing sockets in a loop
# costs little.
MAX_RECENT_PER_NETWORK: Final = 400
RECENT_S: Final = 4.0
RETRY_AFTER_S: Final = 5
# Handshakes that wait for their refusal, and for how long: browsers do not show scripts the status
# or `retry-after`, so a page that was refused at once would come again within a second.
MAX_HELD: Final = 1000
HOLD_S: Final = (2.0, 4.0)


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


def bound_handshakes(
    inner: Any, most_of_one: int = MAX_HANDSHAKES_PER_NETWORK, most: int = MAX_HANDSHAKES
) -> Any:
    """Return the ASGI application that bounds handshakes, per network and in total.

    It refuses one with 503 (403 under servers without ASGI's denial responses) while too many wait
    for their answer or too many have come lately, and holds it for a while before.
    """
    quota, recent = Quota(most_of_one, most), Quota(MAX_RECENT_PER_NETWORK)
    held = Quota(most_of_one, MAX_HELD)

    async def bounded(scope: Any, receive: Any, send: Any) -> None:
        name = of_scope(scope)
        if not take_recent(recent, name) or not quota.take(name):
            REFUSED.labels("handshakes").inc()
            await hold_handshake(name, held)
            await refuse_handshake(scope, receive, send)
            return
        is_under_way = True

        async def sending(message: Any) -> None:
            nonlocal is_under_way
            if is_under_way:
                is_under_way = False
                quota.give_back(name)
            await send(message)

        try:
            await inner(scope, receive, sending)
        finally:
            if is_under_way:
                quota.give_back(name)

    return bounded


def take_recent(recent: Quota, name: str) -> bool:
    """Count a handshake of a network for `RECENT_S`; return whether it was counted."""
    if not name:
        return True
    if not recent.take(name):
        return False
    asyncio.get_running_loop().call_later(RECENT_S, recent.give_back, name)
    return True


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
