"""Bound HTTP connections, the time and the size of requests, and refusals by network.

The counts are of this process: every process bounds what reaches it, and nobody waits for Redis.
Uses no models: servers import it before Django is set up.
"""

import asyncio
import logging
from collections.abc import Iterable
from typing import Any, Final

from django.conf import settings
from django.urls import Resolver404, resolve
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from prometheus_client import Counter

from accounts.limits.networks import network, of_scope
from server.quota import Quota

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

# Refusals of one network: a school class of 60 browsers causes none by accident.
MAX_REFUSALS: Final = RateLimitItemPerMinute(120, namespace="refusals")
# Reasons that count for no network: browsers open connections that they may never use, and a
# connection too many is itself refused by a limit.
IDLE: Final = "idle"
CONNECTION: Final = "connections"
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
REFUSED = Counter(
    "quiver_refused_connections", "Connections refused or given up, by reason", ["reason"]
)
RATES: Final = FixedWindowRateLimiter(MemoryStorage())
log = logging.getLogger("quiver.security")
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


def note_refusal(reason: str, status: int, network: str) -> None:
    """Count and log a request that never reaches the application, nor its access log.

    `reason` is a label of the metric; `network` is empty for this machine itself.
    """
    REFUSED.labels(reason).inc()
    if reason == IDLE:
        return
    about = {"reason": reason, "status": status, "network": network or "-"}
    log.info("a request was refused", extra={"event": "refused_request", **about})
    if reason != CONNECTION:
        count_refusal(network)


def count_refusal(network: str) -> None:
    """Count a refusal that the access log records."""
    if network:
        RATES.hit(MAX_REFUSALS, network)


def is_refused_often(network: str) -> bool:
    """Whether a network has been refused too often in this minute."""
    return bool(network) and not RATES.test(MAX_REFUSALS, network)


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
    if length and is_refused_often(of_scope(scope)):
        raise BodyRefused(429)
    if length > MAX_BODY_BYTES and length > max_body_bytes(scope["path"]):
        raise BodyRefused(413)
    return length


def bound_bodies(inner: Any, timeout_s: float = BODY_TIMEOUT_S) -> Any:
    """Return the ASGI application that reads bodies for `inner`, or refuses them.

    It answers 413 to a body over the bound of its route, 408 to one that has not come within
    `timeout_s`, 411 to one whose length is not declared, and 429 to every body from a network that
    was refused too often. Browsers declare the length of all that they send; the chunked coding,
    whose frames cost far more CPU time than the bytes in them, is therefore not taken.

    Daphne passes on whole bodies, which `server.daphne` has bounded; uvicorn has no such bounds.
    """

    async def bounded(scope: Any, receive: Any, send: Any) -> None:
        try:
            async with asyncio.timeout(timeout_s):
                events = [await read_body(receive, check_body(scope))]
        except TimeoutError:
            refusal = BodyRefused(408)
        except BodyRefused as refused:
            refusal = refused
        else:

            async def receiving() -> Any:
                return events.pop() if events else await receive()

            await inner(scope, receiving, send)
            return
        count_refusal(of_scope(scope))
        headers = [*PLAIN, (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return bounded


async def read_body(receive: Any, length: int) -> dict[str, Any]:
    """Return the body of a request as one event, or the event that the client has left.

    Raises BodyRefused if it is longer than declared, as HTTP/2 lets it be.
    """
    body = b""
    while True:
        event: dict[str, Any] = await receive()
        if event["type"] != "http.request":
            return event
        body += event.get("body", b"")
        if len(body) > length:
            raise BodyRefused(411)
        if not event.get("more_body", False):
            return {"type": "http.request", "body": body, "more_body": False}
