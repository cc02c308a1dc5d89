"""Check the settings of push notifications."""

import re

from django.core.exceptions import ImproperlyConfigured

# Host names with a dot and letters in the last part, so never an address or a name of this network.
HOST_PATTERN = re.compile(r"(?:\*\.)?(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,62}")


def validate_push_hosts(hosts: list[str]) -> tuple[str, ...]:
    """Return the hosts of QUIVER_PUSH_HOSTS in lower case. Raises ImproperlyConfigured."""
    lowered = tuple(host.lower() for host in hosts)
    for host in lowered:
        if not HOST_PATTERN.fullmatch(host):
            raise ImproperlyConfigured(
                "QUIVER_PUSH_HOSTS is a list of host names without scheme and port, such as "
                f"push.example.org or *.example.org; {host!r} is none"
            )
    return lowered


def validate_vapid(text: str) -> str:
    """Return QUIVER_VAPID. Raises ImproperlyConfigured without the value if it is no key."""
    if text:
        from notices.push.keys import parse_private

        try:
            parse_private(text)
        except ValueError:
            raise ImproperlyConfigured(
                "QUIVER_VAPID is a P-256 private key in PEM, or its 32 bytes in base64url"
            ) from None
    return text
