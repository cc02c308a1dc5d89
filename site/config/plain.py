"""Text that no database column holds is refused at the door: PostgreSQL keeps no NUL, and what
SQLite would keep has no meaning here either.

Lone surrogates do not come this far: what is no UTF-8 is replaced when a request is decoded, and
refused in the frames of sockets.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.cookie import parse_cookie
from django.utils.deprecation import MiddlewareMixin

NUL = "\0"
View = Callable[..., HttpResponse]


class PlainText(MiddlewareMixin):
    """Middleware: an address or a query with a NUL leads nowhere (404), and cookies with one are
    none. Forms refuse it themselves, in words.

    It has to stand before everything that asks the database.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Takes cookies with a NUL for none."""
        if _has_nul(request.COOKIES):
            request.COOKIES = {}

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
