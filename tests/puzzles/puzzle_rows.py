"""Puzzles in the database, and people who try them."""

import json
from datetime import timedelta
from itertools import count
from random import Random

from django.test import Client

from games.blotto import State, Troops
from games.catalogue import BLOTTO
from games.players.blotto.splits import SPLITS
from games.puzzles import blotto
from play.domain.clocks import now
from puzzles.daily import day_of
from puzzles.models import DailyPosition, Puzzle
from puzzles.puzzle_store import store

RIGHT = "right"
numbers = count()


def new_puzzle(game=None) -> Puzzle:
    """A puzzle of Blotto that no other call has made."""
    while True:
        theirs = Random(next(numbers)).choices(SPLITS, k=4)
        rounds = tuple((SPLITS[k], split) for k, split in enumerate(theirs))
        task = blotto.find_puzzle(BLOTTO, State(rounds), "white")
        if task is not None and store(task, game, "test", now()):
            return Puzzle.objects.get(slug=task.slug)


def wrong_turn(puzzle: Puzzle, number: int = 0) -> list[str]:
    """A legal turn that does not solve it."""
    turns = [[str(Troops(split))] for split in SPLITS]
    return [turn for turn in turns if turn not in puzzle.solution][number]


def attempt(browser: Client, puzzle: Puzzle, turn: object, tries: object = 0):
    """Try a turn as the page does."""
    actions = puzzle.solution[0] if turn == RIGHT else turn
    body = json.dumps({"actions": actions, "tries": tries})
    return browser.post(f"/puzzles/{puzzle.slug}/try", body, content_type="application/json")


def make_daily(puzzle: Puzzle, days: int = 0) -> DailyPosition:
    """Make a puzzle that of today, or of a day some days away."""
    day = day_of(now()) + timedelta(days=days)
    return DailyPosition.objects.create(day=day, puzzle=puzzle)
