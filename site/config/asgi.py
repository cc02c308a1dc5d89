"""The ASGI application: `PYTHONPATH=site:. daphne config.asgi:application`, or uvicorn's."""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
from django.conf import settings

from config.checks import refuse_bad_routes, refuse_bad_settings
from config.private_files import PRIVATE_UMASK

os.umask(PRIVATE_UMASK)
refuse_bad_settings()  # in words, before what follows stumbles over them
django.setup()  # servers that import this have not done it
refuse_bad_routes()

from config import garbage, health, metrics  # noqa: E402
from config.access_log import AccessLog  # noqa: E402
from config.claim import claim_database, watch_claim  # noqa: E402
from config.request_target import use_origin_form  # noqa: E402
from config.routing import protocols, socket_patterns  # noqa: E402
from play import background  # noqa: E402
from play.mailbox import GATE  # noqa: E402

claim_database(bool(settings.REDIS_URL))
if "daphne.cli" in sys.modules:
    from daphne.cli import CommandLineInterface

    from config.server import BoundedServer

    CommandLineInterface.server_class = BoundedServer
site = protocols()
IS_MEASURED = metrics.start(settings.METRICS)
garbage.settle()


async def application(scope, receive, send):  # type: ignore[no-untyped-def]
    """The site, and with its first request the work that goes on behind it.

    Daphne sends no lifespan event, so the first connection of any kind starts the sweeper.
    Other servers do, which have sent their pages away when they say that it ends.
    Sockets wait until down-time has been credited: an action judged before would pay for it.
    The site is served at the root of its host, so the root path is always empty, whatever the
    server says: Django puts it before every URL, and Daphne takes it from a request header.
    """
    if scope["type"] == "lifespan":
        await live(receive, send)
        return
    scope["root_path"] = ""
    use_origin_form(scope)
    if not GATE.is_shut:
        behind = background.ensure_started()
        watch_claim()
        if IS_MEASURED:
            metrics.watch()
        if scope["type"] == "websocket":
            await behind.is_ready.wait()
    await logged_site(scope, receive, send)


async def health_or_site(scope, receive, send):  # type: ignore[no-untyped-def]
    """Answers the questions about this process, and has the site answer the rest."""
    is_health = scope["type"] == "http" and scope["path"] in health.PATHS
    await (health.answer if is_health else site)(scope, receive, send)


logged_site = AccessLog(health_or_site, socket_patterns())


async def live(receive, send):  # type: ignore[no-untyped-def]
    """Begins the work behind the pages with the server, and ends it in order with it."""
    await receive()
    background.ensure_started()
    watch_claim()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await background.farewell()
    await send({"type": "lifespan.shutdown.complete"})
