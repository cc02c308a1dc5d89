"""Run all of a request in one thread, unlike Django's own ASGI handler.

Django's own handler answers exceptions (404, 403, 400, 500) in another thread. Our error pages
query the database, as every page does, and nothing closed the connection of that thread. So each
error page took two connections of the pool, and never returned one of them.

If a request names a charset, Django parses its query before it has a request object that middleware
could refuse, and the exception for too many fields ends the connection.

Request targets in absolute form, `GET http://host/path` (RFC 9112, section 3.2.2), become paths.
"""

import re
from collections.abc import Mapping
from typing import IO, Any
from urllib.parse import unquote

import django
from asgiref.sync import sync_to_async
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.http import HttpRequest, HttpResponseBadRequest
from django.http.response import HttpResponseBase

ABSOLUTE = re.compile(rb"https?://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)


class OneThreadHandler(ASGIHandler):
    """Runs middleware, view and error page of a request in the thread whose connections are closed
    when the request has been answered."""

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

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer to a request, made by that chain."""
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


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
