"""Origins (scheme, host, port) of this site, and the origin of absolute links."""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.http.request import split_domain_port, validate_host

DEFAULT_PORTS = {"http": 80, "https": 443}
# RFC 6454, section 6.2, as browsers write it: lower case, an ASCII host or an address, a port.
ORIGIN = re.compile(r"https?://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[1-9][0-9]{0,4}))?")


def origins_of(hosts: Iterable[str], port: int, is_tls: bool) -> list[str]:
    """Return the origins of the pages that this server sends under these host names.

    Behind a proxy that ends TLS, pages come from port 443, whatever `port` this server has. Like
    browsers, leaves out a port that the scheme implies.
    """
    if is_tls:
        return [f"https://{host}" for host in hosts]
    return [
        f"http://{host}" if port == DEFAULT_PORTS["http"] else f"http://{host}:{port}"
        for host in hosts
    ]


def site_origins(
    origin: str, further: Iterable[str], hosts: Iterable[str], port: int, is_tls: bool
) -> list[str]:
    """Return all origins of the site: their pages may open WebSockets, and a Host header may name
    their ports. `origin` comes from `resolve_origin`, `further` are QUIVER_ORIGINS."""
    return [*dict.fromkeys([origin, *further, *origins_of(hosts, port, is_tls)])]


def resolve_origin(
    named: str, further: Iterable[str], hosts: Sequence[str], port: int, is_tls: bool
) -> str:
    """Return the origin of every absolute link: QUIVER_ORIGIN, else the first of QUIVER_ORIGINS
    that the site answers to, else that of the first host.

    `named` is QUIVER_ORIGIN or empty, `further` are QUIVER_ORIGINS, `hosts` are the allowed host
    names. Raises ImproperlyConfigured if `named` is not an origin, its host is not allowed or its
    scheme does not fit QUIVER_TLS, and if all hosts are patterns such as `.example.org`.
    """
    scheme = "https" if is_tls else "http"
    if named:
        validate_origins([named], "QUIVER_ORIGIN")
        parts = urlsplit(named)
        if not _is_answered(named, hosts):
            raise ImproperlyConfigured(
                f"QUIVER_ORIGIN is {named}, but the site does not answer to its host. "
                f"Add {parts.hostname} to QUIVER_HOSTS."
            )
        if parts.scheme != scheme:
            raise ImproperlyConfigured(
                f"QUIVER_ORIGIN is {named}, but QUIVER_TLS is {int(is_tls)}: links would have "
                "another scheme than the site."
            )
        return named.lower()
    for origin in further:
        if urlsplit(origin).scheme == scheme and _is_answered(origin, hosts):
            return origin.lower()
    single = [host for host in hosts if not host.startswith((".", "*"))]
    if not single and "*" in hosts:  # in development; `checks.ANY_HOST` refuses it elsewhere
        single = ["localhost"]
    if not single:
        raise ImproperlyConfigured(
            "QUIVER_HOSTS has no complete host name, so links in mails need QUIVER_ORIGIN, such as "
            "https://play.example.org."
        )
    return origins_of(single[:1], port, is_tls)[0]


def _is_answered(origin: str, hosts: Sequence[str]) -> bool:
    host, _ = split_domain_port(urlsplit(origin).netloc)
    return validate_host(host, hosts)


def validate_hosts(hosts: list[str]) -> list[str]:
    """Return the host names. Raises ImproperlyConfigured for one that no Host header can have, such
    as one with a scheme or a port, or an IPv6 address without brackets."""
    for host in hosts:
        name, port = split_domain_port(host.removeprefix("."))
        if host != "*" and (not name or port):
            raise ImproperlyConfigured(
                f"QUIVER_HOSTS has {host!r}; a host is like play.example.org or [::1], without "
                "scheme and port."
            )
    return hosts


def validate_origins(origins: list[str], variable: str = "QUIVER_ORIGINS") -> list[str]:
    """Return the origins. Raises ImproperlyConfigured, naming the environment variable, for a text
    that is not exactly one origin."""
    for origin in origins:
        try:
            parts = urlsplit(origin)
            has_host_and_port = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            has_host_and_port = False
        is_whole = has_host_and_port and parts.scheme in DEFAULT_PORTS and "*" not in origin
        if not is_whole or origin != f"{parts.scheme}://{parts.netloc}" or "@" in origin:
            raise ImproperlyConfigured(
                f"{variable} has {origin!r}; an origin is like https://play.example.org or "
                "http://192.168.0.2:8000, without a path."
            )
    return origins


def is_origin(text: str) -> bool:
    """Whether an Origin header is exactly one origin: scheme, host and perhaps a port."""
    found = ORIGIN.fullmatch(text)
    return found is not None and int(found["port"] or 1) < 2**16


def ports_of(origins: Iterable[str]) -> set[int]:
    """Return the ports that the origins name or that their schemes imply."""
    return {parts.port or DEFAULT_PORTS[parts.scheme] for parts in map(urlsplit, origins)}
