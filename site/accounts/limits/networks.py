"""Network of a request or a WebSocket: the key of the limits by address."""

import ipaddress
import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest

IPV6_PREFIX_BITS = 64  # of a household; its machines choose the rest
UNREADABLE = "unreadable"  # the common key of all addresses that cannot be parsed
# An IPv4 address with a port; an IPv6 address in brackets, with or without a port.
WITH_PORT = re.compile(r"([0-9.]+):[0-9]{1,5}|\[([^\[\]]*)\](?::[0-9]{1,5})?")
log = logging.getLogger("quiver.accounts")


def of_request(request: HttpRequest) -> str:
    """Return the network that a request comes from; empty for this machine itself."""
    return network(request.META.get("REMOTE_ADDR"), request.headers.get("X-Forwarded-For", ""))


def of_scope(scope: Mapping[str, Any]) -> str:
    """Return the network of an ASGI scope; empty for this machine itself."""
    lines = [value for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    remote = (scope.get("client") or [None])[0]
    return network(remote, b",".join(lines).decode("latin1"))


def network(remote: str | None, forwarded: str) -> str:
    """Return the network of a visitor behind the `QUIVER_PROXIES` proxies of the site.

    Each proxy appends the address of its client to the header, so only the last parts are
    trustworthy. For a request that did not pass all proxies, the address of the connection counts.

    Empty (not counted) for this machine itself. Behind proxies, `UNREADABLE` for every address that
    is missing or malformed, so that no header switches the limits off. Without proxies an address
    is missing only on a unix socket, which only this machine can open. That is not counted either,
    because one count for all visitors would refuse them all; it is logged.
    """
    parts = [part.strip() for part in forwarded.split(",")] if forwarded.strip() else []
    proxies = settings.PROXIES
    is_passed_on = 0 < proxies <= len(parts)
    text = parts[-proxies] if is_passed_on else (remote or "").strip()
    if not text and not proxies:
        _warn_of_missing_address()
        return ""
    address = parse_address(text)
    if address is None:
        return UNREADABLE
    if address.is_loopback:
        return UNREADABLE if proxies and not is_passed_on else ""
    if isinstance(address, ipaddress.IPv6Address):
        return str(
            ipaddress.IPv6Network((int(address), IPV6_PREFIX_BITS), strict=False).network_address
        )
    return str(address)


def parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that a proxy or the server names; None if it is malformed.

    Accepts a port behind it and brackets around IPv6, as some proxies write them, and drops the
    zone of an IPv6 address. An IPv4 address that is mapped into IPv6 is that IPv4 address.
    """
    if found := WITH_PORT.fullmatch(text):
        text = found[1] or found[2]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or ipaddress.IPv6Address(int(address))
    return address


@lru_cache(maxsize=1)
def _warn_of_missing_address() -> None:
    """Log once in each process that the server names no addresses."""
    log.warning(
        "the server names no address of visitors (a unix socket?): no limit counts by network;"
        " set QUIVER_PROXIES to the number of proxies before it",
        extra={"event": "no_remote_address"},
    )
