"""A Redis database for each xdist worker.

Workers have databases of their own in PostgreSQL, with the same ids in each: in one Redis database
they would hear each other's hints, count each other's visitors, and clear each other's limits.
"""

import os
import re
from urllib.parse import urlsplit

from django.conf import settings
from django.test.utils import override_settings

from config.backing_services import caches, channel_layers

COUNT = 16  # databases of a Redis with its default configuration


def numbered(url: str, worker: str) -> str:
    """Return the URL with the number of a worker ("gw0") added to that of the database, and one.

    The number that the run was started with stays free for servers that tests start.
    """
    parts = urlsplit(url)
    first = int(parts.path.strip("/") or 0)
    number = int(re.sub(r"\D", "", worker))
    return parts._replace(path=f"/{(first + 1 + number) % COUNT}").geturl()


def use_own_database() -> None:
    """Use the worker's database in this process and those that it starts, until it ends."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker and settings.REDIS_URL:
        url = os.environ["REDIS_URL"] = numbered(settings.REDIS_URL, worker)
        shared = {"CACHES": caches(url), "CHANNEL_LAYERS": channel_layers(url)}
        override_settings(REDIS_URL=url, **shared).enable()
