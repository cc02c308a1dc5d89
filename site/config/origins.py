"""Which pages may open a websocket: origins with scheme and port, so that neither another port nor
plain http of the same host counts as ours."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


def origins_of(hosts: Iterable[str], port: int, is_tls: bool) -> list[str]:
    """The origins of the pages that this server sends under these host names.

    Behind a proxy that ends TLS, pages come from its port, which needs no naming.
    """
    return [f"https://{host}" if is_tls else f"http://{host}:{port}" for host in hosts]


def checked(origins: list[str]) -> list[str]:
    """Named origins as they are. Raises ImproperlyConfigured for one that would let in more than
    one origin, or none."""
    for origin in origins:
        parts = urlsplit(origin)
        is_whole = parts.scheme in ("http", "https") and parts.hostname and "*" not in origin
        if not is_whole or origin != f"{parts.scheme}://{parts.netloc}" or "@" in origin:
            raise ImproperlyConfigured(
                f"QUIVER_ORIGINS has {origin!r}; an origin is like https://play.example.org or "
                "http://192.168.0.2:8000, without a path."
            )
    return origins
