"""HTTP to Django, websockets of our own pages to their sockets."""

import logging
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import re_path

from config.plain import plain_sockets

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


def protocols() -> ProtocolTypeRouter:
    """The whole site as one ASGI application; origins are read from the settings at the call."""
    from config.crowding import of_address, of_user
    from lobby.routing import websocket_urlpatterns as of_lobbies
    from pages.routing import websocket_urlpatterns as of_pages
    from play.consumers import noting
    from play.routing import websocket_urlpatterns as of_games
    from talk.routing import websocket_urlpatterns as of_talk

    nowhere_else = [re_path(r"", nowhere)]
    ours = [*of_games, *of_lobbies, *of_pages, *of_talk]
    known = AuthMiddlewareStack(of_user(URLRouter([*ours, *nowhere_else])))
    sockets = plain_sockets(of_address(noting(known)))
    return ProtocolTypeRouter(
        {"http": http, "websocket": Origins(sockets, settings.WEBSOCKET_ORIGINS)}
    )
