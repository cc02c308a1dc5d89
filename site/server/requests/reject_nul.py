"""Reject requests with NUL characters before they reach the database: PostgreSQL stores none.

Lone surrogates do not come this far: bytes that are not UTF-8 are replaced when a request is
decoded, and refused in the frames of sockets.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.cookie import parse_cookie
from django.http.multipartparser import MultiPartParserError
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import bad_request

NUL = "\0"
CHARSET = "utf-8"
# Of a query or a form with too many fields or files, or too large, or none at all.
UNREADABLE = (BadRequest, MultiPartParserError, SuspiciousOperation)
View = Callable[..., HttpResponse]


class RejectNulMiddleware(MiddlewareMixin):
    """Middleware that answers 404 to a path or query with a NUL, and drops cookies with one.

    Forms refuse NUL by validators. It is listed before all middleware that queries the database or
    reads a form.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Drop cookies with a NUL, and answer 400 to a query or form that cannot be parsed.

        Django parses queries and forms when they are first read, and raises the same error at each
        further try. Error pages read them as well, so they would end with status 500.

        Forms are read as UTF-8 even if the request names another charset: Django accepts every
        codec of Python, even those that do not decode text.
        """
        if _has_nul(request.COOKIES):
            request.COOKIES = {}
        if request.encoding is not None:
            request.encoding = CHARSET
        try:
            _ = request.GET, request.POST
        except UNREADABLE as error:
            return bad_request(request, error)
        return None

    def process_view(self, request: HttpRequest, view: View, args: Any, kwargs: Any) -> None:
        """Raise Http404 if the path or the query has a NUL."""
        if NUL in request.path or _any_nul(request.GET):
            raise Http404


def plain_sockets(app: Any) -> Any:
    """Return the ASGI application that refuses websockets with a NUL in path or cookies."""

    async def guarded(
        scope: Any,
        receive: Callable[[], Awaitable[Any]],
        send: Callable[[Any], Awaitable[None]],
    ) -> None:
        if NUL in scope["path"] or _has_nul(cookies_of(scope["headers"])):
            await receive()
            await send({"type": "websocket.close"})
        else:
            await app(scope, receive, send)

    return guarded


def cookies_of(headers: Iterable[tuple[bytes, bytes]]) -> Mapping[str, str]:
    """Return the cookies among the headers of an ASGI scope."""
    texts = (value.decode("latin-1") for name, value in headers if name == b"cookie")
    return parse_cookie("; ".join(texts))


def _has_nul(texts: Mapping[str, str]) -> bool:
    return any(NUL in text for text in texts.values())


def _any_nul(query: QueryDict) -> bool:
    return any(NUL in text for values in query.lists() for text in (values[0], *values[1]))
