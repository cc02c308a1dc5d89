"""Floods and terms of the evaluation, compared with slow cell-by-cell counts."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from games.players.amazons.area_turns import new_scratch
from games.players.amazons.areas import is_parted
from games.players.amazons.distances import count_inputs
from games.players.amazons.evaluation import evaluate
from games.players.amazons.general_weights import WEIGHTS, from_terms
from games.players.amazons.position import read
from tests.games.stories import drawn
from tests.players.amazons.boards import random_position, slow_inputs

LETTERS = {"white": ("W", "B"), "black": ("B", "W")}
SCRATCH = new_scratch()
SIZES = ["amazons-10x10", "amazons-8x8"]


@pytest.mark.parametrize("key", SIZES)
@pytest.mark.parametrize("turns", [0, 3, 12, 25, 40, 55])
def test_the_inputs_are_those_of_their_definitions(key, turns):
    rng = Random(turns)
    for _ in range(10):
        story = random_position(key, turns, rng)
        if story.outcome is not None:
            continue
        words = read(story.view).words
        w, inputs = slow_inputs(story.view["board"], *LETTERS[story.state.to_move])
        assert count_inputs(*words, SCRATCH.waves, SCRATCH.inputs) == w
        assert list(SCRATCH.inputs) == pytest.approx(inputs, abs=1e-9)


@pytest.mark.parametrize("turns", [0, 12, 25, 40])
def test_weights_of_terms_weigh_the_inputs_as_the_terms(turns):
    story = random_position("amazons-8x8", turns, Random(turns))
    _, inputs = slow_inputs(story.view["board"], *LETTERS[story.state.to_move])
    queens, kings = np.reshape(inputs[:25], (5, 5)), np.reshape(inputs[25:61], (6, 6))
    t1 = sum(queens[i, j] * ((i < j) - (i > j)) for i in range(5) for j in range(5))
    t2 = sum(kings[i, j] * ((i < j) - (i > j)) for i in range(6) for j in range(6))
    even = sum(queens[i, i] for i in range(4))
    for row, expected in (
        ((1, 0, 0, 0, 0, 0), t1),
        ((0, 1, 0, 0, 0, 0), even),
        ((0, 0, 1, 0, 0, 0), t2),
        ((0, 0, 0, 0, 0, 1), inputs[61] - inputs[62]),
    ):
        assert from_terms([row])[0] @ inputs == pytest.approx(expected)


def test_a_position_is_worth_the_same_to_both_colours_when_turned_round():
    story = random_position("amazons-10x10", 21, Random(5))
    board = "/".join(row[::-1] for row in reversed(story.view["board"].split("/")))
    turned = board.translate(str.maketrans("WB", "BW"))
    other = {"white": "black", "black": "white"}[story.state.to_move]
    view = {"board": turned, "to_move": other, "moved": None}
    assert evaluate(*read(view).words, WEIGHTS, SCRATCH) == pytest.approx(
        evaluate(*read(story.view).words, WEIGHTS, SCRATCH), abs=1e-9
    )


def test_a_side_that_is_to_move_and_shut_in_has_lost():
    story = drawn(
        "amazons-8x8",
        """
        ......B.
        ........
        ........
        ........
        ........
        xxx.....
        WWx.....
        WWx.....""",
    )
    assert evaluate(*read(story.view).words, WEIGHTS, SCRATCH) == -1.0


def test_one_cell_more_decides_when_all_areas_are_separate():
    apart = """
        ..xxxxB.
        W.xxxxxx
        xxxxxxxx
        xxxxxxxx
        xxxxxxxx
        xxxxxxxx
        xxxxxxxx
        xxxxxxxx"""
    white, black = (read(drawn("amazons-8x8", apart, role).view) for role in LETTERS)
    assert is_parted(white)
    assert evaluate(*white.words, WEIGHTS, SCRATCH) > 0.5
    assert evaluate(*black.words, WEIGHTS, SCRATCH) < -0.5


def test_neighbours_are_not_parted_though_no_empty_cell_is_shared():
    story = drawn(
        "amazons-8x8",
        """
        .WB.xxxx
        xxxxxxxx
        xxxxxxxx
        xxxxxxxx
        xxxxxxxx
        xxxxxxxx
        xxxxxxxx
        xxxxxxxx""",
    )
    assert not is_parted(read(story.view))
