"""Floods and terms of the evaluation, compared with slow cell-by-cell counts."""

from __future__ import annotations

from random import Random

import pytest

from games.players.amazons.area_turns import new_scratch
from games.players.amazons.areas import is_parted
from games.players.amazons.evaluation import WEIGHTS, evaluate, terms
from games.players.amazons.position import read
from tests.games.stories import drawn
from tests.players.amazons.boards import random_position, slow_terms

LETTERS = {"white": ("W", "B"), "black": ("B", "W")}
SCRATCH = new_scratch()
SIZES = ["amazons-10x10", "amazons-8x8"]


@pytest.mark.parametrize("key", SIZES)
@pytest.mark.parametrize("turns", [0, 3, 12, 25, 40, 55])
def test_the_terms_are_those_of_their_definitions(key, turns):
    rng = Random(turns)
    for _ in range(10):
        story = random_position(key, turns, rng)
        if story.outcome is not None:
            continue
        words = read(story.view).words
        expected = slow_terms(story.view["board"], *LETTERS[story.state.to_move])
        assert terms(*words) == pytest.approx(expected, abs=1e-9)


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
