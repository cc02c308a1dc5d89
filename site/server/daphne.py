"""Daphne with bounded requests and WebSockets, and with an orderly stop."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from autobahn.exception import Disconnected
from daphne import http_protocol
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory
from twisted.internet import reactor
from twisted.logger import globalLogPublisher
from twisted.web.http import HTTPChannel

from accounts.limits import networks
from server.http_limits import (
    BODY_TIMEOUT_S,
    CONNECTIONS,
    HEAD_TIMEOUT_S,
    MALFORMED,
    MAX_STUDY_BODY_BYTES,
    NO_LENGTH,
    TOO_LARGE,
    TOO_MANY,
    TOO_SLOW,
    peer_network,
)
from server.listening_sockets import BACKLOG
from server.refusals import CONNECTION, IDLE, REFUSALS
from server.service_manager import STOPPING, notify
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
        if not REFUSALS.is_limited(network) and CONNECTIONS.take(network):
            self._network = network
            self._set_deadline(HEAD_TIMEOUT_S, "head")
        else:
            self._refuse(TOO_MANY, CONNECTION)

    def connectionLost(self, reason: Any = None) -> None:
        """Stop counting the connection."""
        self.stop_counting()
        super().connectionLost(reason)

    def stop_counting(self) -> None:
        """Count the connection no longer: it has ended, or has become a WebSocket."""
        self._end_deadline()
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
        super().dataReceived(data)

    def lineReceived(self, line: bytes) -> None:
        """Parse a line of a head; refuse folded header lines (obsolete: RFC 9112, section 5.2)."""
        if line[:1] in (b" ", b"\t"):
            self._respondToBadRequestAndDisconnect()
        else:
            super().lineReceived(line)

    def lineLengthExceeded(self, line: bytes) -> None:
        """Refuse a line of a head over 16 KiB, for which Twisted closes without an answer."""
        self._respondToBadRequestAndDisconnect()

    def headerReceived(self, line: bytes) -> bool:
        """Store a header and return whether it is well-formed."""
        try:
            return bool(super().headerReceived(line))
        except ValueError:  # a Content-Length with more digits than `int` takes
            self._respondToBadRequestAndDisconnect()
            return False

    def allHeadersReceived(self) -> None:
        """Begin the deadline of the body, or refuse a body that no route takes before it comes."""
        self._end_deadline()
        if self.length is None:
            self._refuse(NO_LENGTH, "length")
        elif self.length > MAX_STUDY_BODY_BYTES:
            self._refuse(TOO_LARGE, "large")
        else:
            if self.length:
                self._set_deadline(BODY_TIMEOUT_S, "body")
            super().allHeadersReceived()

    def allContentReceived(self) -> None:
        """Handle a complete request."""
        self._end_deadline()
        super().allContentReceived()

    def _peer_network(self) -> str:
        return peer_network(getattr(self.transport.getPeer(), "host", None))

    def _set_deadline(self, seconds: float, part: str) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._expire, part)

    def _end_deadline(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self, part: str) -> None:
        self._refuse(TOO_SLOW, IDLE if self._is_silent else part)

    def _respondToBadRequestAndDisconnect(self) -> None:
        """Answer 400. Twisted's own answer has neither a length nor a record in a log."""
        self._refuse(MALFORMED, "malformed")

    def _refuse(self, response: bytes, reason: str) -> None:
        """Answer and close; Twisted aborts the connection if the peer does not read that.

        `reason` is a label of the metric of refusals.
        """
        self._is_refused = True
        self._end_deadline()
        REFUSALS.note(reason, int(response[9:12]), self._visitor_network())
        self.transport.write(response)
        self.timeoutConnection()

    def _visitor_network(self) -> str:
        """Return the network of the request that is being read, also behind proxies."""
        return self.requests[-1].visitor_network() if self.requests else self._peer_network()


class BoundedRequest(WebRequest):  # type: ignore[misc]
    """An HTTP request with a bounded body, whose client cannot choose ASGI's root path."""

    # Of Daphne's own refusals, such as of a bad header name; its page names the software.
    error_template = "<!doctype html><title>%(title)s</title><h1>%(title)s</h1><p>%(body)s</p>\n"

    def __init__(self, channel: Any, *queued: Any) -> None:
        """Parse no body: Twisted would parse forms in the event loop, a multipart form with nested
        parts in lines x depth, for 66 s of a megabyte. Django parses them, bounded, in a thread."""
        super().__init__(channel, *queued, parsePOSTFormSubmission=False)

    def process(self) -> Any:
        """Handle a request, or pass the connection of a WebSocket handshake on to `BoundedSocket`.

        The header from which Daphne takes ASGI's root path is removed. `config.asgi` overrides the
        root path as well; but Daphne answers 500 to a value that is not ASCII before the
        application runs.
        """
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
        peer = getattr(self.client, "host", None)
        lines = self.requestHeaders.getRawHeaders(b"x-forwarded-for", [])
        return networks.network(peer, b",".join(lines).decode("latin1"))

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        """Answer a request that Daphne refuses, such as one with a bad header name, and log it."""
        REFUSALS.note("malformed" if status == 400 else "error", status, self.visitor_network())
        super().basic_error(status, status_text, body)


class BoundedServer(Server):  # type: ignore[misc]
    """Daphne's server with the classes above and an orderly stop."""

    connections: dict[Any, dict[str, Any]]
    on_started: Callable[[], None] = staticmethod(lambda: None)  # called in the event loop
    on_stopped: Callable[[], None] = staticmethod(lambda: None)  # called when it has served

    def __init__(self, application: Any, *args: Any, **kwargs: Any) -> None:
        http_protocol.WebRequest = BoundedRequest
        HTTPFactory.protocol = BoundedChannel
        WebSocketFactory.protocol = BoundedSocket
        self._ports: list[Any] = []
        warn_of_access_log(kwargs.pop("action_logger", None))
        kwargs["server_name"] = ""  # no Server header: it would name the software
        kwargs |= {"ping_interval": PING_INTERVAL_S, "ping_timeout": PING_TIMEOUT_S}
        for option in ("websocket_max_message_size", "websocket_max_frame_size"):
            kwargs[option] = min(kwargs.get(option, MAX_MESSAGE_BYTES), MAX_MESSAGE_BYTES)
        kwargs["endpoints"] = [with_backlog(each) for each in kwargs.get("endpoints") or []]
        super().__init__(application, *args, **kwargs)

    def run(self) -> None:
        """Serve until stopped. Logs failures in Twisted, which Daphne drops."""
        globalLogPublisher.addObserver(log_failure)  # type: ignore[arg-type]
        # Callbacks of "when running" come before the event loop runs; those of a timer, after.
        reactor.callLater(0, self.on_started)  # type: ignore[arg-type]
        super().run()
        self.on_stopped()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Run the application on a request or a socket; `line` measures the socket's connection."""
        if isinstance(protocol, BoundedSocket):
            scope["line"] = protocol.line
        return super().create_application(protocol, scope)

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Pass on what the application sends, a frame as soon as the peer takes data."""
        if isinstance(protocol, BoundedSocket):
            if message["type"] == "websocket.send":
                await protocol.peer_reads.may_send.wait()
            protocol.note_taken()
        with suppress(Disconnected):  # the peer is leaving; nothing is sent to one that has left
            await super().handle_reply(protocol, message)

    def listen_success(self, port: Any) -> None:
        """Remember the port, to close it before the connections."""
        self._ports.append(port)
        super().listen_success(port)

    async def drain(self, shut_down: Callable[[], Awaitable[None]]) -> None:
        """Accept no new connections, call `shut_down`, and answer the pending requests."""
        notify(STOPPING)
        for port in self._ports:
            port.stopListening()
        ends = asyncio.gather(shut_down(), self._wait_for_requests())
        try:
            await asyncio.wait_for(ends, DRAIN_TIMEOUT_S)
        except TimeoutError:
            log.warning("requests were still pending %d s after the stop", DRAIN_TIMEOUT_S)

    async def _wait_for_requests(self) -> None:
        while self.is_answering():  # noqa: ASYNC110 - Daphne has no event for the end of one
            await asyncio.sleep(0.02)

    def is_answering(self) -> bool:
        """Whether any request is still pending."""
        return any(
            not details["application_instance"].done()
            for protocol, details in self.connections.items()
            if isinstance(protocol, BoundedRequest) and "application_instance" in details
        )

    def kill_all_applications(self) -> Any:
        """Cancel all running applications. Connections without a request run none."""
        notify(STOPPING)
        self.connections = {
            protocol: details
            for protocol, details in self.connections.items()
            if "application_instance" in details
        }
        return super().kill_all_applications()


def with_backlog(endpoint: str) -> str:
    """Return Twisted's description of an endpoint, with our backlog if it opens a TCP socket."""
    is_opened = endpoint.startswith("tcp:") and ":backlog=" not in endpoint
    return f"{endpoint}:backlog={BACKLOG}" if is_opened else endpoint


def warn_of_access_log(action_logger: Any) -> None:
    """Warn that Daphne's --access-log is ignored: its lines hold keys of private games and tokens
    from mails. `server.access_log` replaces it."""
    stream = getattr(action_logger, "stream", sys.stdout)
    if stream is not sys.stdout:  # not the default of Daphne's command line
        log.warning("Daphne's --access-log is ignored: its lines hold keys of private games")


def log_failure(event: Mapping[str, Any]) -> None:
    """Log an exception that Twisted has caught; an observer of its log."""
    failure = event.get("log_failure")
    if failure is not None:
        error = (failure.type, failure.value, failure.getTracebackObject())
        log.error("an exception in a connection", exc_info=error, extra={"event": "exception"})
