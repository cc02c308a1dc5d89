"""Daphne's connections with bounds on what a client sends and on what it does not read.

Daphne queues the frames of a client without a limit, and a websocket's `send` never waits; so one
that floods, or asks for states and reads none, would fill the memory. And the body of a request is
taken in as a whole before anybody looks at it, so one would fill the disk.
"""

import time
from typing import Any

from daphne import http_protocol
from daphne.http_protocol import WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from config.incoming import BINARY, CLOSE, PING, PONG, Frames, Message, Piece, TooLarge, Violation
from config.lines import STALL, Inlet, Outlet, Pings, Unsent
from play.line import Line
from play.mailbox import Bucket
from play.meters import EVICTIONS, UNSENT

MOST_UNSENT = 1024 * 1024  # bytes
MOST_BODY = 1024 * 1024  # bytes; nobody sends files here
MESSAGE_TIME = 20.0  # seconds that a message in fragments may take
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
GOING, POLICY, TOO_BIG = 1000, 1008, 1009  # close codes


class BoundedProtocol(WebSocketProtocol):  # type: ignore[misc]
    """One websocket: measured by pings, read no faster than it is handled, cut when it is deaf."""

    def connectionMade(self) -> None:
        """Takes the transport over from the HTTP request that asked for the upgrade."""
        self.line = Line()
        self.inlet = Inlet(self._read_on)
        self.outlet = Outlet(self.write)
        self._frames = Frames(self.factory.maxMessagePayloadSize)
        self._pings, self._unsent = Pings(), Unsent()
        self._small = Bucket(rate=50, burst=300, tokens=300)  # for pings, pongs and fragments
        self._small.at = self._opened = self._looked = time.monotonic()
        self._began: float | None = None  # when the message began that is not complete yet
        self.transport.unregisterProducer()
        self.transport.registerProducer(self.outlet, True)
        super().connectionMade()

    def connectionLost(self, reason: Any = None) -> None:
        """Lets go whoever waits to write."""
        self.outlet.resumeProducing()
        super().connectionLost(reason)
        self._untie()

    def _untie(self) -> None:
        """Cuts what leads from a closed connection back to itself: all of it goes at once then, and
        does not wait for the next search for garbage."""
        self.inlet.leave()
        self.outlet.leave()
        self.is_open = self.is_closed = None  # Autobahn’s, resolved by now

    def onOpen(self) -> None:
        """Measures at once: the first action may come soon."""
        super().onOpen()
        self._forget_handshake()
        self._ping(time.monotonic())

    def _forget_handshake(self) -> None:
        """Drops what Autobahn keeps of each connection and nobody asks for any more."""
        self.http_request_data = self.http_headers = self.http_request_params = None
        self.utf8validator = None  # of its own reading
        self.send_queue = ()  # of what is sent in small pieces: nothing is

    def dataReceived(self, data: bytes) -> None:
        """Takes what has come; after the handshake without Autobahn, which would count and log."""
        if self.state != self.STATE_OPEN:
            self._dataReceived(data)
            return
        self.data += data
        while self.processData() and self.state != self.STATE_CLOSED:
            pass

    def processData(self) -> bool:
        """Reads one frame, unless enough wait for the handler; whether there may be another."""
        if self.failedByMe:
            self.data = b""
        if self.failedByMe or self.inlet.is_shut:
            return False
        if self.data:
            self._frames.feed(self.data)
            self.data = b""
        try:
            piece = self._frames.next()
        except TooLarge:
            self._evict("too-large", TOO_BIG)
            return False
        except Violation as error:
            self._protocol_violation(str(error))
            return False
        if piece is None:
            return False
        if piece.is_small:
            self._count(piece)
        if piece.opcode > BINARY:
            CONTROL[piece.opcode](self, piece.payload)
        elif message := self._frames.complete(piece):
            self._hand_on(message)
        return True

    def _count(self, piece: Piece) -> None:
        """Counts the frames that are no whole message; too many of them are cut."""
        at = time.monotonic()
        if piece.opcode <= BINARY and self._began is None:
            self._began = at
        if not self._small.take(at):
            self._evict("flood", POLICY)

    def _hand_on(self, message: Message) -> None:
        self._began = None
        if self.muted or self.state != self.STATE_OPEN:
            return
        try:
            said = message.payload if message.is_binary else message.payload.decode()
        except UnicodeDecodeError as error:
            self._invalid_payload(str(error))
            return
        kind = "bytes" if message.is_binary else "text"
        self.inlet.put_nowait({"type": "websocket.receive", kind: said})
        if self.inlet.is_shut:
            self._pings.forget()
            self.transport.pauseProducing()

    def _close_frame(self, payload: bytes) -> None:
        code = int.from_bytes(payload[:2]) if payload else None
        self.onCloseFrame(code, payload[2:] or None)

    def onPong(self, payload: bytes) -> None:
        """The answer to one of our pings."""
        self._pings.answered(payload, time.monotonic())
        self.line.round_trip = self._pings.round_trip

    def serverSend(self, content: Any, binary: bool = False) -> None:
        """Sends a frame, or gives the client up."""
        if self.transport is not None and unsent(self.transport) > MOST_UNSENT:
            self._cut("unsent")
            return
        super().serverSend(content, binary)

    def write(self, frames: bytes) -> None:
        """Sends whole frames as they are, at once as far as the other end takes them."""
        if self.state != self.STATE_OPEN:
            return
        self.trafficStats.outgoingOctetsWireLevel += len(frames)
        taken = 0 if unsent(self.transport) else self.transport.writeSomeData(frames)
        if taken != len(frames):
            # What is no number is an error, which the transport will meet again.
            self.transport.write(frames[taken:] if isinstance(taken, int) else frames)

    def serverClose(self, code: int | None = None) -> None:
        """Closes with any code of RFC 6455: Autobahn's own `sendClose` would refuse 1008 or 1012.

        What was still to be read goes unread, so that the answer to this close is seen.
        """
        self.sendCloseFrame(code=code or GOING)
        self._read_on()

    def check_timeouts(self) -> None:
        """Called every two seconds."""
        at = time.monotonic()
        stood_still, self._looked = at - self._looked > STALL, at
        age = at - self._opened
        if self.state == self.STATE_CONNECTING:
            if age > self.server.websocket_connect_timeout:
                self.serverReject()
        elif self.transport is not None:
            if stood_still:
                self._pings.forget()
                self._unsent.forget()
            if 0 <= self.server.websocket_timeout < age:
                self.serverClose()
            self._look(at)

    def _look(self, at: float) -> None:
        self.line.unsent = unsent(self.transport)
        UNSENT.saw(self.line.unsent)
        written = self.trafficStats.outgoingOctetsWireLevel
        if self._unsent.is_stuck(written, self.line.unsent, at):
            self._cut("stuck")
        elif self._pings.is_overdue(at):
            self._cut("silent")
        elif self._began is not None and at - self._began > MESSAGE_TIME:
            self._evict("fragments", POLICY)
        else:
            self._ping(at)

    def _ping(self, at: float) -> None:
        if self.state == self.STATE_OPEN and not self.inlet.is_shut:
            payload = self._pings.due(at)
            if payload:
                self.write(bytes((0x80 | PING, len(payload))) + payload)

    def _read_on(self) -> None:
        """Reads again what had to wait; from the event loop."""
        self.inlet.is_shut = False
        if self.state == self.STATE_CLOSED or self.transport is None:
            return
        self.consumeData()
        if not self.inlet.is_shut:
            self.transport.resumeProducing()

    def _evict(self, why: str, code: int) -> None:
        """Closes with a code; whatever still comes in is thrown away until the line is gone."""
        if not self.failedByMe:
            EVICTIONS.labels(why).inc()
            self.failedByMe = True
            self.sendCloseFrame(code=code)

    def _cut(self, why: str) -> None:
        """Drops the line at once: the other end would not read a close frame either."""
        EVICTIONS.labels(why).inc()
        self.transport.abortConnection()


CONTROL = {
    CLOSE: BoundedProtocol._close_frame,
    PING: BoundedProtocol.onPing,
    PONG: BoundedProtocol.onPong,
}


class BoundedRequest(WebRequest):  # type: ignore[misc]
    """An HTTP request with a bounded body, whose client cannot choose ASGI's root path."""

    # Of Daphne's own refusals, such as of a bad header name; its page names the software.
    error_template = "<!doctype html><title>%(title)s</title><h1>%(title)s</h1><p>%(body)s</p>\n"

    def process(self) -> Any:
        """Removes the header from which Daphne takes ASGI's root path, and handles the request.

        `config.asgi` overrides the root path as well; but Daphne answers 500 to a value that is not
        ASCII before the application runs. A WebSocket handshake is built from the same headers.
        """
        self.requestHeaders.removeHeader(b"daphne-root-path")
        return super().process()

    def handleContentChunk(self, data: bytes) -> None:
        """Keeps a part of the body, or says that it is too large and hangs up."""
        if self.content.tell() + len(data) > MOST_BODY:
            self.channel.transport.write(TOO_LARGE)
            self.channel.loseConnection()
            return
        super().handleContentChunk(data)


def unsent(transport: Any) -> int:
    """Bytes that a Twisted transport holds because the other end does not take them.

    Twisted has no public name for it: these are the buffers of its `FileDescriptor`.
    """
    return int(transport._tempDataLen + len(transport.dataBuffer) - transport.offset)


def bind() -> None:
    """Bounds every connection of this process; call it before the server runs."""
    WebSocketFactory.protocol = BoundedProtocol
    http_protocol.WebRequest = BoundedRequest
