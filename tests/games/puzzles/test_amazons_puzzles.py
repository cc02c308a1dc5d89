"""Values of endings of Amazons equal those of a search by the rules alone."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from games.catalogue import AMAZONS, AMAZONS_8X8
from games.core import assemble_joint
from games.puzzles.amazons import Solver, find_puzzle
from games.puzzles.budget import Budget, OutOfBudget
from games.puzzles.check import amazons_values, check
from games.puzzles.puzzle import Kind
from games.puzzles.turns import all_turns
from tests.games.puzzles.small_endings import SMALL, endings, wins, with_spare

NODES = 100_000
ROWS = "/".join
PARTED = ["W...xxxx", "...xxxxx", *["xxxxxxxx"] * 5, "xxxxx.BB"]


def solver_value(state, more: int = 0) -> bool:
    own, theirs = state.white, state.black
    if state.to_move == "black":
        own, theirs = theirs, own
    empty = SMALL.grid.board & ~(own | theirs | state.burnt)
    solver = Solver(SMALL.grid, Budget(NODES))
    return solver.wins(solver.sum_of(own, theirs, empty, more))


@given(endings())
@settings(max_examples=60, deadline=None)
def test_the_solver_agrees_with_the_rules(state) -> None:
    assert solver_value(state) == wins(SMALL, state)


@given(endings(most_empty=4))
@settings(max_examples=30, deadline=None)
def test_an_own_turn_more_is_worth_what_a_row_apart_is(state) -> None:
    for spare in (1, 2):
        assert solver_value(state, spare) == wins(*with_spare(SMALL.grid, state, spare))


@given(endings())
@settings(max_examples=40, deadline=None)
def test_solver_and_check_give_each_turn_the_same_value(state) -> None:
    assume(SMALL.control(state))
    values = amazons_values(SMALL, state, Kind.CUTTING, Budget(NODES))
    for turn, after in all_turns(SMALL, state):
        assert (values[turn] > 0) == (not wins(SMALL, after)), turn
        own, theirs = after.white, after.black
        if after.to_move == "black":
            own, theirs = theirs, own
        empty = SMALL.grid.board & ~(own | theirs | after.burnt)
        solver = Solver(SMALL.grid, Budget(NODES))
        assert solver.lead(solver.sum_of(own, theirs, empty)) == values[turn]


@given(endings())
@settings(max_examples=60, deadline=None)
def test_own_turns_are_the_longest_sequence_alone(state) -> None:
    alone = replace(state, white=state.white | state.black, black=0, to_move="white")

    def longest(at) -> int:
        turns = (after for _, after in all_turns(SMALL, at))
        return max((1 + longest(replace(after, to_move="white")) for after in turns), default=0)

    assume((SMALL.grid.board & ~(alone.white | alone.burnt)).bit_count() <= 4)
    solver = Solver(SMALL.grid, Budget(NODES))
    empty = SMALL.grid.board & ~(alone.white | alone.burnt)
    assert solver.sum_of(alone.white, 0, empty).integer == longest(alone)


@given(endings())
@settings(max_examples=60, deadline=None)
def test_what_is_found_on_a_large_board_is_checked(state) -> None:
    large = replace(state, burnt=AMAZONS_8X8.grid.board & ~(_kept(state)))
    puzzle = find_puzzle(AMAZONS_8X8, large, Budget(NODES))
    if puzzle is None:
        return
    check(puzzle)
    assert puzzle.proof["best"] > max(0, puzzle.proof["second"])
    best = {turn for turn, after in all_turns(AMAZONS_8X8, large) if not wins(AMAZONS_8X8, after)}
    assert set(puzzle.solution) <= best  # each of them wins


def _kept(state) -> int:
    return SMALL.grid.board & ~state.burnt


def test_filling_asks_for_the_turns_that_waste_nothing() -> None:
    # White has room for six turns in the middle, Black for five at the top: a wasted turn loses.
    rows = ["xxB.....", "xxxxxxxx", "xx..xxxx", "x.x.xxxx"]
    rows += ["xxxWxxxx", "xxx.xxxx", "xx.xxxxx", "xxxxxxxx"]
    state = AMAZONS_8X8.read(f"{ROWS(rows)} white - 40")
    puzzle = find_puzzle(AMAZONS_8X8, state, Budget(NODES))
    assert puzzle is not None
    assert puzzle.kind is Kind.FILLING
    assert puzzle.solution == (("move 4 4 4 3", "fire 3 2"), ("move 4 4 4 5", "fire 4 6"))
    assert (puzzle.proof["best"], puzzle.proof["second"], puzzle.proof["other"]) == (6, 5, 5)
    check(puzzle)


def test_the_free_arrow_and_the_middle_of_a_turn_have_no_puzzle() -> None:
    assert find_puzzle(AMAZONS, AMAZONS.start(), Budget(NODES)) is None
    state = AMAZONS_8X8.read(f"{ROWS(PARTED)} white - 50")
    first = next(iter(AMAZONS_8X8.choices(state, "white")))
    middle = AMAZONS_8X8.play(state, assemble_joint(AMAZONS_8X8, state, {"white": first}))
    assert find_puzzle(AMAZONS_8X8, middle, Budget(NODES)) is None


def test_a_search_ends_with_its_budget() -> None:
    state = AMAZONS_8X8.read(f"{ROWS(PARTED)} white - 50")
    with pytest.raises(OutOfBudget):
        find_puzzle(AMAZONS_8X8, state, Budget(1))
