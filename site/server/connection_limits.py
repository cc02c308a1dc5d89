"""ASGI middleware that bounds WebSockets, by network, by user and in total.

A refused socket is opened and closed with a reason, so that its page waits before it reconnects:
browsers show scripts neither the status nor the headers of a refused handshake. The counts are of
this process.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from limits import RateLimitItemPerSecond

from accounts.limits.networks import of_scope
from accounts.refusals import Refused
from play.domain.game_refusals import Reason
from play.sockets.consumers import refuse_socket
from play.sockets.send_queue import POLICY
from server.http_limits import RATES, REFUSED, max_connections
from server.quota import Quota

MAX_SOCKETS_PER_USER: Final = 50  # tabs
MAX_SOCKETS_PER_NETWORK: Final = 300  # a school class with five tabs each, twice
# Handshakes of one network, so that opening and closing sockets in a loop costs little; a school
# class reconnects at once after a restart of the server.
MAX_HANDSHAKES: Final = RateLimitItemPerSecond(400, 4, namespace="handshakes")


class SocketLimitMiddleware:
    """ASGI middleware that refuses a socket to visitors who hold too many or open too many.

    `name` returns the visitor of a scope, or an empty text for one that counts in the total only.
    """

    def __init__(
        self,
        inner: Any,
        name: Callable[[Mapping[str, Any]], str],
        most: int,
        rate: RateLimitItemPerSecond | None = None,
    ) -> None:
        self._inner = inner
        self._name = name
        self._rate = rate
        self.quota = Quota(most, max_connections())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the application, or refuse the socket."""
        name = self._name(scope)
        is_slow = not (self._rate and name) or RATES.hit(self._rate, name)
        if not is_slow or not self.quota.take(name):
            REFUSED.labels("handshakes").inc()
            await receive()
            await send({"type": "websocket.accept"})
            await refuse_socket(send, Refused(Reason.SLOW_DOWN), POLICY)
            return
        try:
            await self._inner(scope, receive, send)
        finally:
            self.quota.give_back(name)


def of_address(inner: Any) -> SocketLimitMiddleware:
    """Bound the sockets and handshakes of one network, before any query for them."""
    return SocketLimitMiddleware(inner, of_scope, MAX_SOCKETS_PER_NETWORK, MAX_HANDSHAKES)


def of_user(inner: Any) -> SocketLimitMiddleware:
    """Bound the sockets of one user; those without a user are bounded by their network."""
    return SocketLimitMiddleware(
        inner, lambda scope: str(scope["user"].pk or ""), MAX_SOCKETS_PER_USER
    )
