"""`manage.py serve`: prepare and serve the site, with the processes beside it.

One process on SQLite, or each of several on PostgreSQL and Redis.
"""

import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import time
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from accounts.computer_users import computers
from assets.collect import collect
from assets.esbuild import INSTALL_HINT, find_esbuild
from config.checks import refuse_bad_routes, refuse_bad_settings
from config.origins import resolve_origin, site_origins
from games.catalogue import RULES
from games.players.levels import has_numba, is_available, levels_of
from server import migration_state
from server.instance_lock import (
    Claimed,
    claim_database,
    exit_if_claim_lost,
    hold_migration_lock,
)
from server.listening_sockets import adopt, open_socket, take_passed
from server.local_hosts import LOCAL, lan_hosts
from server.processes.daphne_import import import_daphne
from server.processes.parent_link import ParentLink
from server.processes.supervisor import BOTS, NOTICES, Children
from server.processes.web_parent import (
    EVERYWHERE,
    LOOPBACK,
    OPTION,
    RESTARTED,
    STOPPED,
    WORKER_START_DELAY_S,
)

SOCKET_MAX_AGE_S = 6 * 3600
SAME_STOP_S = 1.0  # a service manager may send SIGTERM here and to the parent, which passes it on
RECLAIM_TIMEOUT_S = 5.0  # for PostgreSQL to notice that the last web process has ended
log = logging.getLogger("quiver.server")


class Command(BaseCommand):
    """Prepares the database and the static files, then serves until Ctrl-C."""

    requires_system_checks = ()  # slow; `handle` refuses what this site's own checks refuse
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
        # From the parent: descriptors, and how the predecessor of this process ended.
        parser.add_argument(OPTION, default="", help=SUPPRESS)
        parser.add_argument(RESTARTED, default="", help=SUPPRESS)

    def handle(
        self,
        *args: Any,
        port: int,
        host: str,
        lan: bool,
        web_process: str,
        restarted: str,
        **options: Any,
    ) -> None:
        link = ParentLink(web_process) if web_process else None
        try:
            refuse_bad_settings()
            if not restarted:
                refuse_bad_routes()
            self._claim(RECLAIM_TIMEOUT_S if restarted else 0.0)
            listening = self._listening_socket(link, EVERYWHERE if lan else host, port)
        except (CommandError, SystemExit) as error:
            if link is not None and not _may_pass(error.__cause__, bool(restarted)):
                link.report_final()
            raise
        if not restarted:
            self._prepare()
        hosts = self._set_hosts(port, lan)
        if restarted:
            log.warning(
                "The web process had ended (%s) and was started again.",
                restarted,
                extra={"event": "web_restarted"},
            )
        else:
            self._print_address(hosts, port, lan)
        self._run(listening, link)
        if link is None:
            self.stdout.write(STOPPED)

    def _claim(self, timeout_s: float) -> None:
        """Claim the database, whose lock a predecessor may hold a moment beyond its end."""
        by = time.monotonic() + timeout_s
        while True:
            try:
                claim_database(bool(settings.REDIS_URL))
                return
            except Claimed as error:
                if time.monotonic() > by:
                    raise CommandError(str(error)) from error
            except DatabaseError as error:
                raise CommandError(f"The database cannot be reached: {error}") from error
            time.sleep(0.02)

    def _listening_socket(
        self, link: ParentLink | None, interface: str, port: int
    ) -> socket.socket:
        """Return the socket that the parent or systemd has passed on, or else a new one."""
        if not 0 < port < 2**16:
            raise CommandError("A port is a number from 1 to 65535")
        passed = [*take_passed(os.environ)]
        if link is not None and link.listening is not None:
            passed = [link.listening]
        try:
            return adopt(passed[0]) if passed else open_socket(interface, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                reason = f"Port {port} is taken. Choose another: serve --port {port + 1}"
            else:
                reason = f"The site cannot listen at {interface}, port {port}: {error}"
            raise CommandError(reason) from None

    def _prepare(self) -> None:
        """Migrate the database and collect the static files, one process at a time."""
        self.stdout.write("Preparing the database and the pages …")
        self.stdout.flush()
        with hold_migration_lock():
            try:
                migration_state.migrate()
            except migration_state.OldDatabase as error:
                raise CommandError(str(error)) from None
            collect()
            computers()
        gc.collect()  # paused since the start of the process

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

    def _run(self, listening: socket.socket, link: ParentLink | None) -> None:
        """Run the server and the processes beside it.

        Daphne installs its reactor at import, so it is imported here.
        """
        import_daphne()
        from twisted.internet import reactor

        from config.asgi import application, begin
        from play.runtime.runtime import web_runtime
        from server.daphne import BoundedServer

        BoundedServer.on_started = staticmethod(begin)
        BoundedServer.on_stopped = staticmethod(exit_if_claim_lost)
        server = BoundedServer(
            application,
            endpoints=[f"fd:fileno={listening.detach()}"],
            signal_handlers=False,
            websocket_timeout=SOCKET_MAX_AGE_S,
            verbosity=0,
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(
                number, DrainOnSignal(reactor, lambda: server.drain(web_runtime().shut_down))
            )
        workers = with_metrics_ports(worker_commands(), settings.METRICS)
        children = Children(workers if link is None else [])
        if link is not None:
            link.report_prepared(workers)
            link.begin()
        else:
            reactor.callLater(WORKER_START_DELAY_S, children.start)  # type: ignore[arg-type]
        try:
            server.run()
        except SystemExit:  # the claim is lost
            if link is not None:
                link.report_final()
            raise
        finally:
            children.stop()


def _may_pass(cause: BaseException | None, is_restarted: bool) -> bool:
    """Return whether the failure may be temporary, so that the process is started again.

    When the first process of a `serve` finds the database claimed, another server runs. When a
    later one does, the lock may also belong to its predecessor's session on a lost machine or
    network.
    """
    return isinstance(cause, DatabaseError) or (is_restarted and isinstance(cause, Claimed))


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
    """Signal handler: drain the server, then stop it; a later signal stops it at once.

    A signal within `SAME_STOP_S` of the first is taken for the same one.
    """

    def __init__(self, reactor: Any, drain: Callable[[], Awaitable[None]]) -> None:
        self._reactor = reactor
        self._drain = drain
        self._asked_at: float | None = None  # monotonic, in s

    def __call__(self, *signal: object) -> None:
        at = time.monotonic()
        if self._asked_at is None:
            self._asked_at = at
            self._reactor.callFromThread(self._begin)
        elif at - self._asked_at >= SAME_STOP_S:
            self._reactor.callFromThread(self._reactor.stop)

    def _begin(self) -> None:
        task = asyncio.ensure_future(self._drain())
        task.add_done_callback(lambda done: self._reactor.stop())
