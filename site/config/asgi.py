"""What a web server runs: `PYTHONPATH=site:. daphne config.asgi:application`."""

import os
import sys
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings

from config import health, metrics
from config.claim import claim
from config.routing import protocols
from play import background
from play.mailbox import GATE

if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    claim(Path(settings.DATABASES["default"]["NAME"]))
if "daphne.cli" in sys.modules:
    from daphne.cli import CommandLineInterface

    from config.server import BoundedServer

    CommandLineInterface.server_class = BoundedServer
site = protocols()
IS_MEASURED = metrics.start(settings.METRICS)


async def application(scope, receive, send):  # type: ignore[no-untyped-def]
    """The site, and with its first request the work that goes on behind it.

    Daphne sends no lifespan event, so the first connection of any kind starts the sweeper.
    Sockets wait until down-time has been credited: an action judged before would pay for it.
    """
    if not GATE.is_shut:
        behind = background.ensure_started()
        if IS_MEASURED:
            metrics.watch()
        if scope["type"] == "websocket":
            await behind.is_ready.wait()
    is_health = scope["type"] == "http" and scope["path"] in health.PATHS
    await (health.answer if is_health else site)(scope, receive, send)
