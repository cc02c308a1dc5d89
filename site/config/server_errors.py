"""Answer exceptions with 503 while the database is unavailable, else with 500.

Sockets are closed with 1013 during an outage.

Django turns the exceptions of views and of middleware into responses at each layer, so the only
place that sees all of them is its handler for status 500, which `config.urls` sets.
"""

import sys
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.http import escape_leading_slashes
from django.utils.translation import gettext as _

from accounts.content_negotiation import wants_json
from config.logs import request_fields
from play.runtime.open_sockets import ACCEPTING
from telemetry.outage_log import DATABASE, note_outage

RETRY_AFTER_S = 5
TRY_AGAIN_LATER_CODE = 1013  # close code of WebSockets; our pages reconnect after a while


def handle_server_error(request: HttpRequest) -> HttpResponse:
    """Return 503 if the exception being handled is an outage of the database, else 500.

    Django calls this inside its `except` block.
    """
    error = sys.exception()
    if error is not None and note_outage(error, refused=1):
        return unavailable(request)
    return server_error(request)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 with a reference that people can quote: the request id, which the log has too.

    Renders without the request, as Django's own view does: a context processor may be what failed.
    """
    body = loader.render_to_string(
        "500.html", {"reference": request_fields().get("request_id", "")}
    )
    return HttpResponse(body, status=500)


def unavailable(request: HttpRequest) -> HttpResponse:
    """Return the answer 503, as JSON for scripts that ask for it; make no query for it.

    The template gets no request: context processors would query the database. Django saves no
    session with an answer above 499.
    """
    response: HttpResponse
    if wants_json(request):
        say = _("Quiver isn’t available right now. Try again in a moment.")
        refused = {"reason": "unavailable", "say": say}
        response = JsonResponse({"next": None, "refused": refused}, status=503)
    else:
        path = escape_leading_slashes(request.get_full_path())  # "//host" is a host
        can_repeat = request.method in ("GET", "HEAD")
        context = {"retry_path": path if can_repeat else "/"}
        response = HttpResponse(loader.render_to_string("503.html", context), status=503)
    response["Retry-After"] = str(RETRY_AFTER_S)
    response["Cache-Control"] = "no-store"
    return response


def retryable_sockets(app: Any) -> Any:
    """Return the ASGI application that closes a socket with code 1013 where `app` raises an outage.

    Otherwise the server would log the exception for each socket, and pages would get no reason.
    While PostgreSQL is known to be unreachable a socket is closed at once: waiting for a connection
    takes longer than Daphne allows for a handshake.
    """

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        is_accepted = False
        if DATABASE.is_failing and DATABASE.kind == "unreachable":
            DATABASE.refuse()
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER_CODE})
            return

        async def sending(message: Any) -> None:
            nonlocal is_accepted
            is_accepted = is_accepted or message["type"] == "websocket.accept"
            await send(message)

        try:
            await app(scope, receive, sending)
        except Exception as error:
            if not note_outage(error, refused=1):
                raise
            if not is_accepted and not ACCEPTING.is_shut:
                await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER_CODE})

    return guarded
