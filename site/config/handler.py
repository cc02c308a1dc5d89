"""Django's ASGI handler with one thread for all of a request.

Django's own handler makes the answer to an exception (404, 403, 400, 500) in another thread. Our
error pages query the database, as every page does, and no one closed that thread's connection. So
each such answer took two connections of the pool, and one of them for good.

Of a request that names a charset Django parses the query before there is a request that could be
refused, and lets the exception for too many fields end the connection.
"""

from collections.abc import Mapping
from typing import IO, Any

import django
from asgiref.sync import sync_to_async
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.http import HttpRequest, HttpResponseBadRequest
from django.http.response import HttpResponseBase


class OneThreadHandler(ASGIHandler):
    """Runs middleware, view and error page of a request in the thread whose connections are closed
    when the request has been answered."""

    def create_request(
        self, scope: Mapping[str, Any], body_file: IO[bytes]
    ) -> tuple[ASGIRequest, None] | tuple[None, HttpResponseBase]:
        """Return the request, or the answer 400 to one that cannot be made, and None."""
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
