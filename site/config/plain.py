"""Text that no database column holds is refused at the door: PostgreSQL keeps no NUL, and what
SQLite would keep has no meaning here either.

Lone surrogates do not come this far: what is no UTF-8 is replaced when a request is decoded, and
refused in the frames of sockets.
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


class PlainText(MiddlewareMixin):
    """Middleware: an address or a query with a NUL leads nowhere (404), and cookies with one are
    none. Forms refuse it themselves, in words.

    It has to stand before everything that asks the database or reads a form.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Take cookies with a NUL for none, and refuse what cannot be parsed with status 400.

        Django parses queries and forms when they are first read, and raises the same error at each
        further try. Error pages read them as well, so they would end with status 500.

        Forms are UTF-8, whatever charset the request names: Django takes each codec of Python,
        among them those that do not decode text.
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
        """Looks at what was asked for, before the view does."""
        if NUL in request.path or _any_nul(request.GET):
            raise Http404


def plain_sockets(app: Any) -> Any:
    """An ASGI application that turns away websockets with a NUL in address or cookies."""

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
    """The cookies among the headers of an ASGI scope."""
    texts = (value.decode("latin-1") for name, value in headers if name == b"cookie")
    return parse_cookie("; ".join(texts))


def _has_nul(texts: Mapping[str, str]) -> bool:
    return any(NUL in text for text in texts.values())


def _any_nul(query: QueryDict) -> bool:
    return any(NUL in text for values in query.lists() for text in (values[0], *values[1]))
