"""`manage.py ratings`: check, rebuild, correct and export the ratings."""

import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.plain_text import plain_line
from play.domain.clocks import now
from ratings.models import Generation
from ratings.rules.drift import measure_drift
from ratings.rules.fold_check import RatingsDiffer, check_current
from ratings.rules.generations import CannotRefold, correct, rebuild
from ratings.rules.pruning import is_pruned
from ratings.rules.public_file import find_generation, write_file


class Command(BaseCommand):
    """Exits with status 1 if a row differs or nothing could be made, 2 if it was called wrongly."""

    help = "Checks the ratings against their log, folds them anew, corrects and exports them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--rebuild", action="store_true", help="fold the log anew")
        what.add_argument(
            "--annul", metavar="GAME", nargs="+", help="let games not count; as in /g/GAME/"
        )
        what.add_argument(
            "--restore", metavar="GAME", nargs="+", help="let annulled games count again"
        )
        what.add_argument("--export", metavar="FILE", type=Path, help="write ratings.jsonl")
        what.add_argument(
            "--drift", action="store_true", help="how far people have moved from the levels"
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="compare what is stored with the log and change nothing, also with --rebuild",
        )
        parser.add_argument("--reason", default="", help="of --annul and --restore; it is public")
        parser.add_argument(
            "--generation", type=int, help="the generation to export (default: the current one)"
        )

    def handle(
        self,
        *args: Any,
        rebuild: bool,
        check: bool,
        annul: list[str] | None,
        restore: list[str] | None,
        export: Path | None,
        drift: bool,
        reason: str,
        generation: int | None,
        **options: Any,
    ) -> None:
        slugs = annul or restore
        if check and (slugs or export or drift):
            raise CommandError("--check changes nothing; leave out the other.", returncode=2)
        if bool(slugs) != bool(reason):
            raise CommandError("--annul and --restore need --reason.", returncode=2)
        try:
            if check:
                self._check()
            elif rebuild:
                self._rebuild()
            elif slugs:
                self._correct(slugs, is_annulled=annul is not None, reason=plain_line(reason))
            elif drift:
                for each in measure_drift(now()):
                    self.stdout.write(str(each))
            elif export is not None:
                self._export(export, generation)
            else:
                raise CommandError("Say what to do; see --help.", returncode=2)
        except (CannotRefold, RatingsDiffer) as error:
            raise CommandError(str(error)) from None

    def _check(self) -> None:
        checked = check_current()
        if checked is None:
            self.stdout.write("No game has been rated yet.")
        else:
            self.stdout.write(
                f"Generation {checked.generation}: {checked.entries} entries, "
                f"{checked.standings} standings: right"
            )

    def _rebuild(self) -> None:
        self._say_made(rebuild(_process()))

    def _correct(self, slugs: list[str], is_annulled: bool, reason: str) -> None:
        self._say_made(correct(slugs, is_annulled, reason, _process()))

    def _say_made(self, made: Generation) -> None:
        self.stdout.write(f"Generation {made.pk}: {made.last_seq} entries")

    def _export(self, path: Path, number: int | None) -> None:
        found = find_generation(number)
        if found is None and number is not None and is_pruned(number):
            raise CommandError("That generation of ratings is no longer kept.", returncode=2)
        if found is None:
            raise CommandError("There is no such generation of ratings.", returncode=2)
        try:
            count = write_file(path, found)
        except OSError as error:
            raise CommandError(
                f"{path} could not be written: {error.strerror or error}. An earlier file was kept."
            ) from None
        self.stdout.write(f"Generation {found.pk}: {count} entries in {path}")


def _process() -> str:
    return f"command-{secrets.token_hex(8)}"
