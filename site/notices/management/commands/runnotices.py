"""`manage.py runnotices`: tell people of their games by push and mail.

Any number may run at once.
"""

from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import CommandError

from play.management.worker_command import WorkerCommand, WorkerProcess
from play.runtime.runtime import Runtime


class Command(WorkerCommand):
    """Derives notices and posts them until a signal ends it."""

    help = "Derives notices and posts them until Ctrl-C; `serve` starts one of these by itself."
    started = "Notifications are sent from here."
    stopped = "Notifications have stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--origin",
            default=settings.ORIGIN,
            help="the origin of links in mails, such as https://play.example.org; "
            "by default that of the settings",
        )

    def handle(self, *args: Any, tied: bool, name: str, **options: Any) -> None:
        """Run with the given origin. Raise CommandError if it is invalid."""
        origin: str = options["origin"]
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise CommandError(f"--origin: {origin!r} is not like https://play.example.org")
        settings.ORIGIN = origin
        super().handle(*args, tied=tied, name=name, **options)

    def make_worker(self, runtime: Runtime, name: str) -> WorkerProcess:
        """Return the loops that derive and post."""
        from notices.delivery.runner import Runner

        return Runner(name, self.say, games=runtime.games)
