"""uvicorn's protocols, bounded: `uvicorn --http server.uvicorn:Http --ws server.uvicorn:WebSocket`.

WebSockets are served by `server.connection`, as under Daphne. HTTP connections are counted, and
have a deadline for each request's head; `server.http_limits` bounds the bodies.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from accounts.limits.networks import of_scope
from server.connection import Connection
from server.handshake import header_lines
from server.handshake_queue import HandshakeLimits, HandshakeQueue
from server.http_limits import (
    CONNECTIONS,
    HEAD_TIMEOUT_S,
    TOO_MANY,
    TOO_SLOW,
    peer_network,
)
from server.peer import TRY_AGAIN_LATER_CODE
from server.refusals import CONNECTION, IDLE, REFUSALS
from server.registry import ConnectionRegistry

SERVICE_RESTART_CODE = 1012  # close code
# Global: uvicorn creates its protocols without our arguments.
REGISTRY = ConnectionRegistry()
HANDSHAKES = HandshakeQueue()
HANDSHAKE_LIMITS = HandshakeLimits()


class WebSocket(Connection):
    """One WebSocket of uvicorn's."""

    __slots__ = ("_server_state",)

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        super().__init__(config.loaded_app, REGISTRY, max_message_bytes=config.ws_max_size)
        self._server_state = server_state

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport over from the HTTP protocol, which has read the handshake."""
        super().connection_made(transport)
        self._server_state.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End, and deregister from uvicorn, which waits for its connections at its end."""
        super().connection_lost(exc)
        self._server_state.connections.discard(self)

    def _receive_request(self, data: bytes) -> None:
        """Queue the handshake, or refuse it later if too many wait."""
        self._has_request = True  # data that arrives before its turn is kept
        network = of_scope({**self._addresses(), "headers": header_lines(data)})
        if HANDSHAKE_LIMITS.take(network):
            HANDSHAKES.put(partial(self._begin, data, network))
        else:
            HANDSHAKE_LIMITS.hold(network, self._refuse_unless_lost)

    def _refuse_unless_lost(self) -> None:
        if not self._is_lost:
            self.end(TRY_AGAIN_LATER_CODE)

    def _begin(self, data: bytes, network: str, end: Callable[[], None]) -> bool:
        HANDSHAKE_LIMITS.give_back(network)
        if self._is_lost or self._is_closing:  # refused meanwhile, as the queue was slow
            return False
        self.when_answered = end
        super()._receive_request(data)
        if self._task is not None:  # uvicorn waits for it when it ends
            self._server_state.tasks.add(self._task)
            self._task.add_done_callback(self._server_state.tasks.discard)
        return True

    def shutdown(self) -> None:
        """Close, because the server stops."""
        self.end(SERVICE_RESTART_CODE)


class Http(AutoHTTPProtocol):  # type: ignore[valid-type,misc]
    """One HTTP connection of uvicorn's: counted, with a deadline for each request's head.

    The deadline of the first head begins with the connection, that of a further one with its first
    byte.
    """

    _network: str | None = None  # set while the connection is counted
    _timer: asyncio.TimerHandle | None = None
    _is_silent = True  # nothing was received yet
    _cycle: Any = None  # uvicorn's name for the request whose head was read last

    def connection_made(self, transport: Any) -> None:
        """Begin, or answer 503 if there are too many connections."""
        super().connection_made(transport)
        network = peer_network(self.client[0] if self.client else None)
        if not REFUSALS.is_limited(network) and CONNECTIONS.take(network):
            self._network = network
            self._set_deadline()
        else:
            REFUSALS.note(CONNECTION, 503, network)
            transport.write(TOO_MANY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop_counting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse data, and begin a deadline if the head of a request is not complete after it."""
        self._is_silent = False
        super().data_received(data)
        if self.cycle is not self._cycle:
            self._cycle = self.cycle
            self._end_deadline()
        elif self._timer is None and self._network is not None and self._is_idle():
            self._set_deadline()

    def _is_idle(self) -> bool:
        return self.cycle is None or bool(self.cycle.response_complete)

    def handle_websocket_upgrade(self, *event: Any) -> None:
        """Pass the connection on to `WebSocket`."""
        self._stop_counting()
        super().handle_websocket_upgrade(*event)

    def _stop_counting(self) -> None:
        self._end_deadline()
        if self._network is not None:
            CONNECTIONS.give_back(self._network)
            self._network = None

    def _set_deadline(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(HEAD_TIMEOUT_S, self._expire)

    def _end_deadline(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def send_400_response(self, msg: str) -> None:
        """Answer 400 to a malformed request, and log it."""
        REFUSALS.note("malformed", 400, self._network or "")
        super().send_400_response(msg)

    def _expire(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            REFUSALS.note(IDLE if self._is_silent else "head", 408, self._network or "")
            self.transport.write(TOO_SLOW)
            self.transport.close()
