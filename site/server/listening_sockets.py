"""Listening sockets that outlive the web process, so that connections wait while it restarts.

systemd holds such a socket, or `server.processes.web_parent` does; the web process adopts it. Under
systemd (`LISTEN_FDS`, first descriptor 3) the command lines are `manage.py serve`, which adopts it
by itself, `daphne --fd 3` and `uvicorn --fd 3`.
"""

import os
import socket
from collections.abc import MutableMapping
from typing import Final

BACKLOG: Final = 4096  # connections that wait; Linux bounds it by net.core.somaxconn, also 4,096
FIRST_FD: Final = 3  # of those that systemd passes on
VARIABLES: Final = ("LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES")


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an IPv4 or IPv6 address, or at a host name's IPv4 address.

    A socket at `::` accepts IPv6 connections only. Raises OSError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.bind((host, port))
        opened.listen(BACKLOG)
    except OSError:
        opened.close()
        raise
    return opened


def are_passed(environment: MutableMapping[str, str]) -> bool:
    """Whether the service manager has passed sockets on to this process."""
    return environment.get("LISTEN_PID") == str(os.getpid()) and bool(_count(environment))


def take_passed(environment: MutableMapping[str, str]) -> dict[int, str]:
    """Return the descriptors that the service manager has passed on, with their names.

    As sd_listen_fds(3): the variables are removed and the descriptors closed on exec, so that no
    child takes them for its own.
    """
    if not are_passed(environment):
        return {}
    fds = range(FIRST_FD, FIRST_FD + _count(environment))
    names = environment.get("LISTEN_FDNAMES", "").split(":")
    for variable in VARIABLES:
        environment.pop(variable, None)
    for fd in fds:
        os.set_inheritable(fd, False)
    return dict(zip(fds, [*names, *[""] * len(fds)], strict=False))


def adopt(fd: int) -> socket.socket:
    """Return a listening TCP socket that another process has opened. Raises OSError otherwise."""
    adopted = socket.socket(fileno=fd)
    if adopted.type != socket.SOCK_STREAM or adopted.family not in (
        socket.AF_INET,
        socket.AF_INET6,
    ):
        adopted.detach()
        raise OSError(f"descriptor {fd} is no TCP socket")
    return adopted


def refuse(listening: socket.socket) -> bool:
    """Refuse new connections, and reset those that wait, in all processes that hold the socket.

    `listen` on it accepts them again. Return whether it was possible: it is on Linux.
    """
    try:
        listening.shutdown(socket.SHUT_RDWR)
    except OSError:
        return False
    return True


def _count(environment: MutableMapping[str, str]) -> int:
    count = environment.get("LISTEN_FDS", "")
    return int(count) if count.isascii() and count.isdigit() else 0
