"""How many sockets one visitor may hold in this process. A page of a game holds three or four."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from accounts.addresses import of_scope
from play.consumers import POLICY, turn_away
from play.refusals import Reason, Refused

BY_USER = 60  # some fifteen tabs
BY_ADDRESS = 600  # a school class with five tabs each


class Bounded:
    """ASGI middleware: turns away whoever holds too many sockets already.

    `name` tells whose socket it is, empty for those who are not counted. The socket is opened and
    closed with a reason, so that the page waits before it tries again.
    """

    def __init__(self, inner: Any, name: Callable[[Mapping[str, Any]], str], most: int) -> None:
        self._inner = inner
        self._name = name
        self._most = most
        self._held: Counter[str] = Counter()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Lets a socket in, or turns it away."""
        name = self._name(scope)
        if not name:
            await self._inner(scope, receive, send)
            return
        if self._held[name] >= self._most:
            await receive()
            await send({"type": "websocket.accept"})
            await turn_away(send, Refused(Reason.SLOW_DOWN), POLICY)
            return
        self._held[name] += 1
        try:
            await self._inner(scope, receive, send)
        finally:
            self._held[name] -= 1
            self._held += Counter()  # forgets those who hold none


def of_address(inner: Any) -> Bounded:
    """Bounds the sockets of one address; before anything is read for them."""
    return Bounded(inner, of_scope, BY_ADDRESS)


def of_user(inner: Any) -> Bounded:
    """Bounds the sockets of one user; strangers are bounded by their address."""
    return Bounded(inner, lambda scope: str(scope["user"].pk or ""), BY_USER)
