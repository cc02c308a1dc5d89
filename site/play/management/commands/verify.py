"""`manage.py verify GAME...` or `--all`: verify games against their ledgers."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from play.models import Game
from play.storage.verification import Withdrawn, faults_of, rows_of


class Command(BaseCommand):
    """Prints a line for each game; exits with status 1 if one of them has a fault."""

    help = "Replay the ledgers of games and compare everything stored of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", metavar="GAME", help="as in /g/GAME/")
        parser.add_argument("--all", action="store_true", help="verify all games")

    def handle(self, *args: Any, games: list[str], all: bool, **options: Any) -> None:
        if bool(games) == all:
            raise CommandError("Name the games to verify, or pass --all.")
        known = Game.objects.filter(slug__in=games).values_list("slug", flat=True)
        if unknown := set(games).difference(known):
            raise CommandError(f"There is no game {', '.join(sorted(unknown))}.", returncode=2)
        slugs = Game.objects.order_by("pk").values_list("slug", flat=True).iterator()
        if self._verify(slugs if all else games):
            sys.exit(1)

    def _verify(self, slugs: Iterable[str]) -> int:
        count = wrong = 0
        for slug in slugs:
            rows = rows_of(slug)
            if rows is None:  # deleted meanwhile
                continue
            count += 1
            try:
                faults = faults_of(rows)
                said = "; ".join(faults) or "right"
            except Withdrawn as withdrawn:
                faults, said = [], f"only the hashes were checked, {withdrawn}"
            wrong += bool(faults)
            self.stdout.write(f"{slug}: {rows.game.rules}, {len(rows.entries)} entries: {said}")
        self.stdout.write(f"{count} games, {wrong} of them not right")
        return wrong
