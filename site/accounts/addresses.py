"""Where a visitor comes from, as far as that can be counted by."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest

PREFIX = 64  # bits of an IPv6 address that are a household's; the rest its machines choose


def of_request(request: HttpRequest) -> str:
    """The network that a request comes from; empty for this machine itself."""
    return network(request.META.get("REMOTE_ADDR"), request.headers.get("X-Forwarded-For", ""))


def of_scope(scope: Mapping[str, Any]) -> str:
    """The same of a websocket."""
    lines = [value for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    remote = (scope.get("client") or [None])[0]
    return network(remote, b",".join(lines).decode("latin1"))


def network(remote: str | None, forwarded: str) -> str:
    """The network of a visitor, whom `QUIVER_PROXIES` proxies of ours have passed on.

    Each proxy adds to the header whom it heard from, so only the last ones can be believed. Empty
    for this machine itself and for what is no address: there is nobody to count.
    """
    passed = [part.strip() for part in forwarded.split(",") if part.strip()]
    proxies = settings.PROXIES
    text = passed[-proxies] if 0 < proxies <= len(passed) else remote
    try:
        address = ipaddress.ip_address(text or "")
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        if mapped is None and not address.is_loopback:
            return str(ipaddress.IPv6Network((address, PREFIX), strict=False).network_address)
        address = mapped or address
    return "" if address.is_loopback else str(address)
