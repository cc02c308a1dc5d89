"""The fast position of Pincer agrees with the rules in every state."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue import PINCER
from games.core import NOOP, OTHER
from games.pincer import State
from games.players.pincer.board import begin_turn, is_decided
from games.players.pincer.deepening import after
from games.players.pincer.evaluation import FULL, evaluate, weights
from games.players.pincer.position import move_of, position_of, step_of
from games.players.pincer.search import list_steps, result
from games.players.pincer.tree import COUNT, NO_STEP, OWN, STEPPED, THEIRS, Tree, new_tree

TREE: Tree = new_tree(2, weights(FULL))


def seen(state: State):
    """The fast position, through what the role in control is shown."""
    return position_of(PINCER.view(state, state.to_move), state.to_move)


def listed(at) -> set[str]:
    """The fast legal set."""
    frames = TREE.frames
    frames[OWN], frames[THEIRS], frames[STEPPED] = at.own, at.theirs, at.stepped
    legal = list_steps(TREE, 0, NO_STEP, False)
    assert legal == frames[COUNT]
    return {str(move_of(int(step))) for step in TREE.steps[:legal]}


def played(state: State, move):
    return PINCER.play(state, {state.to_move: move, OTHER[state.to_move]: NOOP})


def agree(state: State, rng: Random) -> int:
    """Plays on at random and compares all states; returns their number."""
    count = 0
    while PINCER.control(state):
        role, at, count = state.to_move, seen(state), count + 1
        choices = list(PINCER.choices(state, role))
        assert listed(at) == {str(move) for move in choices}
        assert not is_decided(at.own, at.theirs, at.moves)
        move = rng.choice(choices)
        assert move_of(step_of(move)) == move
        below, is_same = after(at, step_of(move))
        state = played(state, move)
        assert below.moves == state.moves
        if PINCER.control(state):
            assert below == seen(state)
            assert is_same == (state.to_move == role)
    at = position_of(PINCER.view(state, "white"), "white")
    assert is_decided(at.own, at.theirs, at.moves) or not listed(seen(state))
    goals = PINCER.outcome(state).goals
    value = result(at.own, at.theirs, at.moves)
    assert (value > 0) - (value < 0) == (goals["white"] > 50) - (goals["white"] < 50)
    return count


@pytest.mark.slow
def test_games_from_the_start_agree_with_the_rules_in_every_state():
    assert sum(agree(PINCER.start(), Random(seed)) for seed in range(60)) > 1_500


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 16), st.integers(0, 24), st.integers(0, 49))
def test_set_up_boards_agree_with_the_rules_in_every_state(seed, white, black, moves):
    rng = Random(seed)
    squares = rng.sample(range(49), white + black)
    board = ["."] * 49
    for index, square in enumerate(squares):
        board[square] = "W" if index < white else "B"
    rows = "/".join("".join(board[7 * y : 7 * y + 7]) for y in range(7))
    agree(PINCER.read(f"{rows} {rng.choice(['white', 'black'])} - {moves} 0"), rng)


def test_the_evaluation_is_the_same_for_a_board_turned_round():
    board = "W..B.../..W..../...B.../......B/......./.W...../......."
    turned = "/".join(row[::-1] for row in reversed(board.split("/")))
    values = [
        evaluate(at.own, at.theirs, at.stepped, weights(FULL))
        for at in (seen(PINCER.read(f"{rows} white - 4 2")) for rows in (board, turned))
    ]
    assert values[0] == values[1] != 0


def test_a_role_that_cannot_step_is_passed_over():
    # Only on a board that is set up: after a step such pieces would have been captured.
    state = PINCER.read("WB...../WB...../BB...../......./......./......./......B white - 8 3")
    assert state.to_move == "black"
    at = seen(state)
    assert begin_turn(at.own, at.theirs) == (at.own, at.theirs, 0, True)
    agree(state, Random(1))


def test_a_board_without_steps_is_counted():
    stuck = PINCER.read("/".join(["WBWBWBW", "BWBWBWB"] * 3 + ["WBWBWBW"]) + " white - 8 3")
    assert PINCER.outcome(stuck).reason == "stuck"
    assert agree(stuck, Random(0)) == 0
