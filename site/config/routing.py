"""HTTP to Django, websockets of our own pages to their sockets."""

from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import re_path

from config.plain import plain_sockets

http = get_asgi_application()


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
        {"http": http, "websocket": OriginValidator(sockets, settings.WEBSOCKET_ORIGINS)}
    )
