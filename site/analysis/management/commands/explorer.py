"""`manage.py explorer`: check and rebuild the counts of openings."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.explorer.counting import begin_rebuild
from analysis.explorer.opening_check import CountsDiffer, check_counts, count_all


class Command(BaseCommand):
    """Exits with status 1 if a count differs from the games, 2 if it was called wrongly."""

    help = "Checks the counts of openings against the games, or counts all games anew."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--rebuild",
            action="store_true",
            help="delete all counts and count all games anew; run it again if it was killed",
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="compare the counts with the games; with --rebuild, after it",
        )

    def handle(self, *args: Any, rebuild: bool, check: bool, **options: Any) -> None:
        if not (rebuild or check):
            raise CommandError("Say what to do; see --help.", returncode=2)
        if rebuild:
            generation = begin_rebuild()
            self.stdout.write(f"Generation {generation}: {count_all()} games counted")
        if check:
            try:
                checked = check_counts()
            except CountsDiffer as error:
                raise CommandError(str(error)) from None
            what = f"{checked.games} games, {checked.rows} rows"
            self.stdout.write(f"Generation {checked.generation}: {what}: right")
