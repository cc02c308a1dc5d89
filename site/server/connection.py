"""One WebSocket connection with its ASGI application, under any server.

The same class serves under Daphne and uvicorn (`server.daphne`, `server.uvicorn`): both hand it an
asyncio transport and the head of the handshake. `server.peer` has the frames and the bounds.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any, Final

from websockets.http11 import Request, Response
from websockets.protocol import State

from server.flow_control import Event, do_nothing
from server.handshake import BAD_REQUEST, complete_acceptance, denial, websocket_scope
from server.peer import MAX_AGE_S, MAX_MESSAGE_BYTES, NORMAL, PeerConnection
from server.registry import ConnectionRegistry

APPLICATION_TIMEOUT_S: Final = 10.0  # for the application to end after its connection
INTERNAL_ERROR_CODE: Final = 1011  # close code
log = logging.getLogger("quiver.server")


class Connection(PeerConnection):
    """A connection that runs its ASGI application, from the handshake to the end."""

    __slots__ = ("_application", "_denial", "_response", "_task", "when_answered")

    def __init__(
        self,
        application: Any,
        registry: ConnectionRegistry,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
        max_age_s: float = MAX_AGE_S,
    ) -> None:
        super().__init__(registry, max_message_bytes, max_age_s)
        self._application = application
        self._task: asyncio.Task[None] | None = None
        self._response: Response | None = None  # to the handshake, until it is sent
        self._denial: Event | None = None  # the beginning of a denial with a body
        # Called once, when the handshake is answered or held, or the peer has gone.
        self.when_answered: Callable[[], None] = do_nothing

    def _receive_request(self, data: bytes) -> None:
        """Start the application for a handshake, or refuse a malformed one."""
        self._protocol.receive_data(data)
        requests = self._protocol.events_received()
        if not requests:
            if self._protocol.handshake_exc is not None:
                self._is_closing = self._is_discarding = True
                output = self._protocol.data_to_send()
                self._flush(output if any(output) else [BAD_REQUEST, *output])
                self._note_answered()
            return
        self._has_request = True
        request = requests[0]
        assert isinstance(request, Request)
        response = self._protocol.accept(request)
        if response.status_code != 101:
            self._refuse(response)
            return
        self._response = response
        scope = {**websocket_scope(request), **self._addresses()}
        request.headers.clear()  # the parser keeps the request for as long as it lives
        scope |= {"line": self.line, "leave_queue": self._note_answered}
        self._queue.put({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(self._application(scope, self._queue.get, self.send))
        self._task.add_done_callback(self._application_ended)

    def _addresses(self) -> dict[str, Any]:
        assert self._transport is not None
        found = [self._transport.get_extra_info(name) for name in ("peername", "sockname")]
        client, server = [
            (str(each[0]), int(each[1])) if isinstance(each, tuple) else None for each in found
        ]
        is_tls = self._transport.get_extra_info("sslcontext") is not None
        return {"client": client, "server": server, "scheme": "wss" if is_tls else "ws"}

    def connection_lost(self, exc: Exception | None) -> None:
        """End; cancel the application if it does not end by itself."""
        super().connection_lost(exc)
        self._note_answered()
        if self._task is not None and not self._task.done():
            loop, task = asyncio.get_running_loop(), self._task
            timer = loop.call_later(APPLICATION_TIMEOUT_S, _cancel_late, task)
            task.add_done_callback(lambda task: timer.cancel())

    async def send(self, message: Event) -> None:
        """Send an event of the application (ASGI's `send`), as soon as the peer takes data.

        Events after the end are ignored. Raises RuntimeError for one that is not allowed in this
        state.
        """
        if self._is_lost or self._is_closing:
            return
        kind = message["type"]
        is_connecting = self._protocol.state is State.CONNECTING
        if kind == "websocket.send" and not is_connecting:
            await self.writable()
            if self._protocol.state is State.OPEN and not self._is_lost:
                self._send_message(message)
        elif kind == "websocket.close" and not is_connecting:
            self.close(message.get("code") or NORMAL, message.get("reason") or "")
        elif kind == "websocket.accept" and is_connecting:
            self._accept(message)
        elif kind == "websocket.close":
            self._refuse(denial(403, (), b""))
        elif kind == "websocket.http.response.start" and is_connecting:
            self._denial = {**message, "body": b""}
        elif kind == "websocket.http.response.body" and self._denial is not None:
            self._denial["body"] += message.get("body", b"")
            if not message.get("more_body", False):
                about, self._denial = self._denial, None
                self._refuse(denial(about["status"], about.get("headers", ()), about["body"]))
        else:
            raise RuntimeError(f"unexpected ASGI event {kind}")

    def _accept(self, message: Event) -> None:
        assert self._response is not None
        complete_acceptance(self._response, message)
        self._protocol.send_response(self._response)
        self._response = None
        output = self._protocol.data_to_send()
        # Measure the round trip at once: the first action may come soon.
        ping = self._ping_frame(time.monotonic())
        self._flush([*output, ping] if ping else output)
        self._note_answered()
        self._read_on()

    def _refuse(self, response: Response) -> None:
        super()._refuse(response)
        self._note_answered()

    def _note_answered(self) -> None:
        call, self.when_answered = self.when_answered, do_nothing
        call()

    def _send_message(self, message: Event) -> None:
        text = message.get("text")
        if text is not None:
            self._protocol.send_text(text.encode())
        else:
            self._protocol.send_binary(message.get("bytes") or b"")
        self._flush(self._protocol.data_to_send())

    def _application_ended(self, task: "asyncio.Task[None]") -> None:
        """Close the connection if the application left it open; log its exception."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("the application raised", exc_info=error, extra={"event": "exception"})
        if self._is_lost or self._is_closing:
            return
        if self._protocol.state is State.CONNECTING:
            self._refuse(denial(500, (), b"Internal Server Error\n"))
        else:
            self.close(NORMAL if error is None else INTERNAL_ERROR_CODE)

    def cancel(self) -> "asyncio.Task[None] | None":
        """Cancel the application; return its task if it still runs."""
        if self._task is None or self._task.done():
            return None
        self._task.cancel()
        return self._task


def _cancel_late(task: "asyncio.Task[None]") -> None:
    log.warning("cancelled an application %d s after its socket had closed", APPLICATION_TIMEOUT_S)
    task.cancel()
