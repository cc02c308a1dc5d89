"""Puzzles of Pincer: turns that win or save with few pieces, and captures unique by a margin."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from games.core import OTHER, Role
from games.grid import squares
from games.pincer import Pincer, State
from games.players.levels import has_numba
from games.puzzles.budget import Budget
from games.puzzles.puzzle import Kind, Puzzle
from games.puzzles.turns import Turn, all_turns

MIN_TURNS: Final = 8  # that lead to different positions: fewer are tried out
MAX_POSITIONS: Final = 3  # after the turns of the solution
MIN_MARGIN: Final = 1  # pieces between the best and the second best capture
MAX_TABLE_PIECES: Final = 5
SOLVED: Final = "games.players.pincer.solved"  # loads numba: only where a table is asked for


class NoTable(Exception):
    """The table of few pieces cannot be read here; `str` is an English sentence."""


def find_puzzle(rules: Pincer, state: State, budget: Budget) -> Puzzle | None:
    """Return the puzzle in a position at the beginning of a turn, or None.

    Raises OutOfBudget. Without the table, positions with few pieces have none.
    """
    if state.stepped is not None or not rules.control(state):
        return None
    if (state.white | state.black).bit_count() > MAX_TABLE_PIECES:
        return _capture(rules, state, budget)
    try:
        return _endgame(rules, state, budget)
    except NoTable:
        return None


def distinct_turns(rules: Pincer, state: State) -> tuple[dict[State, list[Turn]], int]:
    """Return the turns by the position they lead to, and how many turns there are."""
    found: dict[State, list[Turn]] = {}
    number = 0
    for turn, after in all_turns(rules, state):
        found.setdefault(after, []).append(turn)
        number += 1
    return found, number


def lead(state: State, role: Role) -> int:
    """Return how many pieces a role is ahead."""
    ahead = state.white.bit_count() - state.black.bit_count()
    return ahead if role == "white" else -ahead


def table_value(table: Any, rules: Pincer, state: State, role: Role) -> int | None:
    """Return 1, 0 or -1: what a position at the beginning of a turn is worth to a role.

    None if the table does not have it.
    """
    outcome = rules.outcome(state)
    if outcome is not None:
        return outcome.goals[role] // 50 - 1
    own, theirs = _bits(state.white), _bits(state.black)
    if state.to_move == "black":
        own, theirs = theirs, own
    probe = import_module(f"{SOLVED}.probe")
    value = int(probe.value_at_turn(table, own, theirs, state.moves))
    if value == probe.UNKNOWN:
        return None
    return value - 1 if state.to_move == role else 1 - value


def load_table() -> Any:
    """Return the table of few pieces. Raises NoTable."""
    if not has_numba():
        raise NoTable("The table of few pieces needs numba, which is not installed here.")
    table, why = import_module(f"{SOLVED}.few_pieces").load()
    if not table.pieces:
        raise NoTable(why or "The table of few pieces is not used here.")
    return table


def _endgame(rules: Pincer, state: State, budget: Budget) -> Puzzle | None:
    """Return a puzzle out of the table: few turns win, or few do not lose. Raises NoTable."""
    table, role = load_table(), state.to_move
    positions, number = distinct_turns(rules, state)
    values: dict[State, int] = {}
    for after in positions:
        budget.spend()
        value = table_value(table, rules, after, role)
        if value is None:
            return None
        values[after] = value
    best = max(values.values())
    if best < 0:
        return None
    kind = Kind.WINNING if best > 0 else Kind.SAVING
    return _puzzle(rules, state, kind, positions, values, number, budget)


def _capture(rules: Pincer, state: State, budget: Budget) -> Puzzle | None:
    """Return a puzzle of material: the turn that leaves most pieces after the best reply."""
    role = state.to_move
    positions, number = distinct_turns(rules, state)
    if all(lead(after, role) <= lead(state, role) for after in positions):
        return None  # nothing can be won
    values: dict[State, int] = {}
    best = second = -MAX_TABLE_PIECES * 2
    # The most promising first: what cannot become the second best need not be known exactly.
    for after in sorted(positions, key=lambda after: -lead(after, role)):
        value = worst_lead(rules, after, role, budget, second)
        values[after] = value
        if value > best:
            best, second = value, best
        elif second < value < best:
            second = value
    if best <= lead(state, role) or best - second < MIN_MARGIN:
        return None
    return _puzzle(rules, state, Kind.CAPTURE, positions, values, number, budget)


def worst_lead(rules: Pincer, state: State, role: Role, budget: Budget, floor: int) -> int:
    """Return how far a role is ahead after the opponent's best turn; if `floor` or less, a bound.

    A role that moves again, because the other one cannot, is not replied to.
    """
    worst = lead(state, role)
    if rules.outcome(state) is not None or state.to_move != OTHER[role]:
        return worst
    worst = MAX_TABLE_PIECES * 2
    for _, after in all_turns(rules, state):
        budget.spend()
        worst = min(worst, lead(after, role))
        if worst <= floor:
            break
    return worst


def _puzzle(
    rules: Pincer,
    state: State,
    kind: Kind,
    positions: dict[State, list[Turn]],
    values: dict[State, int],
    number: int,
    budget: Budget,
) -> Puzzle | None:
    """Return the puzzle if turns to few of many positions have the best value."""
    best = max(values.values())
    solved = [after for after, value in values.items() if value == best]
    others = [value for value in values.values() if value < best]
    if len(positions) < MIN_TURNS or not others or len(solved) > MAX_POSITIONS:
        return None
    solution = tuple(turn for after in solved for turn in positions[after])
    proof = {"best": best, "second": max(others), "turns": number, "nodes": budget.spent}
    return Puzzle(rules.key, rules.write(state), state.to_move, kind, solution, proof)


def _bits(grid_set: int) -> int:
    """Return a set of squares of `games.grid` as `games.players.pincer.board` has it."""
    return sum(1 << 8 * ((square >> 4) - 1) + (square & 15) - 1 for square in squares(grid_set))
