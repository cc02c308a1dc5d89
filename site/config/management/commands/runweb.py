"""`manage.py runweb`: prepare the site and serve it with Daphne, as one process.

One on SQLite, or any number on PostgreSQL and Redis.
"""

import errno
import gc
import os
import signal
import socket
import threading
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from config.preparation import prepare, print_address
from config.served_address import add_arguments
from server.instance_lock import Claimed, claim_database

SOCKET_MAX_AGE_S: Final = 6 * 3600
BACKLOG: Final = 4096  # connections that wait; Linux bounds it by net.core.somaxconn, also 4,096
# Allocations minus deallocations before a garbage collection of generation 0, then collections of
# each generation before one of the next.
GC_THRESHOLDS: Final = (5_000, 10, 5)


class Command(BaseCommand):
    """Serves until a signal ends it."""

    requires_system_checks = ()  # slow; `prepare` refuses what this site's own checks refuse
    help = "Serves the site as one process, without workers; `serve` starts it by itself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser)
        parser.add_argument(
            "--endpoint",
            default="",
            help="where to listen instead, as Twisted describes endpoints; "
            "systemd:domain=INET:index=0 is the socket that systemd holds",
        )
        parser.add_argument(
            "--tied",
            action="store_true",
            help="end when standard input is closed, as it is when the parent process dies",
        )

    def handle(
        self,
        *args: Any,
        port: int,
        host: str,
        lan: bool,
        endpoint: str,
        tied: bool,
        **options: Any,
    ) -> None:
        try:
            claim_database()
        except Claimed as error:
            raise CommandError(str(error)) from None
        hosts = prepare(port, lan)
        if not endpoint:
            opened = open_port("0.0.0.0" if lan else host, port)
            endpoint = f"fd:fileno={opened.detach()}"
        if tied:
            threading.Thread(target=end_with_parent, daemon=True).start()
        print_address(self.stdout, hosts, port, lan)
        serve(endpoint)


def open_port(host: str, port: int) -> socket.socket:
    """Return a listening socket: connections wait in it until the site is loaded.

    One at `::` accepts IPv6 connections only. Raises CommandError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = f"Port {port} is taken. Choose another: serve --port {port + 1}"
        else:
            reason = f"The site cannot listen at {host}, port {port}: {error}"
        raise CommandError(reason) from None


def end_with_parent() -> None:
    """Wait until the parent's end of the pipe is closed, then end as at SIGTERM."""
    while os.read(0, 4096):  # a buffered reader would abort the interpreter at its end
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def serve(endpoint: str) -> None:
    """Serve until SIGTERM or SIGINT. Imports Daphne, which installs its reactor."""
    import daphne.server  # noqa: F401
    from twisted.internet import reactor

    from config.asgi import application, begin
    from play.runtime.runtime import web_runtime
    from server.daphne import BoundedServer

    server = BoundedServer(
        application,
        shut_down=lambda: web_runtime().shut_down(),
        endpoints=[endpoint],
        signal_handlers=False,
        websocket_timeout=SOCKET_MAX_AGE_S,
        verbosity=0,
    )

    def stop(*received: object) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):  # the stop takes ten seconds at most
            signal.signal(number, signal.SIG_IGN)
        reactor.callFromThread(reactor.stop)  # type: ignore[misc]

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    reactor.callLater(0, begin)  # type: ignore[arg-type]
    # A full collection would visit 157,000 loaded objects: 0.2 s without answers. Almost all others
    # are freed by their reference count.
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    server.run()
