"""Hosts and addresses that pushes may be sent to.

A page chooses the endpoint of its subscription, so it could make the site send requests into its
own network. The host has to be that of a known push service, and the address that its name resolves
to is checked when the connection is made.
"""

import ipaddress
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings

MAX_ENDPOINT_CHARS = 1_000
HTTPS_PORT = 443
PUSH_HOSTS = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.notify.windows.com",
    "*.push.apple.com",
)
LABEL = re.compile(r"[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?")  # a part of a name
MAX_NAME_CHARS = 253
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # holds an IPv4 address in its last 32 bits
# Not of the public internet either: relays of 6to4, and documentation (RFC 9637).
FURTHER_INSIDE = (ipaddress.ip_network("192.88.99.0/24"), ipaddress.ip_network("3fff::/20"))


def host_of(endpoint: str, further: Sequence[str] | None = None) -> str:
    """Return the host of an endpoint that a push may be sent to. Raises ValueError.

    It has https, no credentials, no port but 443, and a host of the list. `further` are hosts
    besides `PUSH_HOSTS`, those of the settings unless given.
    """
    if len(endpoint) > MAX_ENDPOINT_CHARS:
        raise ValueError("too long")
    if not endpoint.isascii() or any(char <= " " or char in "\\\x7f" for char in endpoint):
        raise ValueError("not a URL")
    parts = urlsplit(endpoint)
    if parts.scheme != "https":
        raise ValueError("not https")
    if "@" in parts.netloc:
        raise ValueError("credentials")
    if parts.port not in (None, HTTPS_PORT):
        raise ValueError("another port")
    host = (parts.hostname or "").lower()
    patterns = (*PUSH_HOSTS, *(settings.FURTHER_PUSH_HOSTS if further is None else further))
    if not is_name(host) or not any(_matches(host, pattern) for pattern in patterns):
        raise ValueError("not a push service")
    return host


def is_name(host: str) -> bool:
    """Return whether a host is a name with a dot, not an address in any spelling.

    An address in decimal, octal or hexadecimal has no letter first in its last part. Escapes and
    other signs are refused: two parsers could read another host.
    """
    parts = host.lower().split(".")
    is_written = len(host) <= MAX_NAME_CHARS and all(LABEL.fullmatch(part) for part in parts)
    return is_written and len(parts) > 1 and parts[-1][0].isalpha()


def _matches(host: str, pattern: str) -> bool:
    if pattern.startswith("*."):
        return host.endswith(pattern[1:]) and len(host) > len(pattern) - 1
    return host == pattern


def is_public(address: str) -> bool:
    """Return whether an address belongs to the public internet.

    Not private, loopback, link-local, multicast, reserved or unspecified ones, nor those that hold
    an IPv4 address (mapped, 6to4, Teredo). That of a NAT64 counts as the address that it holds.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found in NAT64:
            found = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        elif found.ipv4_mapped or found.sixtofour or found.teredo or found.is_site_local:
            return False
    if any(found in network for network in FURTHER_INSIDE):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_loopback)
