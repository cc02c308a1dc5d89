"""Echo server that measures the cost of a frame without any processing."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "django.conf.global_settings")

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter


class Echo(AsyncWebsocketConsumer):
    """A consumer of Channels."""

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Sends a frame back."""
        await self.send(text_data, bytes_data)


async def bare(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """An ASGI application and nothing else."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (event := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": event.get("text")})


consumer = ProtocolTypeRouter({"websocket": Echo.as_asgi()})
