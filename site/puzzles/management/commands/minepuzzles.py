"""`manage.py minepuzzles`: store the shipped puzzles, and search ended public games for more."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from play.domain.clocks import now
from puzzles import daily
from puzzles.miner_task import Search, queued_games
from puzzles.models import MinedGame, Puzzle
from puzzles.puzzle_store import load_shipped

DEFAULT_GAMES = 100


class Command(BaseCommand):
    """Searches a batch of games; workers do the same by themselves, a slice at a time."""

    help = "Searches ended public games for puzzles, each once, and chooses the coming days."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--games", type=int, default=DEFAULT_GAMES, help="at most so many (default: 100)"
        )

    def handle(self, *args: Any, games: int, **options: Any) -> None:
        loaded, found = load_shipped(now()), 0
        batch = queued_games(most=max(0, games))
        for game in batch:
            search = Search(game)
            while not search.run(now(), float("inf")):
                pass
            MinedGame.objects.filter(game=game).update(is_done=True, found=search.found)
            found += search.found
        days = daily.choose_days(daily.day_of(now()))
        self.stdout.write(
            f"Loaded {loaded} shipped puzzles. Searched {len(batch)} games, found {found} puzzles. "
            f"Chose {len(days)} days. There are {Puzzle.objects.count()} puzzles."
        )
