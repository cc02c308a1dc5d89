"""`manage.py serve`: prepare and serve the site, with the processes beside it.

One process on SQLite, or each of several on PostgreSQL and Redis.
"""

import asyncio
import signal
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from accounts.computer_users import computers
from assets.collect import collect
from assets.esbuild import INSTALL_HINT, find_esbuild
from config.origins import resolve_origin, site_origins
from games.catalogue import RULES
from games.players.levels import has_numba, is_available, levels_of
from server import migration_state
from server.instance_lock import (
    Claimed,
    claim_database,
    exit_if_claim_lost,
    hold_migration_lock,
    watch_claim,
)
from server.local_hosts import LOCAL, is_free, lan_hosts
from server.supervisor import BOTS, NOTICES, Children

LOOPBACK = "127.0.0.1"
SOCKET_MAX_AGE_S = 6 * 3600
WORKER_START_DELAY_S = 1.0  # lets the first pages come before the workers compile


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
        with hold_migration_lock():
            try:
                migration_state.migrate()
            except migration_state.OldDatabase as error:
                raise CommandError(str(error)) from None
            collect()
            computers()
        hosts = self._set_hosts(port, lan)
        self._print_address(hosts, port, lan)
        self._run(interface, port)
        self.stdout.write("\nQuiver has stopped. Every game is kept; clocks stand still meanwhile.")

    def _set_hosts(self, port: int, lan: bool) -> list[str]:
        """Set the answered hosts and origins; return this machine's hosts on its network."""
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

    def _print_address(self, hosts: list[str], port: int, lan: bool) -> None:
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
        if find_esbuild() is None:
            lines.append(f"esbuild is not installed, so pages load slower: {INSTALL_HINT}.")
        where = f"in {settings.DATA_DIR}" if connection.vendor == "sqlite" else "by PostgreSQL"
        lines += [f"Games are kept {where}. Ctrl-C ends everything.", ""]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()

    def _run(self, interface: str, port: int) -> None:
        """Run the server and the processes beside it.

        Daphne installs its reactor at import, so it is imported here.
        """
        import daphne.server  # noqa: F401
        from twisted.internet import reactor

        from config.asgi import application
        from play.runtime.runtime import web_runtime
        from server.daphne import BoundedServer

        BoundedServer.on_stopped = staticmethod(exit_if_claim_lost)
        server = BoundedServer(
            application,
            endpoints=[f"tcp:port={port}:interface={interface}"],
            signal_handlers=False,
            websocket_timeout=SOCKET_MAX_AGE_S,
            verbosity=0,
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(
                number, DrainOnSignal(reactor, lambda: server.drain(web_runtime().shut_down))
            )
        # Callbacks of "when running" come before the event loop runs; those of a timer, after.
        reactor.callLater(0, lambda: web_runtime().start())  # type: ignore[arg-type]
        watch_claim()
        children = Children(with_metrics_ports(worker_commands(), settings.METRICS))
        reactor.callLater(WORKER_START_DELAY_S, children.start)  # type: ignore[arg-type]
        try:
            server.run()
        finally:
            children.stop()


def worker_commands() -> list[tuple[str, ...]]:
    """Return the commands of the processes beside the server."""
    notices = (NOTICES, "--origin", settings.ORIGIN)
    return [(BOTS,)] * settings.BOTS + [notices] * settings.NOTICES


def with_metrics_ports(commands: list[tuple[str, ...]], port: int) -> list[tuple[str, ...]]:
    """Return the commands with a port for the metrics of each: those above the server's `port`.

    0 stands for no metrics, so nothing is served by the workers either, nor above the last port.
    """
    ports = [port + number if port else 0 for number in range(1, len(commands) + 1)]
    return [
        (*command, "--metrics", str(own if own < 2**16 else 0))
        for command, own in zip(commands, ports, strict=True)
    ]


def off() -> str:
    """Return the levels that this machine cannot play, by game, as text."""
    numbers = {
        rules.name: [each.number for each in levels_of(key) if not is_available(key, each.number)]
        for key, rules in RULES.items()
    }
    return ", ".join(f"{name} {min(n)} to {max(n)}" for name, n in numbers.items() if n) or "none"


class DrainOnSignal:
    """Signal handler: drain the server, then stop it; a second signal stops it at once."""

    def __init__(self, reactor: Any, drain: Callable[[], Awaitable[None]]) -> None:
        self._reactor = reactor
        self._drain = drain
        self._is_asked = False

    def __call__(self, *signal: object) -> None:
        self._reactor.callFromThread(self._reactor.stop if self._is_asked else self._begin)
        self._is_asked = True

    def _begin(self) -> None:
        task = asyncio.ensure_future(self._drain())
        task.add_done_callback(lambda done: self._reactor.stop())
