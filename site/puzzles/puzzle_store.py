"""Store puzzles: mined ones, and those that are shipped with the site."""

import json
from functools import cache
from math import log2
from pathlib import Path
from typing import Any, Final

from games.puzzles.puzzle import Puzzle as Task
from games.puzzles.puzzle import parse
from games.rating.standing import MAX_DEVIATION, START, UNIT
from play.models import Game
from puzzles.models import Puzzle

SHIPPED: Final = Path(__file__).parent / "shipped" / "puzzles.json"
CENTRE_CHOICE_BITS: Final = 5  # one turn in 32 solves a puzzle of rating 1500
POINTS_A_BIT: Final = 60
MAX_OFFSET: Final = 300  # points


def store(task: Task, game: Game | None, digest: str, at: int) -> bool:
    """Store a puzzle found at `at` (epoch ms); return whether it is new.

    A puzzle that is there already stays as it is, with its rating.
    """
    columns = _columns_of(task, digest, at) | {"game": game}
    return Puzzle.objects.get_or_create(slug=task.slug, defaults=columns)[1]


def _columns_of(task: Task, digest: str, at: int) -> dict[str, Any]:
    """Return the columns of a new puzzle except for its slug and its game."""
    return {
        "rules": task.rules,
        "position": task.position,
        "role": task.role,
        "kind": str(task.kind),
        "solution": [list(turn) for turn in task.solution],
        "proof": dict(task.proof),
        "digest": digest,
        "rating": first_rating(task),
        "deviation": MAX_DEVIATION,
        "made": at,
    }


def first_rating(task: Task) -> int:
    """Return the rating of a puzzle before anyone has tried it, in thousandths of a point.

    The smaller the share of turns that solve it, the higher the rating; the large deviation
    reflects how uncertain that is.
    """
    bits = -log2(task.choice)
    offset = round(POINTS_A_BIT * (bits - CENTRE_CHOICE_BITS))
    return START.rating + UNIT * max(-MAX_OFFSET, min(offset, MAX_OFFSET))


@cache
def shipped() -> tuple[str, tuple[Task, ...]]:
    """Return the digest and the puzzles of the file that is shipped. Raises BadPuzzle."""
    whole = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return whole["digest"], tuple(parse(each) for each in whole["puzzles"])


def load_shipped(at: int) -> int:
    """Store the missing shipped puzzles, the games mixed; return their number."""
    digest, tasks = shipped()
    slugs = [task.slug for task in tasks]
    there = set(Puzzle.objects.values_list("slug", flat=True).filter(slug__in=slugs))
    missing = sorted((task for task in tasks if task.slug not in there), key=lambda t: t.slug)
    rows = [Puzzle(slug=task.slug, **_columns_of(task, digest, at)) for task in missing]
    Puzzle.objects.bulk_create(rows, ignore_conflicts=True)  # another process may do the same
    return len(rows)
