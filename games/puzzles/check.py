"""Check of a puzzle in plain Python, by other ways than those that found it.

- Amazons: a search through the rules themselves, one region at a time; only the sum of integers is
  taken from theory. A region of one role is filled through the rules too.
- Pincer: turns and replies through the rules. With few pieces, the whole game to its end where at
  most `SEARCHED_MOVES` are left; else the table, whose own tests compare it with such searches.
- Blotto: the points of each split, counted field by field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any, Final

from games.amazons import Amazons, State
from games.blotto import Blotto
from games.blotto import State as BlottoState
from games.catalogue import rules_of
from games.core import OTHER, Role, Rules
from games.counting import regions_of
from games.pincer import Pincer
from games.pincer import State as PincerState
from games.puzzles.budget import Budget
from games.puzzles.pincer import load_table, table_value
from games.puzzles.puzzle import Kind, Puzzle
from games.puzzles.turns import Turn, all_turns

MAX_NODES: Final = 200_000
SEARCHED_MOVES: Final = 4  # single moves to the end of the game


class WrongPuzzle(ValueError):
    """A puzzle that says something false; `str` is an English sentence."""


def check(puzzle: Puzzle, budget: Budget | None = None) -> None:
    """Raise WrongPuzzle unless exactly the turns of the solution have the best value.

    Raises OutOfBudget, and NoTable where a puzzle of few pieces cannot be checked here.
    """
    values = turn_values(puzzle, budget or Budget(MAX_NODES))
    best = max(values.values(), default=0)
    others = [value for value in values.values() if value < best]
    if {turn for turn, value in values.items() if value == best} != set(puzzle.solution):
        raise WrongPuzzle("The solution is not the turns of the best value.")
    if not others:
        raise WrongPuzzle("No turn is worse than the solution.")
    said = puzzle.proof["best"], puzzle.proof["second"], puzzle.proof["turns"]
    if said != (best, max(others), len(values)):
        raise WrongPuzzle("The proof has other values, or another number of turns.")


def turn_values(puzzle: Puzzle, budget: Budget) -> Mapping[Turn, int]:
    """Return the value of each turn of a puzzle's position."""
    rules = rules_of(puzzle.rules)
    state = rules.read(puzzle.position)
    if puzzle.role not in rules.control(state):
        raise WrongPuzzle("The role is not to move.")
    if isinstance(rules, Blotto):
        return _blotto_values(rules, state, puzzle.role)
    if isinstance(rules, Pincer):
        return _pincer_values(rules, state, puzzle.kind, budget)
    if isinstance(rules, Amazons) and rules.split:
        if puzzle.kind is Kind.FILLING and puzzle.proof["other"] != _own_turns(
            rules, state, OTHER[state.to_move], budget
        ):
            raise WrongPuzzle("The opponent has another number of turns.")
        return amazons_values(rules, state, puzzle.kind, budget)
    raise WrongPuzzle("There are no puzzles of these rules.")


def amazons_values(rules: Amazons, state: State, kind: Kind, budget: Budget) -> Mapping[Turn, int]:
    """Return the value of each turn: the own turns of parted sides, else the lead that it keeps.

    A lead of n means that the role wins even if the other one had n - 1 turns of its own more.
    """
    role = state.to_move
    if _shared(rules, state) and kind is Kind.FILLING:
        raise WrongPuzzle("The sides are not parted.")
    search = _Search(rules, budget)
    values = {}
    for turn, after in all_turns(rules, state):
        if kind is Kind.FILLING:
            values[turn] = 1 + _own_turns(rules, after, role, budget)
        else:
            lead = 0
            while not search.is_won(after, lead):
                lead += 1
            values[turn] = lead
    return values


def _shared(rules: Amazons, state: State) -> list[int]:
    """Return the regions with an empty square and amazons of both roles."""
    all_ = rules.grid.board & ~state.burnt
    amazons = state.white | state.black
    return [
        region
        for region in regions_of(rules.grid, all_)
        if region & state.white and region & state.black and region & ~amazons
    ]


def _own_turns(rules: Amazons, state: State, role: Role, budget: Budget) -> int:
    """Return the most turns that a role has in regions where it is alone."""
    total = 0
    for region in regions_of(rules.grid, rules.grid.board & ~state.burnt):
        own, other = (state.white, state.black) if role == "white" else (state.black, state.white)
        if region & own and not region & other:
            alone = _only(rules, state, region)
            total += _fill(rules, replace(alone, to_move=role), {}, budget)
    return total


def _only(rules: Amazons, state: State, squares: int) -> State:
    """Return a position in which everything but some squares is burnt."""
    burnt = rules.grid.board & ~squares
    return State(state.white & squares, state.black & squares, burnt, state.to_move, None, 0)


def _fill(rules: Amazons, state: State, known: dict[State, int], budget: Budget) -> int:
    """Return the most turns that the role to move has if the other one always passes."""
    state = replace(state, turns=0)
    if state not in known:
        budget.spend()
        best, empty = 0, rules.grid.board & ~(state.white | state.black | state.burnt)
        for _, after in all_turns(rules, state):
            passed = replace(after, to_move=state.to_move)
            best = max(best, 1 + _fill(rules, passed, known, budget))
            if best == empty.bit_count():
                break
        known[state] = best
    return known[state]


class _Search:
    """Whether the role to move wins, by all its turns in shared regions and all replies."""

    def __init__(self, rules: Amazons, budget: Budget) -> None:
        self._rules = rules
        self._budget = budget
        self._known: dict[tuple[State, int], bool] = {}

    def is_won(self, state: State, more: int = 0) -> bool:
        """Return whether the role to move wins a position with this many own turns more."""
        rules = self._rules
        lead = more + _own_turns(rules, state, state.to_move, self._budget)
        lead -= _own_turns(rules, state, OTHER[state.to_move], self._budget)
        return self._is_won(_only(rules, state, sum(_shared(rules, state))), lead)

    def _is_won(self, state: State, lead: int) -> bool:
        """Return the same for shared regions, and the own turns that the role to move has more."""
        empty = self._rules.grid.board & ~(state.white | state.black | state.burnt)
        if abs(lead) > empty.bit_count() or not empty:
            return lead > 0
        key = state, lead
        if key not in self._known:
            self._budget.spend()
            self._known[key] = self._has_winning_turn(state, lead)
        return self._known[key]

    def _has_winning_turn(self, state: State, lead: int) -> bool:
        rules, role = self._rules, state.to_move
        for _, after in all_turns(rules, state):
            theirs = _own_turns(rules, after, OTHER[role], self._budget) - lead
            theirs -= _own_turns(rules, after, role, self._budget)
            if not self._is_won(_only(rules, after, sum(_shared(rules, after))), theirs):
                return True
        if lead <= 0:
            return False
        return not self._is_won(replace(state, to_move=OTHER[role]), 1 - lead)


def _pincer_values(
    rules: Pincer, state: PincerState, kind: Kind, budget: Budget
) -> Mapping[Turn, int]:
    role, turns = state.to_move, list(all_turns(rules, state))
    if kind is Kind.CAPTURE:
        return {turn: _least_lead(rules, after, role, budget) for turn, after in turns}
    known: dict[PincerState, int] = {}
    for _, after in turns:
        if after in known:
            continue
        if rules.limit - after.moves <= SEARCHED_MOVES:
            known[after] = searched_result(rules, after, role, budget)
        else:
            value = table_value(load_table(), rules, after, role)
            if value is None:
                raise WrongPuzzle("The table does not have the position after a turn.")
            known[after] = value
    return {turn: known[after] for turn, after in turns}


def _least_lead(rules: Pincer, state: PincerState, role: Role, budget: Budget) -> int:
    """Return the pieces that a role is ahead after the reply that is worst for it."""
    ends = [state]
    if rules.outcome(state) is None and state.to_move != role:
        ends = [after for _, after in all_turns(rules, state)]
    leads = []
    for end in ends:
        budget.spend()
        ahead = end.white.bit_count() - end.black.bit_count()
        leads.append(ahead if role == "white" else -ahead)
    return min(leads)


def searched_result(rules: Rules[Any], state: Any, role: Role, budget: Budget) -> int:
    """Return 1, 0 or -1: what a position is worth to a role, by all turns to the game's end."""
    outcome = rules.outcome(state)
    if outcome is not None:
        return outcome.goals[role] // 50 - 1
    is_own = state.to_move == role
    best = -1 if is_own else 1
    for after in dict.fromkeys(after for _, after in all_turns(rules, state)):
        budget.spend()
        value = searched_result(rules, after, role, budget)
        best = max(best, value) if is_own else min(best, value)
        if best == (1 if is_own else -1):
            break
    return best


def _blotto_values(rules: Blotto, state: BlottoState, role: Role) -> Mapping[Turn, int]:
    """Return the points of each split against all splits of the other role."""
    theirs = [black if role == "white" else white for white, black in state.rounds]
    values: dict[Turn, int] = {}
    for split in product(range(rules.total + 1), repeat=rules.fields):
        if sum(split) != rules.total:
            continue
        points = 0
        for other in theirs:
            for own, troops in zip(split, other, strict=True):
                points += (own > troops) + (own >= troops)
        values["troops " + " ".join(map(str, split)),] = points
    return values
