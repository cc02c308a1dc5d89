"""Run all of a request in one call of one thread, unlike Django's own ASGI handler.

Django's own handler starts a thread for each request, enters it three times (signals, middleware
and view, close), and answers exceptions (404, 403, 400, 500) in yet another thread. Our error pages
query the database, as every page does, and nothing closed the connection of that other thread: each
error page took two connections of the pool, and never returned one of them. Here the threads stay,
and on SQLite they keep their connections: to open one costs 1.5 ms of CPU, a thread 0.15 ms.

If a request names a charset, Django parses its query before it has a request object that middleware
could refuse, and the exception for too many fields ends the connection.

Request targets in absolute form, `GET http://host/path` (RFC 9112, section 3.2.2), become paths.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import IO, Any, Final
from urllib.parse import unquote

import django
from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted, SuspiciousOperation
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.http import HttpResponse, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
MAX_THREADS: Final = 16  # a request that hashes a password or waits for a lock holds one
GAME_THREADS: Final = 3  # those of `play.runtime.game_service`, with a connection each
NO_CONTENT: Final = (204, 304)
ABSOLUTE = re.compile(rb"https?://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)


class OneThreadHandler(ASGIHandler):
    """Runs signals, middleware, view and error page of a request in one of a few threads."""

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(count_threads(), "quiver-http")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or give up when the client leaves."""
        if scope["type"] != "http":
            raise ValueError(f"this application serves HTTP, not {scope['type']}")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        tasks = [
            asyncio.create_task(self.listen_for_disconnect(receive)),
            asyncio.create_task(self._answer(scope, body, send)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:  # also if the server gives the connection up
            for task in tasks:
                task.cancel()
        for task in tasks:
            with suppress(RequestAborted, asyncio.CancelledError):
                await task

    async def _answer(self, scope: Scope, body: IO[bytes], send: Send) -> None:
        """Send the response that a thread makes."""
        work = self._threads.submit(copy_context().run, self.respond, scope, body)
        try:
            response = await asyncio.wrap_future(work)
        except asyncio.CancelledError:  # the client has left
            work.add_done_callback(close_unsent)
            raise
        if scope["method"] == "HEAD" or response.status_code in NO_CONTENT:
            remove_content(response)
        try:
            await self.send_response(response, send)
        finally:
            if response.streaming:
                close = self._threads.submit(copy_context().run, response.close)
                await asyncio.wrap_future(close)

    def respond(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        """Return the response to a request, closed unless it still has to be read.

        Its content stays readable; closing ends the request for caches and databases.
        """
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        request, refusal = self.create_request(scope, body)
        response = refusal if request is None else self.get_response(request)
        assert response is not None
        if not response.streaming:
            response.close()
            body.close()
        return response

    def create_request(
        self, scope: Mapping[str, Any], body_file: IO[bytes]
    ) -> tuple[ASGIRequest, None] | tuple[None, HttpResponseBase]:
        """Return the request and None, or None and the answer 400 to a malformed one."""
        try:
            return super().create_request(scope, body_file)
        except SuspiciousOperation:
            return None, HttpResponseBadRequest()

    def load_middleware(self, is_async: bool = False) -> None:
        """Build the synchronous chain, whose exceptions are answered where they are raised."""
        super().load_middleware(is_async=False)


def count_threads() -> int:
    """Return how many requests run at once: each has a connection of the pool, beside the games'.

    So no request waits for a connection that another one holds. A pool that has none to give within
    its time-out cannot connect, and that is an outage of the database.
    """
    pool = settings.DATABASES["default"].get("OPTIONS", {}).get("pool")
    return min(MAX_THREADS, pool["max_size"] - GAME_THREADS) if pool else MAX_THREADS


def remove_content(response: HttpResponseBase) -> None:
    """Remove the content; Content-Length stays that of a GET (RFC 9110, section 9.3.2).

    Servers differ here: Daphne drops the first part of such a content, and sends the further ones
    where the next status line belongs.
    """
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = no_parts()
    elif isinstance(response, HttpResponse):
        response.content = b""


async def no_parts() -> AsyncIterator[bytes]:
    """Yield nothing: the content of a stream that is not sent."""
    return
    yield b""


def close_unsent(work: "Future[HttpResponseBase]") -> None:
    """Close a response whose client has left; called in the thread that has just made it."""
    if not work.cancelled() and work.exception() is None and work.result().streaming:
        work.result().close()


def get_application() -> OneThreadHandler:
    """Return the ASGI application for HTTP, as `django.core.asgi.get_asgi_application` does."""
    django.setup(set_prefix=False)
    return OneThreadHandler()


def use_origin_form(scope: dict[str, Any]) -> None:
    """Reduce an absolute request target to its path, and have the Host header name its host.

    A server has to accept this form and to ignore its Host header. Daphne and uvicorn's h11 pass
    the target on as the path; httptools reduces it itself. Every other target that is no path (`*`,
    `host:443`) stays unchanged, and matches no route.
    """
    if scope["path"].startswith("/"):
        return
    found = ABSOLUTE.fullmatch(scope.get("raw_path") or scope["path"].encode())
    if found is None:
        return
    host, path = found[1], found[2] or b"/"
    scope["raw_path"] = path
    scope["path"] = unquote(path.decode("latin1"))
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    scope["headers"] = [*others, (b"host", host)]
