"""Puzzles of Blotto: the best split against all that the opponent has placed."""

from __future__ import annotations

from typing import Final

from games.blotto import Blotto, Split, State, Troops, score
from games.core import Role
from games.players.blotto.splits import SPLITS
from games.puzzles.puzzle import Kind, Puzzle

MIN_ROUNDS: Final = 3  # fewer are no habit
MIN_MARGIN: Final = 1  # points of all rounds together


def parse_split(action: str) -> Split:
    """Return the split of an action "troops 5 2 3"."""
    return tuple(map(int, action.split(" ")[1:]))


def opposing_splits(state: State, role: Role) -> list[Split]:
    """Return the split of the opponent of `role` in each round so far."""
    return [pair[1 if role == "white" else 0] for pair in state.rounds]


def earned_points(state: State, role: Role, split: Split) -> list[int]:
    """Return the points that a split of `role` would have won in each round so far."""
    return [score((split, other))[0] for other in opposing_splits(state, role)]


def find_puzzle(rules: Blotto, state: State, role: Role) -> Puzzle | None:
    """Return the puzzle of a role before a round, or None.

    The value of a split is the points that it would have won in all the rounds so far: divided by
    their number, its expected points against a split drawn from them.
    """
    rounds = len(state.rounds)
    if not MIN_ROUNDS <= rounds < rules.rounds:
        return None
    values = [(split, sum(earned_points(state, role, split))) for split in SPLITS]
    best = max(value for _, value in values)
    solution = tuple((str(Troops(split)),) for split, value in values if value == best)
    second = max(value for _, value in values if value < best)
    if len(solution) > 1 or best - second < MIN_MARGIN:
        return None
    proof = {"best": best, "second": second, "turns": len(SPLITS), "nodes": len(SPLITS) * rounds}
    return Puzzle(rules.key, rules.write(state), role, Kind.REPLY, solution, proof)
