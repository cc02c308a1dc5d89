"""HTTP to Django, websockets of our own pages to their sockets."""

import logging
from collections.abc import Callable
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import re_path

from config.plain import plain_sockets
from config.unavailable import retryable_sockets

log = logging.getLogger("quiver.security")
http = get_asgi_application()


class Origins(OriginValidator):
    """Channels' check of where a socket's page comes from; a refusal is logged."""

    def valid_origin(self, parsed_origin: Any) -> bool:
        """Whether the origin is one of ours."""
        if super().valid_origin(parsed_origin):
            return True
        origin = parsed_origin.geturl() if parsed_origin else "none"
        log.warning("a socket was refused", extra={"event": "origin", "origin": origin})
        return False


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


def protocols() -> ProtocolTypeRouter:
    """The whole site as one ASGI application; origins are read from the settings at the call."""
    from config.crowding import of_address, of_user
    from lobby.routing import websocket_urlpatterns as of_lobbies
    from pages.routing import websocket_urlpatterns as of_pages
    from play.routing import websocket_urlpatterns as of_games
    from talk.routing import websocket_urlpatterns as of_talk

    nowhere_else = [re_path(r"", nowhere)]
    ours = [*of_games, *of_lobbies, *of_pages, *of_talk]
    inner = of_address(admitting(doors, of_user(URLRouter([*ours, *nowhere_else]))))
    sockets = retryable_sockets(inner)
    return ProtocolTypeRouter({"http": http, "websocket": Origins(sockets, settings.SITE_ORIGINS)})
