"""Options of `serve` and `runweb` for the served address, and the hosts and origins that follow.

Imports no models: `serve` runs without the apps.
"""

from argparse import ArgumentParser

from django.conf import settings

from server.local_hosts import LOCAL, lan_hosts
from server.requests.origins import resolve_origin, site_origins

LOOPBACK = "127.0.0.1"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options that say where the site is served."""
    parser.add_argument("--port", type=int, default=settings.PORT)
    parser.add_argument(
        "--host",
        default=LOOPBACK,
        help="the address of this machine to listen on, behind a proxy (default: %(default)s)",
    )
    parser.add_argument("--lan", action="store_true", help="also for a friend on the same network")


def set_hosts(port: int, lan: bool) -> list[str]:
    """Set the answered hosts and origins; return this machine's hosts on its network."""
    hosts = lan_hosts() if lan else []
    settings.ALLOWED_HOSTS = [*dict.fromkeys([*settings.ALLOWED_HOSTS, *hosts])]
    first = settings.NAMED_HOSTS or [*hosts, *LOCAL]
    settings.ORIGIN = resolve_origin(
        settings.NAMED_ORIGIN, settings.FURTHER_ORIGINS, first, port, settings.TLS
    )
    settings.SITE_ORIGINS = site_origins(
        settings.ORIGIN, settings.FURTHER_ORIGINS, settings.ALLOWED_HOSTS, port, settings.TLS
    )
    return hosts
