"""Route HTTP to Django, and WebSockets of the site's own pages to their consumer."""

import logging
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.urls import URLPattern, re_path

from config.server_errors import retryable_sockets
from server.handler import get_application
from server.requests.origins import is_origin
from server.requests.reject_nul import plain_sockets

MAX_ORIGIN_CHARS = 100  # characters of a refused origin that are logged
log = logging.getLogger("quiver.security")
http = get_application()


class Origins(OriginValidator):  # type: ignore[misc]
    """Channels' check of the Origin header, with a log record for each refusal.

    Channels parses the header as a URL, so it accepts user info, a path or a query, and an
    unreadable port is an exception. Here the header has to be an origin as browsers write it.
    """

    def __call__(self, scope: Any, receive: Any, send: Any) -> Awaitable[None]:
        """Refuse the handshake (HTTP 403), or run the application.

        No coroutine: it would stay in memory with each socket.
        """
        headers = [value for name, value in scope["headers"] if name == b"origin"]
        origin = headers[0].decode("latin1") if len(headers) == 1 else ""
        if is_origin(origin) and self.valid_origin(urlsplit(origin)):
            answer: Awaitable[None] = self.application(scope, receive, send)
            return answer
        about = {
            "event": "origin",
            "origin": b", ".join(headers).decode("latin1")[:MAX_ORIGIN_CHARS] or "none",
        }
        log.warning("a socket was refused", extra=about)
        return nowhere(scope, receive, send)


async def nowhere(scope: Any, receive: Any, send: Any) -> None:
    """Refuse a websocket for a path that does not exist (HTTP 403)."""
    await receive()
    await send({"type": "websocket.close"})


def admit_sockets(doors: Callable[[Any], Any], sockets: Any) -> Any:
    """Return the ASGI application of sockets that middleware admits.

    `doors` wraps an application in middleware, which changes the scope or refuses the socket.
    `sockets` runs the admitted ones after the middleware has returned, so that no middleware stays
    in memory while a socket is open, or is called with each frame.
    """

    async def let_in(scope: Any, receive: Any, send: Any) -> None:
        scope.pop("admitted").append(scope)

    inwards = doors(let_in)

    async def admitted(scope: Any, receive: Any, send: Any) -> None:
        known: list[Any] = []
        await inwards({**scope, "admitted": known}, receive, send)
        if known:
            await sockets(known.pop(), receive, send)

    return admitted


def doors(inner: Any) -> Any:
    """Wrap an application in the middleware of sockets: NUL, session and user."""
    from play.sockets.socket_authentication import authenticate_sockets

    return plain_sockets(authenticate_sockets(inner))


@cache
def socket_patterns() -> tuple[URLPattern, ...]:
    """Return the routes of all websockets."""
    from play.routing import websocket_urlpatterns

    return tuple(websocket_urlpatterns)


def protocols() -> ProtocolTypeRouter:
    """Return the site as one ASGI application; origins are read from the settings at the call."""
    from play.sockets.consumers import PageConsumer
    from server.connection_limits import of_address, of_user

    def routed(inner: Any) -> Any:
        routes = [URLPattern(each.pattern, inner) for each in socket_patterns()]
        return doors(URLRouter([*routes, re_path(r"", nowhere)]))  # type: ignore[arg-type]

    counted = of_address(admit_sockets(routed, of_user(PageConsumer.as_asgi())))
    sockets = retryable_sockets(counted)
    return ProtocolTypeRouter({"http": http, "websocket": Origins(sockets, settings.SITE_ORIGINS)})
