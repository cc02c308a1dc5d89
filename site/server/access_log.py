"""Access log: a record for each HTTP request and for each closed WebSocket.

It is written by the application itself, so it is the same under every server, and it holds no path:
paths hold the keys of private games and lobbies, tokens from mails and names. Instead it holds the
template of the route. Query strings, cookies, referrers and browsers are left out as well. Daphne's
own access log has whole paths.
"""

import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from django.conf import settings
from django.urls import Resolver404, URLPattern, resolve
from structlog.contextvars import bound_contextvars

from accounts.limits.networks import of_scope
from server import health
from telemetry.counters import HTTP_SECONDS

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
ABORTED_STATUS_CODE: Final = 499  # nginx's status for a client that has left before the answer
ID_BYTES: Final = 8  # 64 bits: two requests of a year's log hardly share an id
UNKNOWN: Final = "-"  # in the place of a route or network
STATIC_PATH: Final = f"/{settings.STATIC_URL.strip('/')}/"
ERROR_BODY: Final = b"Something broke on our side. Reference: %s\n"
ERROR_HEADERS: Final = [*health.HEADERS, (b"x-frame-options", b"DENY")]
log = logging.getLogger("quiver.access")
errors = logging.getLogger("quiver.server")
Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class AccessLog:
    """ASGI middleware that logs and measures requests, and logs the application's exceptions.

    It binds the fields of the request, which all records have that are logged meanwhile. The id is
    generated here, never read from a header, so that clients cannot forge log lines. Responses have
    it as `X-Request-ID`, except immutable ones: caches would give it to other requests too. An
    exception of the application becomes a 500 or the close code 1011; servers would log its text,
    which may hold secret values.
    """

    def __init__(self, app: Any, socket_patterns: Iterable[URLPattern] = ()) -> None:
        self._app = app
        self._socket_patterns = tuple(socket_patterns)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a connection of type http or websocket, and log it."""
        began = time.perf_counter()
        is_http = scope["type"] == "http"
        name, route = http_route(scope) if is_http else ("", self._socket_route(scope))
        fields = {
            "request_id": secrets.token_hex(ID_BYTES),
            "method": method_of(scope),
            "route": route,
            "network": of_scope(scope) or UNKNOWN,
        }
        exchange = Exchange(fields["request_id"], is_http, receive, send)
        with bound_contextvars(request=fields):
            try:
                await self._app(scope, exchange.receive, exchange.send)
            except Exception:
                about = {"event": "exception"}
                errors.exception("an exception ended a connection", extra=about)
                await exchange.fail()
            finally:
                seconds = time.perf_counter() - began
                facts = exchange.facts()
                if is_http:
                    status = f"{facts['status'] // 100}xx"
                    HTTP_SECONDS.labels(name, fields["method"], status).observe(seconds)
                if scope["path"] not in health.PATHS or facts["status"] != 200:
                    milliseconds = round(seconds * 1000, 1)
                    log.info(facts["event"], extra={**facts, "duration_ms": milliseconds})
                fields.clear()  # tasks that began during the request keep its context

    def _socket_route(self, scope: Scope) -> str:
        """Return the template of a WebSocket's route, such as `ws/g/<slug>/`, or "-"."""
        path = scope["path"].removeprefix("/")
        found = (str(each.pattern) for each in self._socket_patterns if each.pattern.match(path))
        return readable(next(found, UNKNOWN))


class Exchange:
    """Passes on the messages of a request or WebSocket, and notes what the log needs."""

    __slots__ = (
        "_close_code", "_frames", "_id", "_is_ended", "_is_http", "_receive", "_send", "_status",
    )  # fmt: skip

    def __init__(self, id: str, is_http: bool, receive: Receive, send: Send) -> None:
        self._id = id.encode()
        self._is_http = is_http
        self._receive = receive
        self._send = send
        self._status = 0  # nothing was answered
        self._close_code: int | None = None
        self._frames = 0  # of the client
        self._is_ended = False  # an answer has begun, or the WebSocket is closed

    async def receive(self) -> Message:
        """Return the next message of the server."""
        message = await self._receive()
        match message["type"]:
            case "websocket.receive":
                self._frames += 1
            case "websocket.disconnect" if not self._is_ended:
                self._close_code, self._is_ended = message.get("code"), True
        return message

    async def send(self, message: Message) -> None:
        """Send a message of the application, an answer with the id among its headers."""
        match message["type"]:
            case "http.response.start" | "websocket.http.response.start":
                self._status, self._is_ended = message["status"], True
                headers = list(message.get("headers", ()))
                if self._is_http and not is_immutable(headers):
                    message = {**message, "headers": [*headers, (b"x-request-id", self._id)]}
            case "websocket.accept":
                self._status = 101
            case "websocket.close" if not self._is_ended:
                self._is_ended = True
                if self._status:
                    self._close_code = message.get("code", 1000)
                else:
                    self._status = 403
        await self._send(message)

    async def fail(self) -> None:
        """Answer 500 or close with 1011 (an error of the server), unless it has ended."""
        if self._is_ended:
            return
        if not self._is_http:
            await self.send({"type": "websocket.close", "code": 1011})
            return
        body = ERROR_BODY % self._id
        headers = [*ERROR_HEADERS, (b"content-length", b"%d" % len(body))]
        await self.send({"type": "http.response.start", "status": 500, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})

    def facts(self) -> dict[str, Any]:
        """Return the fields of the log record."""
        facts = {"status": self._status or ABORTED_STATUS_CODE}
        if self._is_http:
            return {"event": "request", **facts}
        return {"event": "socket", **facts, "frames": self._frames, "close_code": self._close_code}


def is_immutable(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether caches may keep a response with these headers for ever (RFC 8246)."""
    return any(
        name.lower() == b"cache-control" and b"immutable" in value for name, value in headers
    )


def http_route(scope: Scope) -> tuple[str, str]:
    """Return the name and the template of an HTTP request's route: `game`, `g/<str:slug>/`.

    They are bounded by the routes of the site: "static" stands for all static files, "-" for a path
    without a route.
    """
    path: str = scope["path"]
    if path in health.PATHS:
        return path[1:], path[1:]
    if path.startswith(STATIC_PATH):
        return "static", STATIC_PATH[1:]
    try:
        match = resolve(path)
    except Resolver404:
        return UNKNOWN, UNKNOWN
    return match.view_name, readable(match.route)


def readable(route: str) -> str:
    """Return a route without regular-expression syntax; "/" for the home page."""
    plain = re.sub(r"\(\?P(<\w+>)[^)]*\)", r"\1", route.removeprefix("^"))
    return plain.removesuffix("$").removesuffix(r"\Z") or "/"


def method_of(scope: Scope) -> str:
    """Return the method if it is a standard one, else "other": clients may send any word."""
    method = scope.get("method", "GET")  # a handshake of a websocket is a GET
    return method if method in METHODS else "other"
