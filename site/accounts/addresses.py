"""The network that a request or a websocket comes from, as the key of the limits by address."""

import ipaddress
import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest

PREFIX = 64  # bits of an IPv6 address that are a household's; the rest its machines choose
UNREADABLE = "unreadable"  # the one key of all whose address cannot be read
# An IPv4 address with a port; an IPv6 address in brackets, with or without a port.
WITH_PORT = re.compile(r"([0-9.]+):[0-9]{1,5}|\[([^\[\]]*)\](?::[0-9]{1,5})?")
log = logging.getLogger("quiver.accounts")


def of_request(request: HttpRequest) -> str:
    """Return the network that a request comes from; empty for this machine itself."""
    return network(request.META.get("REMOTE_ADDR"), request.headers.get("X-Forwarded-For", ""))


def of_scope(scope: Mapping[str, Any]) -> str:
    """Return the same of a websocket."""
    lines = [value for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    remote = (scope.get("client") or [None])[0]
    return network(remote, b",".join(lines).decode("latin1"))


def network(remote: str | None, forwarded: str) -> str:
    """Return the network of a visitor whom `QUIVER_PROXIES` proxies of ours have passed on.

    Each proxy adds to the header whom it heard from, so only the last parts can be believed. Of a
    request that did not come through all proxies, the address of the connection is taken.

    Empty (not counted) for this machine itself. Behind proxies, `UNREADABLE` for everybody whose
    address is missing or cannot be read, so that no header switches the limits off. Without
    proxies an address is missing only on a unix socket, which only this machine can open: that is
    not counted either, since one count for all visitors would shut them all out; it is logged.
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
        return str(ipaddress.IPv6Network((int(address), PREFIX), strict=False).network_address)
    return str(address)


def parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that a proxy or the server names; None for what is none.

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
    """Logs once in each process that visitors have no address."""
    log.warning(
        "the server names no address of visitors (a unix socket?): no limit counts by network;"
        " set QUIVER_PROXIES to the number of proxies before it",
        extra={"event": "no_remote_address"},
    )
