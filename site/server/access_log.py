"""Access log: a record for each HTTP request and for each closed WebSocket.

It is written by the application itself, so it is the same under every server, and it holds no path:
paths hold the keys of private games and lobbies, tokens from mails and names. Instead it holds the
template of the route. Query strings, cookies, referrers and browsers are left out as well.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, URLPattern, resolve

from accounts.limits.networks import of_scope
from server import health, metrics
from server.request_context import (
    UNKNOWN,
    RequestInfo,
    enter,
    leave,
    new_id,
    readable,
    template_of,
)

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
ABORTED_STATUS_CODE: Final = 499  # nginx's status for a client that has left before the answer
ROUTE_KEY: Final = "quiver_route"  # in an HTTP scope: the template that Django has found
ERROR_BODY: Final = b"Something broke on our side. Reference: %s\n"
ERROR_HEADERS: Final = [*health.HEADERS, (b"x-frame-options", b"DENY")]
log = logging.getLogger("quiver.access")
errors = logging.getLogger("quiver.server")
Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class AccessLog:
    """ASGI middleware that logs requests, gives each an id, and logs the application's exceptions.

    Responses have the id as `X-Request-ID`, except immutable ones. An exception of the application
    becomes a 500 or the close code 1011; servers would log its text, which may hold secret values.
    """

    def __init__(self, app: Any, socket_patterns: Iterable[URLPattern] = ()) -> None:
        self._app = app
        self._socket_patterns = tuple(socket_patterns)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a connection of type http or websocket, and log it."""
        began = time.perf_counter()
        is_http = scope["type"] == "http"
        info = RequestInfo(new_id(), method_of(scope), of_scope(scope) or UNKNOWN)
        if not is_http:
            info.task = asyncio.current_task()
        exchange = Request(info.id, send) if is_http else Socket(receive, send)
        token = enter(info)
        try:
            await self._app(scope, exchange.receive or receive, exchange.send)
        except Exception:
            fields = {"event": "exception", "method": info.method, "route": self._route(scope)}
            errors.exception("an exception ended a connection", extra=fields)
            await exchange.fail()
        finally:
            seconds = time.perf_counter() - began
            if isinstance(exchange, Request):
                metrics.observe_request(scope, info.method, exchange.final_status, seconds)
            milliseconds = round(seconds * 1000, 1)
            level = logging.DEBUG if is_well(scope, exchange) else logging.INFO
            if log.isEnabledFor(level):
                about: dict[str, Any] = {
                    "method": info.method,
                    "route": self._route(scope),
                    "network": info.network,
                    "duration_ms": milliseconds,
                    **exchange.facts(),
                }
                log.log(level, about["event"], extra=about)
            info.is_over = True
            leave(token)

    def _route(self, scope: Scope) -> str:
        if scope["type"] == "http":
            return http_route(scope)
        return socket_route(scope, self._socket_patterns)


def is_immutable(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether caches may keep a response with these headers for ever (RFC 8246)."""
    return any(
        name.lower() == b"cache-control" and b"immutable" in value for name, value in headers
    )


class Request:
    """The facts of one HTTP response that the log needs."""

    receive: Receive | None = None  # the server's own

    def __init__(self, id: str, send: Send) -> None:
        self._id = id.encode()
        self._send = send
        self.status = 0  # nothing was answered
        self._is_begun = False

    async def send(self, message: Message) -> None:
        """Send a message of the application, with the id among its headers.

        An immutable response has no id: caches would give it to other requests too.
        """
        if message["type"] == "http.response.start":
            self.status, self._is_begun = message["status"], True
            headers = list(message.get("headers", ()))
            if not is_immutable(headers):
                message = {**message, "headers": [*headers, (b"x-request-id", self._id)]}
        await self._send(message)

    async def fail(self) -> None:
        """Answer 500, unless an answer has begun."""
        if self._is_begun:
            return
        body = ERROR_BODY % self._id
        headers = [*ERROR_HEADERS, (b"content-length", b"%d" % len(body))]
        await self.send({"type": "http.response.start", "status": 500, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})

    @property
    def final_status(self) -> int:
        """The status of the answer; `ABORTED_STATUS_CODE` if there was none."""
        return self.status or ABORTED_STATUS_CODE

    def facts(self) -> dict[str, Any]:
        """Return the fields of the log record."""
        return {"event": "request", "status": self.final_status}


class Socket:
    """The facts of one WebSocket that the log needs."""

    __slots__ = ("_receive", "_send", "_taken", "close_code", "is_open", "status")

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self.status = 0  # of the handshake
        self.close_code: int | None = None
        self._taken = 0  # messages of the client that the application has received
        self.is_open = True

    async def receive(self) -> Message:
        """Return the next message of the server."""
        message = await self._receive()
        if message["type"] == "websocket.receive":
            self._taken += 1
        elif message["type"] == "websocket.disconnect":
            self._close(message.get("code"))
        return message

    async def send(self, message: Message) -> None:
        """Send a message of the application."""
        if message["type"] == "websocket.accept":
            self.status = 101
        elif message["type"] == "websocket.close":
            self.status = self.status or 403
            self._close(message.get("code", 1000) if self.status == 101 else None)
        elif message["type"] == "websocket.http.response.start":  # a refusal with a status
            self.status = message["status"]
            self._close(None)
        await self._send(message)

    def _close(self, code: int | None) -> None:
        if self.is_open:
            self.close_code, self.is_open = code, False

    async def fail(self) -> None:
        """Close with 1011 (an error of the server), unless it is closed."""
        if self.is_open:
            await self.send({"type": "websocket.close", "code": 1011})

    def facts(self) -> dict[str, Any]:
        """Return the fields of the log record."""
        about = {
            "event": "socket",
            "status": self.status or ABORTED_STATUS_CODE,
            "frames": self._taken,
        }
        return about if self.close_code is None else {**about, "close_code": self.close_code}


def note_route(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return Django middleware that stores the route of the response for the access log.

    It is the outermost one, so that it sees the route of refusals and errors too.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        _note(request)
        return response

    return answer


def _note(request: HttpRequest) -> None:
    if isinstance(request, ASGIRequest):
        match = request.resolver_match
        request.scope[ROUTE_KEY] = request_route(request)  # type: ignore[index]
        request.scope[metrics.NAME_KEY] = match.view_name if match else UNKNOWN  # type: ignore[index]


def request_route(request: HttpRequest) -> str:
    """Return the template of the route that Django has found for a request, or "-"."""
    return template_of(request.resolver_match)


def http_route(scope: Scope) -> str:
    """Return the template of an HTTP request's route, such as `g/<str:slug>/`.

    "static/" stands for every static file, "-" for a path without a route.
    """
    path = scope["path"]
    if path in health.PATHS:
        return str(path[1:])
    if path.startswith(metrics.STATIC_PATH):
        return metrics.STATIC_PATH[1:]
    if ROUTE_KEY not in scope:  # the client left before Django had answered
        try:
            return readable(resolve(path).route)
        except Resolver404:
            return UNKNOWN
    return str(scope[ROUTE_KEY])


def socket_route(scope: Scope, patterns: Iterable[URLPattern]) -> str:
    """Return the template of a websocket's route, such as `ws/g/<slug>/`, or "-".

    Channels keeps no template in the scope, so the path is matched again.
    """
    path = scope["path"].removeprefix("/")
    found = (str(each.pattern) for each in patterns if each.pattern.match(path))
    return readable(next(found, UNKNOWN))


def method_of(scope: Scope) -> str:
    """Return the method if it is a standard one, else "other": clients may send any word."""
    method = scope.get("method", "GET")  # a handshake of a websocket is a GET
    return method if method in METHODS else "other"


def is_well(scope: Scope, exchange: Request | Socket) -> bool:
    """Whether this is a health probe answered with 200; these come every few seconds."""
    return scope["path"] in health.PATHS and exchange.status == 200
