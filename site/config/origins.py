"""Origins (scheme, host, port) that count as ours, and the one that absolute links begin with."""

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host


def origins_of(hosts: Iterable[str], port: int, is_tls: bool) -> list[str]:
    """The origins of the pages that this server sends under these host names.

    Behind a proxy that ends TLS, pages come from its port, which needs no naming.
    """
    return [f"https://{host}" if is_tls else f"http://{host}:{port}" for host in hosts]


def own_origin(named: str, hosts: Sequence[str], port: int, is_tls: bool) -> str:
    """Return the origin of every absolute link: QUIVER_ORIGIN, else that of the first host.

    `named` is QUIVER_ORIGIN or empty, `hosts` are the host names that are answered. Raises
    ImproperlyConfigured if the named origin is none, has a host that is not answered or a scheme
    that does not fit QUIVER_TLS, and if no single host could be taken instead.
    """
    if named:
        (origin,) = checked([named], "QUIVER_ORIGIN")
        parts = urlsplit(origin)
        host = parts.netloc.rsplit(":", 1)[0] if parts.port else parts.netloc
        if not validate_host(host.lower(), hosts):
            raise ImproperlyConfigured(
                f"QUIVER_ORIGIN is {origin}, whose host is not among QUIVER_HOSTS."
            )
        if is_tls != (parts.scheme == "https"):
            raise ImproperlyConfigured(
                f"QUIVER_ORIGIN is {origin}, but QUIVER_TLS is {int(is_tls)}: links would lead to "
                "another scheme than the site is served by."
            )
        return origin
    single = [host for host in hosts if not host.startswith((".", "*"))]
    if not single and "*" in hosts:  # a site that is worked on; `checks` refuses it elsewhere
        single = ["localhost"]
    if not single:
        raise ImproperlyConfigured(
            "QUIVER_HOSTS names no single host, so links in mails need QUIVER_ORIGIN, such as "
            "https://play.example.org."
        )
    (origin,) = origins_of(single[:1], port, is_tls)
    return origin.removesuffix(":80")


def checked(origins: list[str], variable: str = "QUIVER_ORIGINS") -> list[str]:
    """Named origins as they are. Raises ImproperlyConfigured for one that would let in more than
    one origin, or none; `variable` is where they come from."""
    for origin in origins:
        try:
            parts = urlsplit(origin)
            has_place = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            has_place = False
        is_whole = has_place and parts.scheme in ("http", "https") and "*" not in origin
        if not is_whole or origin != f"{parts.scheme}://{parts.netloc}" or "@" in origin:
            raise ImproperlyConfigured(
                f"{variable} has {origin!r}; an origin is like https://play.example.org or "
                "http://192.168.0.2:8000, without a path."
            )
    return origins


def ports_of(origins: Iterable[str]) -> set[int]:
    """The ports that origins name, or that their schemes mean."""
    defaults = {"http": 80, "https": 443}
    return {parts.port or defaults[parts.scheme] for parts in map(urlsplit, origins)}
