"""A star says how far a queen may go, in eight digits."""

from __future__ import annotations

from random import Random

import pytest
from unpacking import star

from games.grid import NAMES, grid, squares
from games.stars import starred

SIZES = ((10, 10), (8, 8), (14, 14), (1, 1), (5, 9))


@pytest.mark.parametrize("size", SIZES)
def test_the_squares_of_a_star_are_those_that_a_queen_reaches(size):
    board, rng = grid(*size), Random(str(size))
    for share in (0.0, 0.1, 0.3, 0.6):
        blocked = sum(1 << at for at in squares(board.board) if rng.random() < share)
        items = starred(board, board.board, blocked).split(" ")
        assert len(items) == board.board.bit_count()
        for square, item in zip(squares(board.board), items, strict=True):
            name, digits = item.split(":")
            reached = board.reach_names(square, blocked | board.wall)
            assert (name, len(digits)) == (NAMES[square], 8)
            assert sorted(star(name, digits).split()) == sorted(reached.split())


def test_only_the_squares_asked_for_are_named():
    board = grid(8, 8)
    assert starred(board, board.set_of("a1 h8"), 0) == "a1:07070700 h8:70707000"
    assert starred(board, 0, 0) == ""
