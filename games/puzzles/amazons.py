"""Exact values of endings of Amazons in which an arrow is a must, and the puzzles in them.

A region is a set of squares without an arrow, connected by king's moves (`games.counting`). Nothing
leaves its region, so a position is the sum of its regions, in which the last to move wins. A region
with amazons of one role alone is the integer of its longest sequence of turns. So a position is its
shared regions G plus an integer d, both as the role to move sees them: what the sum of integers
comes to, not how it is made up, decides (J. H. Conway, "On Numbers and Games", 1976, chapter 8).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from games.amazons import Amazons, State
from games.counting import regions_of
from games.decided.fill import Turn, after_turn, turns_alone
from games.grid import Grid
from games.moves import Fire, Move
from games.puzzles.budget import Budget
from games.puzzles.puzzle import Kind, Puzzle

MAX_SHARED_SQUARES: Final = 16  # empty squares of shared regions, where a search may end in time
MAX_OWN_SQUARES: Final = 14  # of all own regions together, for a puzzle of filling
MIN_OWN_TURNS: Final = 3
MIN_TURNS: Final = 8  # of the role to move: fewer are tried out
MAX_SOLUTIONS: Final = 6
MAX_SHARE: Final = 0.2  # of all turns, of the solution


@dataclass(frozen=True, slots=True)
class Sum:
    """A position as the role to move sees it: shared regions, and what the others come to."""

    own: int  # amazons in shared regions
    theirs: int
    empty: int
    integer: int  # own turns in own regions minus theirs in theirs


class Solver:
    """Exact values on one board; it remembers what it has found."""

    def __init__(self, grid: Grid, budget: Budget) -> None:
        self._grid = grid
        self._budget = budget
        self._longest: dict[tuple[int, int], int] = {}
        self._known: dict[tuple[int, int, int], tuple[int, int]] = {}

    def sum_of(self, own: int, theirs: int, empty: int, integer: int = 0) -> Sum:
        """Return a position as a sum. Raises OutOfBudget."""
        shared = [0, 0, 0]
        for region in regions_of(self._grid, own | theirs | empty):
            parts = region & own, region & theirs, region & empty
            if not parts[2]:
                continue
            if parts[0] and parts[1]:
                shared = [old | part for old, part in zip(shared, parts, strict=True)]
            elif parts[0]:
                integer += self.longest(parts[0], parts[2])
            elif parts[1]:
                integer -= self.longest(parts[1], parts[2])
        return Sum(shared[0], shared[1], shared[2], integer)

    def turns(self, own: int, empty: int) -> Iterator[tuple[Turn, int, int]]:
        """Yield each turn of a role with its amazons and the empty squares after it."""
        for turn in turns_alone(self._grid, own, empty):
            yield turn, *after_turn(own, empty, turn)

    def longest(self, amazons: int, empty: int) -> int:
        """Return the most turns of a role that is alone in a region. Raises OutOfBudget."""
        empty = self._grid.flood(amazons, empty)
        key = amazons, empty
        known = self._longest.get(key)
        if known is not None:
            return known
        self._budget.spend()
        best, most = 0, empty.bit_count()
        for _, moved, left in self.turns(amazons, empty):
            best = max(best, 1 + self.longest(moved, left))
            if best == most:
                break
        self._longest[key] = best
        return best

    def wins(self, at: Sum) -> bool:
        """Return whether the role to move wins. Raises OutOfBudget.

        More own turns never hurt, so of each set of shared regions the greatest integer that is
        known to lose and the least that is known to win are remembered.
        """
        most = at.empty.bit_count()  # turns that a role can make in shared regions
        if at.integer > most:
            return True
        if most + at.integer <= 0:
            return False
        key = at.own, at.theirs, at.empty
        lost, won = self._known.get(key, (-most, most + 1))
        if at.integer <= lost:
            return False
        if at.integer >= won:
            return True
        self._budget.spend()
        is_won = any(not self.wins(after) for after in self._after(at))
        lost, won = self._known.get(key, (-most, most + 1))
        if is_won:
            self._known[key] = lost, min(won, at.integer)
        else:
            self._known[key] = max(lost, at.integer), won
        return is_won

    def lead(self, at: Sum, floor: int = 0) -> int:
        """Return by how many turns the role that is not to move is ahead, at least `floor`.

        Ahead by n means that it wins even if the other role had n - 1 turns of its own more; by 0,
        that it loses. Raises OutOfBudget.
        """
        ahead = floor
        while not self.wins(replace(at, integer=at.integer + ahead)):
            ahead += 1
        return ahead

    def _after(self, at: Sum) -> Iterator[Sum]:
        """Yield the positions after each turn of the role to move, as the other role sees them."""
        for _, moved, left in self.turns(at.own, at.empty):
            yield self.sum_of(at.theirs, moved, left, -at.integer)
        if at.integer > 0:  # a turn in own regions
            yield Sum(at.theirs, at.own, at.empty, 1 - at.integer)


def find_puzzle(rules: Amazons, state: State, budget: Budget) -> Puzzle | None:
    """Return the puzzle in a position at the beginning of a turn, or None. Raises OutOfBudget."""
    if not rules.split or state.moved is not None or not rules.control(state):
        return None
    own, theirs = state.white, state.black
    if state.to_move == "black":
        own, theirs = theirs, own
    empty = rules.grid.board & ~(own | theirs | state.burnt)
    shared, alone = _sizes(rules.grid, own, theirs, empty)
    solver = Solver(rules.grid, budget)
    if shared > MAX_SHARED_SQUARES or max(alone) > MAX_OWN_SQUARES:
        return None
    if shared:
        return _cutting(rules, state, solver, (own, theirs, empty), budget)
    return _filling(rules, state, solver, (own, theirs, empty), budget)


def _sizes(grid: Grid, own: int, theirs: int, empty: int) -> tuple[int, tuple[int, int]]:
    """Return how many empty squares are shared, and how many are each role's own."""
    shared, alone = 0, [0, 0]
    for region in regions_of(grid, own | theirs | empty):
        size = (region & empty).bit_count()
        if region & own and region & theirs:
            shared += size
        elif region & (own | theirs):
            alone[0 if region & own else 1] += size
    return shared, (alone[0], alone[1])


def _filling(
    rules: Amazons, state: State, solver: Solver, sides: tuple[int, int, int], budget: Budget
) -> Puzzle | None:
    """Return a puzzle of parted sides: the turns that waste nothing."""
    own, theirs, empty = sides
    other = -solver.sum_of(0, theirs, empty).integer
    values = []
    for turn, moved, left in solver.turns(own, empty):
        values.append((turn, 1 + solver.sum_of(moved, 0, left).integer))
    best = max(value for _, value in values)
    if best < MIN_OWN_TURNS or best <= other:
        return None  # all is lost, or over at once
    return _puzzle(rules, state, Kind.FILLING, values, budget.spent, {"other": other})


def _cutting(
    rules: Amazons, state: State, solver: Solver, sides: tuple[int, int, int], budget: Budget
) -> Puzzle | None:
    """Return a puzzle of sides that still meet: the turns that win by most."""
    own, theirs, empty = sides
    values = []
    best = second = 0
    for turn, moved, left in solver.turns(own, empty):
        value = solver.lead(solver.sum_of(theirs, moved, left), second)
        values.append((turn, value))
        if value > best:
            best, second = value, best
        elif second < value < best:
            second = value
    return _puzzle(rules, state, Kind.CUTTING, values, budget.spent, {}) if best else None


def _puzzle(
    rules: Amazons,
    state: State,
    kind: Kind,
    values: list[tuple[Turn, int]],
    nodes: int,
    more: dict[str, int],
) -> Puzzle | None:
    """Return the puzzle if few of many turns have the best value."""
    best = max(value for _, value in values)
    solution = tuple(_text(turn) for turn, value in values if value == best)
    others = [value for _, value in values if value < best]
    if len(values) < MIN_TURNS or not others or len(solution) > MAX_SOLUTIONS:
        return None
    if len(solution) > MAX_SHARE * len(values):
        return None
    proof = {"best": best, "second": max(others), "turns": len(values), "nodes": nodes, **more}
    return Puzzle(rules.key, rules.write(state), state.to_move, kind, solution, proof)


def _text(turn: Turn) -> tuple[str, str]:
    origin, target, arrow = turn
    return str(Move(origin, target)), str(Fire(arrow))
