"""`manage.py serve`: run the processes of the site: web, computer players, notices.

`runweb` prepares the site. This process loads no apps (see `manage.py`): that took 2 s on a slow
machine, for which the web process waited at each restart.
"""

import asyncio
import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.served_address import add_arguments, set_hosts
from server.supervisor import supervise

STOPPED = "\nQuiver has stopped. Every game is kept; clocks stand still meanwhile."


class Command(BaseCommand):
    """Starts the processes and restarts those that end, until Ctrl-C."""

    requires_system_checks = ()  # they need the apps; `runweb` refuses what they would refuse
    help = "Prepares everything and serves the site on this machine (--lan: on your network too)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser)

    def handle(self, *args: Any, port: int, host: str, lan: bool, **options: Any) -> None:
        self.stdout.write("Preparing the database and the pages …")
        self.stdout.flush()
        set_hosts(port, lan)
        web = ("runweb", "--port", str(port), "--host", host, *(["--lan"] if lan else []))
        status = asyncio.run(supervise(web, worker_commands(settings.METRICS)))
        if status:
            sys.exit(status)
        self.stdout.write(STOPPED)


def worker_commands(metrics: int) -> list[tuple[str, ...]]:
    """Return the commands of the processes beside the web process.

    Each has a name, under which its successor goes on at once, and a port for its metrics: those
    above `metrics`, the web process's. 0 stands for no metrics, also above the last port.
    """
    notices = ("runnotices", "--origin", settings.ORIGIN)
    commands = [("runbots",)] * settings.BOTS + [notices] * settings.NOTICES
    ports = [metrics + number if metrics else 0 for number in range(1, len(commands) + 1)]
    return [
        (
            *command,
            "--name",
            f"serve-{os.urandom(8).hex()}",
            "--metrics",
            str(own if own < 2**16 else 0),
        )
        for command, own in zip(commands, ports, strict=True)
    ]
