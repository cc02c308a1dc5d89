"""`manage.py protocol`: the JSON schema of all messages on the sockets, in both directions."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from play.protocol import PAGE, page_with, schema_text
from play.wire_types_ts import FILE, declarations


class Command(BaseCommand):
    """Prints the schema, or updates the files generated from the message types."""

    help = "Print the JSON schema of all messages on the sockets, in both directions."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--write", action="store_true", help=f"write {PAGE.name} and {FILE.name}"
        )

    def handle(self, *args: Any, write: bool, **options: Any) -> None:
        text = schema_text()
        if write:
            PAGE.write_text(page_with(text), encoding="utf-8")
            FILE.write_text(declarations(), encoding="utf-8")
        else:
            self.stdout.write(text)
