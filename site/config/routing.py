"""HTTP to Django, websockets of our own pages to their sockets."""

import logging
from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.urls import URLPattern, re_path

from accounts.addresses import of_scope
from config.access_log import socket_route
from config.handler import get_application
from config.origins import is_origin
from config.plain import plain_sockets
from config.request_context import UNKNOWN
from config.unavailable import retryable_sockets

MAX_ORIGIN_CHARS = 100  # characters of a refused origin that are logged
log = logging.getLogger("quiver.security")
http = get_application()


class Origins(OriginValidator):  # type: ignore[misc]
    """Channels' check of where a socket's page comes from; a refusal is logged.

    Channels parses the header as a URL, so it accepts user info, a path or a query, and an
    unreadable port is an exception. Here the header has to be an origin as browsers write it.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Refuse the handshake (HTTP 403), or run the application."""
        headers = [value for name, value in scope["headers"] if name == b"origin"]
        origin = headers[0].decode("latin1") if len(headers) == 1 else ""
        if is_origin(origin) and self.valid_origin(urlsplit(origin)):
            await self.application(scope, receive, send)
            return
        about = {
            "event": "origin",
            "origin": b", ".join(headers).decode("latin1")[:MAX_ORIGIN_CHARS] or "none",
            "network": of_scope(scope) or UNKNOWN,
            "route": socket_route(scope, socket_patterns()),
        }
        log.warning("a socket was refused", extra=about)
        await nowhere(scope, receive, send)


async def nowhere(scope: Any, receive: Any, send: Any) -> None:
    """Turns away a websocket for an address that does not exist (HTTP 403)."""
    await receive()
    await send({"type": "websocket.close"})


def admitting(doors: Callable[[Any], Any], sockets: Any) -> Any:
    """The ASGI application of sockets to which one comes through doors.

    `doors` puts middleware before an application, which looks at a scope or turns it away. What
    it lets in is run by `sockets` after it has returned: nothing of it stays in memory for as long
    as a socket is open, or is called with each frame.
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
    """What looks at a socket before it is let in: its address, revocations, session and user."""
    from play.consumers import noting

    return plain_sockets(noting(AuthMiddlewareStack(inner)))


@cache
def socket_patterns() -> tuple[URLPattern, ...]:
    """Return the routes of all websockets."""
    from lobby.routing import websocket_urlpatterns as of_lobbies
    from pages.routing import websocket_urlpatterns as of_pages
    from play.routing import websocket_urlpatterns as of_games
    from talk.routing import websocket_urlpatterns as of_talk

    return (*of_games, *of_lobbies, *of_pages, *of_talk)


def protocols() -> ProtocolTypeRouter:
    """The whole site as one ASGI application; origins are read from the settings at the call."""
    from config.crowding import of_address, of_user

    routes = [*socket_patterns(), re_path(r"", nowhere)]
    sockets = retryable_sockets(of_address(admitting(doors, of_user(URLRouter(routes)))))
    return ProtocolTypeRouter({"http": http, "websocket": Origins(sockets, settings.SITE_ORIGINS)})
