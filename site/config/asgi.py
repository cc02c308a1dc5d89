"""What a web server runs: `PYTHONPATH=site:. daphne config.asgi:application`."""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings

from config.checks import refuse_bad_settings

refuse_bad_settings()  # in words, before what follows stumbles over them

from config.claim import claim_database  # noqa: E402
from config.routing import protocols  # noqa: E402
from play import background  # noqa: E402

claim_database(bool(settings.REDIS_URL))
if "daphne.cli" in sys.modules:
    from daphne.cli import CommandLineInterface

    from config.server import BoundedServer

    CommandLineInterface.server_class = BoundedServer
site = protocols()


async def application(scope, receive, send):  # type: ignore[no-untyped-def]
    """The site, and with its first request the work that goes on behind it.

    Daphne sends no lifespan event, so the first connection of any kind starts the sweeper.
    Sockets wait until down-time has been credited: an action judged before would pay for it.
    """
    behind = background.ensure_started()
    if scope["type"] == "websocket":
        await behind.is_ready.wait()
    await site(scope, receive, send)
