"""Search of the positions of a finished game for puzzles; none is returned unchecked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from games.amazons import Amazons
from games.blotto import Blotto
from games.core import ROLES, Rules
from games.pincer import Pincer
from games.puzzles import amazons, blotto, pincer
from games.puzzles.budget import Budget, OutOfBudget
from games.puzzles.check import check
from games.puzzles.puzzle import KINDS, Puzzle

SEARCH_NODES: Final = 8_000  # of one position
CHECK_NODES: Final = 100_000
MAX_FAILURES: Final = 2  # positions in a row that are too large: earlier ones are larger still
HERE: Final = Path(__file__).parent
SOURCES: Final = ("puzzles/*.py", "amazons.py", "pincer.py", "captures.py", "blotto.py")
DIGEST_BYTES: Final = 8


@cache
def digest() -> str:
    """Return a name of the code that finds and checks puzzles; it changes with any of it."""
    told = blake2b(digest_size=DIGEST_BYTES)
    for pattern in SOURCES:
        for source in sorted(HERE.parent.glob(pattern)):
            told.update(source.read_bytes())
    return told.hexdigest()


def has_puzzles(rules: Rules[Any]) -> bool:
    """Return whether there are puzzles of these rules."""
    return rules.key in KINDS


def mine(
    rules: Rules[Any], states: Sequence[Any], is_over: Callable[[], bool] = lambda: False
) -> Iterator[Puzzle | None]:
    """Yield what each position of a game has: a puzzle, or None. The last position comes first.

    A game has at most one puzzle of each kind: positions a turn apart are too much alike.
    `is_over` ends the search of a position early.
    """
    found = set()
    failures = 0
    for state in reversed(states):
        try:
            puzzles = _look(rules, state, Budget(SEARCH_NODES, is_over))
            failures = 0
        except OutOfBudget:
            puzzles = []
            failures += 1
        for puzzle in puzzles:
            if puzzle.kind not in found and _is_right(puzzle, is_over):
                found.add(puzzle.kind)
                yield puzzle
        if failures >= MAX_FAILURES:
            return
        yield None


def _look(rules: Rules[Any], state: Any, budget: Budget) -> list[Puzzle]:
    """Return the puzzles in a position. Raises OutOfBudget."""
    found: list[Puzzle | None] = []
    if isinstance(rules, Amazons):
        found = [amazons.find_puzzle(rules, state, budget)]
    elif isinstance(rules, Pincer):
        found = [pincer.find_puzzle(rules, state, budget)]
    elif isinstance(rules, Blotto):
        found = [blotto.find_puzzle(rules, state, role) for role in ROLES]
    return [puzzle for puzzle in found if puzzle is not None]


def _is_right(puzzle: Puzzle, is_over: Callable[[], bool]) -> bool:
    """Return whether the check holds. A puzzle that it finds wrong is a bug: WrongPuzzle."""
    try:
        check(puzzle, Budget(CHECK_NODES, is_over))
    except OutOfBudget:
        return False
    return True
