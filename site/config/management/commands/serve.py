"""`manage.py serve`: the whole site, ready to play: in one process on SQLite, or in one of several
on PostgreSQL and Redis."""

import asyncio
import signal
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from accounts.computers import computers
from config import tables
from config.addresses import LOCAL, is_free, lan_hosts
from config.children import Children
from config.claim import Claimed, claim_database, migrating, watch_claim
from config.origins import resolve_origin, site_origins
from config.statics import collect
from games.catalogue import RULES
from games.players.levels import has_numba, is_available, levels_of

LOOPBACK = "127.0.0.1"
FRAME = 64 * 1024  # bytes; frames over 16 KiB are refused in words, larger ones cut the line
SOCKET_LIFE = 6 * 3600  # seconds
HEAD_START = 1.0  # seconds for the first pages, before the computer players get ready


class Command(BaseCommand):
    """Prepares the database and the static files, then serves until Ctrl-C."""

    help = "Prepares everything and serves the site on this machine (--lan: on your network too)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument(
            "--host",
            default=LOOPBACK,
            help="the address of this machine to listen on, behind a proxy (default: %(default)s)",
        )
        parser.add_argument(
            "--lan",
            action="store_true",
            help="also for a friend on the same network",
        )

    def handle(self, *args: Any, port: int, host: str, lan: bool, **options: Any) -> None:
        try:
            claim_database(bool(settings.REDIS_URL))
        except Claimed as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            raise CommandError(f"The database cannot be reached: {error}") from None
        if not 0 < port < 2**16:
            raise CommandError("A port is a number from 1 to 65535")
        interface = "0.0.0.0" if lan else host
        if not is_free(interface, port):
            raise CommandError(f"Port {port} is taken. Choose another: serve --port {port + 1}")
        self.stdout.write("Preparing the database and the pages …")
        with migrating():
            tables.make()
            collect()
            computers()
        hosts = self._open_to(port, lan)
        self._say_where(hosts, port, lan)
        self._run(interface, port)
        self.stdout.write("\nQuiver has stopped. Every game is kept; clocks stand still meanwhile.")

    def _open_to(self, port: int, lan: bool) -> list[str]:
        """Sets the hosts and the origins that are answered; returns the network's hosts."""
        hosts = lan_hosts() if lan else []
        settings.ALLOWED_HOSTS = [*dict.fromkeys([*settings.ALLOWED_HOSTS, *hosts])]
        first = settings.NAMED_HOSTS or [*hosts, *LOCAL]
        settings.ORIGIN = resolve_origin(
            settings.NAMED_ORIGIN, settings.FURTHER_ORIGINS, first, port, settings.TLS
        )
        settings.SITE_ORIGINS = site_origins(
            settings.ORIGIN, settings.FURTHER_ORIGINS, settings.ALLOWED_HOSTS, port, settings.TLS
        )
        return hosts

    def _say_where(self, hosts: list[str], port: int, lan: bool) -> None:
        here = settings.ORIGIN if settings.NAMED_HOSTS else f"http://localhost:{port}"
        lines = ["", f"Quiver is ready. Open  {here}/  in your browser."]
        if hosts:
            lines.append(f"A friend on the same network opens  http://{hosts[0]}:{port}/")
            lines.append("(plain http: anyone on that network can read along)")
        elif lan:
            lines.append("No network address was found, so only this machine can play.")
        else:
            lines.append("To play against yourself, open it in a second browser as well.")
            lines.append("For a friend on the same network: serve --lan")
        if not has_numba():
            lines.append(f"numba is not installed, so these computer players are off: {off()}.")
        where = f"in {settings.DATA_DIR}" if connection.vendor == "sqlite" else "by PostgreSQL"
        lines += [f"Games are kept {where}. Ctrl-C ends everything.", ""]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()

    def _run(self, interface: str, port: int) -> None:
        """Serves, with the processes that think for the computer players.

        Daphne installs its reactor at import, so that comes last.
        """
        import daphne.server  # noqa: F401
        from twisted.internet import reactor

        from config.asgi import application
        from config.server import BoundedServer
        from play import background

        server = BoundedServer(
            application,
            endpoints=[f"tcp:port={port}:interface={interface}"],
            signal_handlers=False,
            websocket_timeout=SOCKET_LIFE,
            websocket_max_message_size=FRAME,
            websocket_max_frame_size=FRAME,
            verbosity=0,
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, Ending(reactor, lambda: server.drain(background.farewell)))
        # Callbacks of "when running" come before the event loop runs; those of a timer, after.
        reactor.callLater(0, background.ensure_started)  # type: ignore[attr-defined]
        watch_claim()
        children = Children(settings.BOTS)
        reactor.callLater(HEAD_START, children.start)  # type: ignore[attr-defined]
        try:
            server.run()
        finally:
            children.stop()


def off() -> str:
    """The levels that this machine does not play, by game."""
    numbers = {
        rules.name: [each.number for each in levels_of(key) if not is_available(key, each.number)]
        for key, rules in RULES.items()
    }
    return ", ".join(f"{name} {min(n)} to {max(n)}" for name, n in numbers.items() if n) or "none"


class Ending:
    """Ends the server when a signal comes: pages are told first. A second signal ends at once."""

    def __init__(self, reactor: Any, farewell: Callable[[], Awaitable[None]]) -> None:
        self._reactor = reactor
        self._farewell = farewell
        self._is_asked = False

    def __call__(self, *signal: object) -> None:
        self._reactor.callFromThread(self._reactor.stop if self._is_asked else self._begin)
        self._is_asked = True

    def _begin(self) -> None:
        task = asyncio.ensure_future(self._farewell())
        task.add_done_callback(lambda done: self._reactor.stop())
