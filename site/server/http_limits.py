"""Bound HTTP connections, and the time and the size of requests.

Uses no models: servers import it before Django is set up.
"""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from django.conf import settings
from django.urls import Resolver404, resolve

from accounts.limits.networks import network, of_scope
from server.quotas import Quota
from server.refusals import REFUSALS

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

# Connections have no user. A browser opens six at most.
MAX_CONNECTIONS_PER_NETWORK: Final = 256
# Thousands of pages that come back at once are such connections until their handshakes are read.
MAX_CONNECTIONS: Final = 8192
HEAD_TIMEOUT_S: Final = 10.0
BODY_TIMEOUT_S: Final = 10.0
MAX_BODY_BYTES: Final = 64 * 1024  # the site has no uploads
# Of the routes that take a whole study, which has 256 KB at most as the site writes it.
MAX_STUDY_BODY_BYTES: Final = 512 * 1024
MAX_LENGTH_DIGITS: Final = 18  # of a Content-Length; `int` refuses 4,301, and these are enough
STUDY_ROUTES: Final = frozenset({"study-create", "study-import", "study-save"})
PLAIN: Final = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]


def bare_response(status: bytes, headers: bytes = b"") -> bytes:
    """Return an HTTP response without a body, after which the connection closes."""
    return b"HTTP/1.1 %b\r\n%bContent-Length: 0\r\nConnection: close\r\n\r\n" % (status, headers)


MALFORMED: Final = bare_response(b"400 Bad Request")
TOO_SLOW: Final = bare_response(b"408 Request Timeout")
NO_LENGTH: Final = bare_response(b"411 Length Required")
TOO_LARGE: Final = bare_response(b"413 Content Too Large")
TOO_MANY: Final = bare_response(b"503 Service Unavailable", b"Retry-After: 5\r\n")


def max_connections() -> int:
    """Return the bound of open HTTP connections: at most half of the files that this process may
    open, so that the other half is left for sockets and databases."""
    if resource is None:
        return MAX_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    half = MAX_CONNECTIONS if files == resource.RLIM_INFINITY else files // 2
    return min(MAX_CONNECTIONS, half)


CONNECTIONS = Quota(MAX_CONNECTIONS_PER_NETWORK, max_connections())


def peer_network(host: str | None) -> str:
    """Return the network of a connection's peer; empty for this machine, and behind proxies,
    whose connections carry the requests of all visitors."""
    return "" if settings.PROXIES else network(host, "")


def max_body_bytes(path: str) -> int:
    """Return how many bytes the body of a request for a path may have."""
    try:
        name = resolve(path).url_name
    except Resolver404:
        return MAX_BODY_BYTES
    return MAX_STUDY_BODY_BYTES if name in STUDY_ROUTES else MAX_BODY_BYTES


class BodyRefused(Exception):
    """The body of a request is not taken; `status` is the answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def declared_length(headers: Iterable[tuple[bytes, bytes]]) -> int:
    """Return the Content-Length of a request, 0 without one.

    Raises BodyRefused: 411 for a transfer coding, 400 for a length that is no number.
    """
    length = 0
    for name, value in headers:
        if name == b"transfer-encoding":
            raise BodyRefused(411)
        if name == b"content-length":
            if not value.isdigit() or len(value) > MAX_LENGTH_DIGITS:
                raise BodyRefused(400)
            length = int(value)
    return length


def check_body(scope: Any) -> int:
    """Return the length of the body of a request. Raises BodyRefused before any of it is read."""
    length = declared_length(scope["headers"])
    if length and REFUSALS.is_limited(of_scope(scope)):
        raise BodyRefused(429)
    if length > MAX_BODY_BYTES and length > max_body_bytes(scope["path"]):
        raise BodyRefused(413)
    return length


def bound_bodies(inner: Any, timeout_s: float = BODY_TIMEOUT_S) -> Any:
    """Return the ASGI application that refuses bodies.

    It answers 413 to a body over the bound of its route, 408 to one that has not come within
    `timeout_s`, 411 to one whose length is not declared, and 429 to every body from a network that
    was refused too often. Browsers declare the length of all that they send; the chunked coding,
    whose frames cost far more CPU time than the bytes in them, is therefore not taken.

    Daphne passes on whole bodies, which `server.daphne` has bounded; uvicorn has no such bounds.
    """

    async def bounded(scope: Any, receive: Any, send: Any) -> None:
        has_begun = False

        async def sending(message: Any) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            body = Body(receive, check_body(scope), timeout_s)
            await inner(scope, body.receive, sending)
        except BodyRefused as refused:
            if has_begun:
                raise
            REFUSALS.count(of_scope(scope))
            headers = [*PLAIN, (b"content-length", b"0")]
            start = {"type": "http.response.start", "status": refused.status, "headers": headers}
            await send(start)
            await send({"type": "http.response.body", "body": b""})

    return bounded


class Body:
    """The body of one request as it comes."""

    __slots__ = ("_bytes", "_deadline", "_is_complete", "_length", "_receive", "_timeout_s")

    def __init__(self, receive: Any, length: int, timeout_s: float) -> None:
        self._receive = receive
        self._length = length
        self._timeout_s = timeout_s
        self._bytes = 0
        self._is_complete = False
        self._deadline: float | None = None  # on the loop's clock; begins with the first part

    async def receive(self) -> Any:
        """Return the next event (ASGI's `receive`); raise BodyRefused beyond the bounds."""
        if self._is_complete:
            return await self._receive()
        loop = asyncio.get_running_loop()
        self._deadline = self._deadline or loop.time() + self._timeout_s
        try:
            async with asyncio.timeout_at(self._deadline):
                event = await self._receive()
        except TimeoutError:
            raise BodyRefused(408) from None
        self._bytes += len(event.get("body", b""))
        self._is_complete = not event.get("more_body", False)
        if self._bytes > self._length:  # HTTP/2 lets a client leave the length out
            raise BodyRefused(411)
        return event
