"""Write the icons of the installed app, or check that the files match the code."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.core.management.base import CommandParser

from pages.installable.icons import ICONS, draw_png


class Command(BaseCommand):
    """`manage.py icons --write` redraws the files; without the option they are only compared."""

    help = "Compare the icons of the installed app with the mark, or write them."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--write`."""
        parser.add_argument("--write", action="store_true", help="write the files")

    def handle(self, *args: Any, write: bool, **options: Any) -> None:
        """Write or compare; CommandError if a file differs."""
        folder = Path(settings.BASE_DIR) / "static" / "img" / "app"
        for icon in ICONS:
            path, drawn = folder / icon.name, draw_png(icon)
            if write:
                folder.mkdir(parents=True, exist_ok=True)
                path.write_bytes(drawn)
            elif not path.exists() or path.read_bytes() != drawn:
                raise CommandError(f"{path.name} differs: run manage.py icons --write")
