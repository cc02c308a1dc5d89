"""Host names and addresses of this machine."""

import ipaddress
import socket
from contextlib import suppress

LOCAL = ["localhost", "127.0.0.1", "[::1]"]


def lan_hosts() -> list[str]:
    """Return this machine's IPv4 addresses and host names on its network, best first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the outgoing interface
        found.append(probe.getsockname()[0])
    name = socket.gethostname()
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET)]
    found = [host for host in found if not ipaddress.ip_address(host).is_loopback]
    return list(dict.fromkeys([*found, name.lower(), f"{name.lower()}.local"]))
