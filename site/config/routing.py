"""HTTP to Django, websockets of our own pages to their sockets."""

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.core.asgi import get_asgi_application

http = get_asgi_application()


def protocols() -> ProtocolTypeRouter:
    """The whole site as one ASGI application; origins are read from the settings at the call."""
    from lobby.routing import websocket_urlpatterns as of_lobbies

    from play.routing import websocket_urlpatterns as of_games

    sockets = AuthMiddlewareStack(URLRouter(of_games + of_lobbies))
    return ProtocolTypeRouter(
        {"http": http, "websocket": OriginValidator(sockets, settings.WEBSOCKET_ORIGINS)}
    )
