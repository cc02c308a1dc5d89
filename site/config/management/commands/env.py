"""`manage.py env`: print README's table of the environment variables."""

from typing import Any

from django.core.management.base import BaseCommand

from config.env import markdown_table


class Command(BaseCommand):
    """Prints the table; it reads no database and checks nothing."""

    help = "Prints the table of the environment variables, as Markdown."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(markdown_table())
