"""Puzzles of all games: the check accepts what was found, and nothing that says something else."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue import BLOTTO, PINCER
from games.core import ROLES
from games.grid import squares
from games.players.levels import has_numba
from games.puzzles import blotto, pincer
from games.puzzles.budget import Budget
from games.puzzles.check import WrongPuzzle, check, searched_result, turn_values
from games.puzzles.command import play
from games.puzzles.mine import mine
from games.puzzles.puzzle import BadPuzzle, Kind, Puzzle, as_json, parse
from games.puzzles.turns import NotOneTurn, all_turns, play_turn
from tests.games.puzzles.small_endings import late_pincer

NODES = 300_000
AGAINST = "0,0,10:0,5,5/0,0,10:0,5,5/0,0,10:5,3,2/0,0,10:4,4,2"


def reply() -> Puzzle:
    puzzle = blotto.find_puzzle(BLOTTO, BLOTTO.read(AGAINST), "white")
    assert puzzle is not None
    return puzzle


def test_the_best_reply_is_the_one_split_that_wins_most_points() -> None:
    puzzle = reply()
    (turn,) = puzzle.solution
    values = turn_values(puzzle, Budget(NODES))
    assert values[turn] == max(values.values()) == puzzle.proof["best"]
    check(puzzle)


def _splits() -> st.SearchStrategy[tuple[int, ...]]:
    pair = st.tuples(st.integers(0, 10), st.integers(0, 10)).filter(lambda cut: cut[0] <= cut[1])
    return pair.map(lambda cut: (cut[0], cut[1] - cut[0], 10 - cut[1]))


@given(st.lists(st.tuples(_splits(), _splits()), min_size=3, max_size=4), st.sampled_from(ROLES))
@settings(max_examples=50, deadline=None)
def test_each_reply_that_is_found_is_checked(rounds, role) -> None:
    state = BLOTTO.read("/".join(f"{_text(w)}:{_text(b)}" for w, b in rounds))
    puzzle = blotto.find_puzzle(BLOTTO, state, role)
    if puzzle is not None:
        check(puzzle)
        assert puzzle.proof["best"] > puzzle.proof["second"]


def _text(split) -> str:
    return ",".join(map(str, split))


@given(late_pincer())
@settings(max_examples=20, deadline=None)
def test_each_capture_that_is_found_is_checked(state) -> None:
    puzzle = pincer.find_puzzle(PINCER, state, Budget(NODES))
    if puzzle is not None:
        check(puzzle)
        assert puzzle.proof["best"] > puzzle.proof["second"]


@pytest.mark.skipif(not has_numba(), reason="the table needs numba")
@given(late_pincer(left=4), st.data())
@settings(max_examples=10, deadline=None)
def test_values_of_the_table_are_those_of_the_whole_game(state, data) -> None:
    table = pincer.load_table()
    pieces = list(squares(state.white)), list(squares(state.black))
    white, black = (sum(1 << s for s in found[:2]) for found in pieces)
    few = PINCER.read(PINCER.write(replace(state, white=white, black=black)))
    for _, after in list(all_turns(PINCER, few))[::7]:
        value = pincer.table_value(table, PINCER, after, few.to_move)
        if value is not None:
            searched = searched_result(PINCER, after, few.to_move, Budget(NODES))
            assert value == searched, PINCER.write(after)


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("solution", (("troops 10 0 0",),)),
        ("proof", {"best": 99}),
        ("proof", {"second": 0}),
        ("proof", {"turns": 65}),
        ("role", "black"),
        ("position", "-"),
    ],
)
def test_a_puzzle_that_says_something_else_is_refused(change, value) -> None:
    puzzle = reply()
    if change == "proof":
        value = {**puzzle.proof, **value}
    with pytest.raises(WrongPuzzle):
        check(replace(puzzle, **{change: value}))


def test_a_solution_has_every_best_turn() -> None:
    puzzle = reply()
    with pytest.raises(WrongPuzzle):
        check(replace(puzzle, solution=(*puzzle.solution, ("troops 10 0 0",))))


def test_without_the_table_few_pieces_have_no_puzzle(monkeypatch) -> None:
    state = PINCER.read("......./.W...B./......./......./.W...B./......./....... white - 40 20")
    monkeypatch.setattr(pincer, "has_numba", lambda: False)
    assert pincer.find_puzzle(PINCER, state, Budget(NODES)) is None
    puzzle = Puzzle("pincer", PINCER.write(state), "white", Kind.WINNING, (), {"turns": 1})
    with pytest.raises(pincer.NoTable):
        check(puzzle)


def test_json_and_back() -> None:
    puzzle = reply()
    assert parse(as_json(puzzle)) == puzzle
    assert parse(as_json(puzzle)).slug == puzzle.slug
    assert len(puzzle.slug) == 8


@pytest.mark.parametrize(
    "change",
    [
        {"rules": "chess"},
        {"rules": "amazons"},
        {"kind": "filling"},
        {"role": "red"},
        {"position": "6,4,0:5,5"},
        {"solution": []},
        {"solution": [["troops 9 9 9"]]},
        {"solution": [["move 1 1 2 2"]]},
        {"proof": None},
    ],
)
def test_json_that_is_no_puzzle_is_refused(change) -> None:
    with pytest.raises(BadPuzzle):
        parse({**as_json(reply()), **change})
    with pytest.raises(BadPuzzle):
        parse([])


def test_a_turn_is_one_whole_turn() -> None:
    state = PINCER.start()
    turn, after = next(all_turns(PINCER, state))
    assert play_turn(PINCER, state, turn) == after
    for wrong in ((), turn[:1], (*turn, turn[0])):
        with pytest.raises(NotOneTurn):
            play_turn(PINCER, state, wrong)


def test_a_game_of_blotto_has_at_most_one_puzzle_of_each_kind() -> None:
    states = play(BLOTTO, Random("blotto 1 0"))
    found = [puzzle for puzzle in mine(BLOTTO, states) if puzzle is not None]
    assert len(found) <= 1
    for puzzle in found:
        check(puzzle)
