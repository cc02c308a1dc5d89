"""Daphne with bounded requests and WebSockets, and with an orderly stop."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.tcp import Port
from twisted.logger import globalLogPublisher
from twisted.web.http import HTTPChannel

from accounts.limits import networks
from server.http_limits import (
    BODY_TIMEOUT_S,
    CONNECTION,
    CONNECTIONS,
    HEAD_TIMEOUT_S,
    IDLE,
    MALFORMED,
    MAX_STUDY_BODY_BYTES,
    NO_LENGTH,
    TOO_LARGE,
    TOO_MANY,
    TOO_SLOW,
    is_refused_often,
    note_refusal,
    peer_network,
)
from server.sockets import BoundedSocket

DRAIN_TIMEOUT_S: Final = 10.0  # for pending requests when the server stops
MAX_MESSAGE_BYTES: Final = 64 * 1024  # the site refuses messages over 16 KiB in words
# A page that is cut off counts as silent before a push that waits 20 s for it is dropped. An answer
# has to come before the next ping: Autobahn would close for the first one otherwise.
PING_INTERVAL_S = 15
PING_TIMEOUT_S = 14
log = logging.getLogger("quiver.server")


Channel: Any = HTTPChannel  # Twisted declares types for some of its methods only


class BoundedChannel(Channel):  # type: ignore[misc]
    """One HTTP connection: counted, with a deadline for each request's head and for its body.

    Twisted's own timeout restarts with every byte. The deadline of the first head begins with
    the connection, that of a further one with its first byte. Refusals are logged and limited.
    """

    _network: str | None = None  # set while the connection is counted
    _timer: Any = None
    _is_refused = False
    _is_silent = True  # nothing was received yet

    def connectionMade(self) -> None:
        """Begin, or answer 503 if there are too many connections or refusals."""
        super().connectionMade()
        network = self._peer_network()
        self.requestFactory = BoundedRequest  # Daphne's factory has set its own
        if not is_refused_often(network) and CONNECTIONS.take(network):
            self._network = network
            self._set_deadline(HEAD_TIMEOUT_S, "head")
        else:
            self.refuse(TOO_MANY, CONNECTION)

    def connectionLost(self, reason: Any = None) -> None:
        """Stop counting the connection."""
        self.stop_counting()
        super().connectionLost(reason)

    def stop_counting(self) -> None:
        """Count the connection no longer: it has ended, or has become a WebSocket."""
        self.end_deadline()
        if self._network is not None:
            CONNECTIONS.give_back(self._network)
            self._network = None

    def dataReceived(self, data: bytes) -> None:
        """Parse data; the first of a further request begins a deadline."""
        if self._is_refused:
            return
        self._is_silent = False
        if self._timer is None and not self.requests:
            self._set_deadline(HEAD_TIMEOUT_S, "head")
        try:
            super().dataReceived(data)
        except ValueError:  # a Content-Length with more digits than `int` takes
            self.refuse(MALFORMED, "malformed")

    def lineReceived(self, line: bytes) -> None:
        """Parse a line of a head; refuse folded header lines (obsolete: RFC 9112, section 5.2)."""
        if line[:1] in (b" ", b"\t"):
            self._respondToBadRequestAndDisconnect()
        else:
            super().lineReceived(line)

    def lineLengthExceeded(self, line: bytes) -> None:
        """Refuse a line of a head over 16 KiB, for which Twisted closes without an answer."""
        self._respondToBadRequestAndDisconnect()

    def allHeadersReceived(self) -> None:
        """Begin the deadline of the body, or refuse a body that no route takes before it comes."""
        self.end_deadline()
        if self.length is None:
            self.refuse(NO_LENGTH, "length")
        elif self.length > MAX_STUDY_BODY_BYTES:
            self.refuse(TOO_LARGE, "large")
        else:
            if self.length:
                self._set_deadline(BODY_TIMEOUT_S, "body")
            super().allHeadersReceived()

    def _peer_network(self) -> str:
        return peer_network(getattr(self.transport.getPeer(), "host", None))

    def _set_deadline(self, seconds: float, part: str) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._expire, part)

    def end_deadline(self) -> None:
        """End the deadline of what has come: a head, or a whole request."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self, part: str) -> None:
        self.refuse(TOO_SLOW, IDLE if self._is_silent else part)

    def _respondToBadRequestAndDisconnect(self) -> None:
        """Answer 400. Twisted's own answer has neither a length nor a record in a log."""
        self.refuse(MALFORMED, "malformed")

    def refuse(self, response: bytes, reason: str) -> None:
        """Answer and close; Twisted aborts the connection if the peer does not read that.

        `reason` is a label of the metric of refusals.
        """
        self._is_refused = True
        self.end_deadline()
        note_refusal(reason, int(response[9:12]), self._visitor_network())
        self.transport.write(response)
        self.timeoutConnection()

    def _visitor_network(self) -> str:
        """Return the network of the request that is being read, also behind proxies."""
        return self.requests[-1].visitor_network() if self.requests else self._peer_network()


class BoundedRequest(WebRequest):  # type: ignore[misc]
    """An HTTP request with a bounded body, whose client cannot choose ASGI's root path."""

    def __init__(self, channel: Any, *queued: Any) -> None:
        """Parse no body: Twisted would parse forms in the event loop, a multipart form with nested
        parts in lines x depth, for 66 s of a megabyte. Django parses them, bounded, in a thread."""
        super().__init__(channel, *queued, parsePOSTFormSubmission=False)

    def process(self) -> Any:
        """Handle a complete request, or pass the connection of a WebSocket handshake on.

        The header from which Daphne takes ASGI's root path is removed. `config.asgi` overrides the
        root path as well; but Daphne answers 500 to a value that is not ASCII before the
        application runs.
        """
        self.channel.end_deadline()
        self.requestHeaders.removeHeader(b"daphne-root-path")
        upgrade = self.requestHeaders.getRawHeaders(b"upgrade", [b""])[0]
        if upgrade.lower() == b"websocket":
            # The site has neither, and Daphne answers 500 to a protocol that is not ASCII.
            self.requestHeaders.removeHeader(b"sec-websocket-protocol")
            self.requestHeaders.removeHeader(b"sec-websocket-extensions")
            self.channel.stop_counting()
        return super().process()

    def visitor_network(self) -> str:
        """Return the network of the visitor, also behind proxies."""
        peer = getattr(self.getClientAddress(), "host", None)
        lines = self.requestHeaders.getRawHeaders(b"x-forwarded-for", [])
        return networks.network(peer, b",".join(lines).decode("latin1"))

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        """Answer a request that Daphne refuses, such as one with a bad header name, and log it.

        Daphne's own page names the software.
        """
        note_refusal("malformed" if status == 400 else "error", status, self.visitor_network())
        self.setResponseCode(status, status_text)
        self.setHeader(b"content-length", b"0")
        self.finish()


class BoundedServer(Server):  # type: ignore[misc]
    """Daphne's server with the classes above and an orderly stop.

    `shut_down` is awaited at the stop, while pending requests are answered.
    """

    connections: dict[Any, dict[str, Any]]

    def __init__(
        self, application: Any, shut_down: Callable[[], Awaitable[None]], **options: Any
    ) -> None:
        HTTPFactory.protocol = BoundedChannel
        WebSocketFactory.protocol = BoundedSocket
        self._shut_down = shut_down
        bounds = {
            "ping_interval": PING_INTERVAL_S,
            "ping_timeout": PING_TIMEOUT_S,
            "websocket_max_message_size": MAX_MESSAGE_BYTES,
            "websocket_max_frame_size": MAX_MESSAGE_BYTES,
            "server_name": "",  # no Server header: it would name the software
        }
        super().__init__(bound_sockets(application), **options, **bounds)

    def run(self) -> None:
        """Serve until stopped. Logs failures in Twisted, which Daphne drops."""
        globalLogPublisher.addObserver(log_failure)  # type: ignore[arg-type]
        super().run()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Run the application on a request or a socket."""
        if isinstance(protocol, BoundedSocket):
            scope["socket"] = protocol
        return super().create_application(protocol, scope)

    def kill_all_applications(self) -> Any:
        """Stop in order; Twisted waits for this before it closes the connections."""
        return Deferred.fromFuture(asyncio.ensure_future(self._drain()))

    async def _drain(self) -> None:
        """Accept no new connections, shut down, answer pending requests, and cancel the rest."""
        for reader in reactor.getReaders():  # type: ignore[misc]
            if isinstance(reader, Port):
                reader.stopListening()
        ends = asyncio.gather(self._shut_down(), self._wait_for_requests())
        try:
            await asyncio.wait_for(ends, DRAIN_TIMEOUT_S)
        except TimeoutError:
            log.warning("requests were still pending %d s after the stop", DRAIN_TIMEOUT_S)
        running = [task for _, task in self._running()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _wait_for_requests(self) -> None:
        """Wait until the running requests are answered."""
        requests = [task for of, task in self._running() if isinstance(of, BoundedRequest)]
        await asyncio.gather(*requests, return_exceptions=True)

    def _running(self) -> list[tuple[Any, asyncio.Future[None]]]:
        """Return the running applications; a connection without a request has none."""
        return [
            (protocol, details["application_instance"])
            for protocol, details in self.connections.items()
            if "application_instance" in details and not details["application_instance"].done()
        ]


def bound_sockets(application: Any) -> Any:
    """Return the ASGI application that passes events of a socket through its bounds.

    No coroutine: it would stay in memory with each socket.
    """

    def bounded(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
        socket = scope.pop("socket", None)
        if socket is not None:
            scope["line"] = socket.line
            receive, send = socket.bounded_events(receive, send)
        answer: Awaitable[None] = application(scope, receive, send)
        return answer

    return bounded


def log_failure(event: Mapping[str, Any]) -> None:
    """Log an exception that Twisted has caught; an observer of its log."""
    failure = event.get("log_failure")
    if failure is not None:
        error = (failure.type, failure.value, failure.getTracebackObject())
        log.error("an exception in a connection", exc_info=error, extra={"event": "exception"})
