"""ASGI application, for `manage.py runweb`, and for uvicorn and other servers."""

import os
from collections.abc import Awaitable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
from django.conf import settings

from config.checks import refuse_bad_routes, refuse_bad_settings
from config.private_files import PRIVATE_UMASK

os.umask(PRIVATE_UMASK)
refuse_bad_settings()  # before an import fails on them
django.setup()  # servers that import this have not done it
refuse_bad_routes()

from config.routing import protocols, socket_patterns  # noqa: E402
from play import process_metrics  # noqa: E402
from play.runtime.open_sockets import ACCEPTING  # noqa: E402
from play.runtime.runtime import web_runtime  # noqa: E402
from server import health  # noqa: E402
from server.access_log import AccessLog  # noqa: E402
from server.handler import use_origin_form  # noqa: E402
from server.http_limits import bound_bodies  # noqa: E402
from server.instance_lock import claim_database  # noqa: E402

claim_database()
site = protocols()
bounded_site = bound_bodies(site)
IS_MEASURED = process_metrics.start(settings.METRICS)


def begin() -> None:
    """Start the background work, once, in the event loop."""
    runtime = web_runtime()
    runtime.start()
    if IS_MEASURED:
        runtime.part(process_metrics.LoopWatch)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Serve the site; the first connection starts the background work if the server has not.

    Our Daphne starts it, and servers with lifespan events do; those close their sockets before they
    send its end. Sockets wait until down-time has been credited, because clocks would be charged
    for it otherwise. The root path is always empty, since the site is served at the root of its
    host: Django puts it before every URL, and Daphne takes it from a request header.
    """
    if scope["type"] == "lifespan":
        await live(receive, send)
        return
    scope["root_path"] = ""
    use_origin_form(scope)
    runtime = scope["runtime"] = web_runtime()
    if not ACCEPTING.is_shut:
        begin()
        if scope["type"] == "websocket":
            await runtime.background.is_ready.wait()
    await logged_site(scope, receive, send)


def health_or_site(scope: Any, receive: Any, send: Any) -> Awaitable[None]:
    """Answer health probes, and pass all other requests to the site.

    No coroutine: it would stay in memory with each socket.
    """
    if scope["type"] != "http":
        application = site
    else:
        application = health.answer if scope["path"] in health.PATHS else bounded_site
    answer: Awaitable[None] = application(scope, receive, send)
    return answer


logged_site = AccessLog(health_or_site, socket_patterns())


async def live(receive: Any, send: Any) -> None:
    """Start the background work with the server, and end it in order with it."""
    await receive()
    begin()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await web_runtime().shut_down()
    await send({"type": "lifespan.shutdown.complete"})
