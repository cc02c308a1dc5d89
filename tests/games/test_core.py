"""Squares, sets, effects as values, the catalogue and the sentences."""

from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

from games.catalogue import RULES, UnknownRules, rules_of
from games.choices import Listed, Paths
from games.core import NOOP, SENTENCES, Code, IllegalAction, Outcome
from games.effects import Count, Place, Remove, Slide
from games.grid import NAMES, Grid, grid, names, nth, picture, squares
from games.moves import Fire, Move, Play


def test_the_catalogue_has_the_five():
    assert {key: rules.name for key, rules in RULES.items()} == {
        "amazons": "Amazons, free arrow",
        "amazons-10x10": "Amazons",
        "amazons-8x8": "Amazons 8×8",
        "blotto": "Colonel Blotto",
        "pincer": "Pincer",
    }
    with pytest.raises(UnknownRules, match="no rule set “chess”"):
        rules_of("chess")
    assert issubclass(UnknownRules, KeyError)


def test_every_code_has_a_sentence():
    for code in Code:
        sentence = str(IllegalAction(code, "d1", "d7"))
        assert sentence.endswith(".") and "{" not in sentence and code in SENTENCES
        assert str(code) == code.name.lower()


def test_a_sentence_names_its_squares():
    error = IllegalAction(Code.NOT_A_LINE, "d1", "e3")
    assert (error.code, error.squares) == ("not_a_line", ("d1", "e3"))
    assert str(error) == "No straight line leads from d1 to e3."


def test_canonical_json_has_one_text_for_one_value():
    d1, d7, j10 = 16 + 4, 16 * 7 + 4, 16 * 10 + 10
    assert [str(action) for action in (Move(d1, d7), Fire(j10), Play(d1, d7, j10), NOOP)] == [
        "move 4 1 4 7",
        "fire 10 10",
        "play 4 1 4 7 10 10",
        "noop",
    ]
    assert NAMES[d1] == "d1" and NAMES[j10] == "j10"


@pytest.mark.parametrize(("width", "height"), [(1, 1), (7, 7), (8, 8), (10, 10), (14, 14), (3, 9)])
def test_a_grid_of_any_size_knows_its_squares_and_its_wall(width, height):
    board = grid(width, height)
    inner = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)]
    assert [(s & 15, s >> 4) for s in squares(board.board)] == inner
    assert board.wall.bit_count() == 2 * (width + height) + 4 and not board.wall & board.board
    assert picture(board) == "/".join(["." * width] * height)
    for square in squares(board.board):
        assert board.steps[square] == board.step(1 << square) & board.board


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, 0), (15, 5), (5, 15)])
def test_a_grid_outside_the_tables_is_refused(width, height):
    with pytest.raises(ValueError, match="1 to 14"):
        Grid(width, height)


@pytest.mark.parametrize(("width", "height"), [(8, 8), (10, 10), (3, 9)])
def test_reach_is_what_a_walk_finds(width, height):
    board, rng = grid(width, height), Random(width)
    for _ in range(60):
        blocked = board.wall
        for square in squares(board.board):
            blocked |= (rng.random() < 0.3) << square
        square = rng.choice(list(squares(board.board)))
        found = 0
        for dx, dy in [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]:
            at = square + 16 * dy + dx
            while not blocked >> at & 1:
                found |= 1 << at
                at += 16 * dy + dx
        assert board.reach(square, blocked) == found
        assert set(board.reach_names(square, blocked).split()) == set(names(found).split())


def test_a_picture_is_read_back():
    board = grid(3, 2)
    white, black, burnt = 1 << 33 | 1 << 19, 1 << 18, 1 << 35
    assert picture(board, ("W", white), ("B", black), ("x", burnt)) == "W.x/.BW"
    assert board.read_rows("W.x/.BW", "WBx") == [white, black, burnt]
    for wrong in ("W.x", "W.x/.B", "W.x/.BWW", "W.x/.Bq", "W.x/.B\u0130", "W.x/.BW/"):
        with pytest.raises(ValueError, match="the board"):
            board.read_rows(wrong, "WBx")


def test_paths_are_counted_sampled_and_found_in_one_order():
    fans = [((1,), 0b1010), ((2,), 0), ((3,), 0b1)]
    paths = Paths(lambda: fans, Move, lambda action: action == Move(1, 3))
    assert list(paths) == [Move(1, 1), Move(1, 3), Move(3, 0)] and len(paths) == 3
    assert Move(1, 3) in paths and Move(3, 0) not in paths
    rng = Random(2)
    drawn = [paths.sample(rng) for _ in range(900)]
    assert all(230 < drawn.count(action) < 370 for action in paths)
    assert nth(0b1010, 1) == 3
    empty = Paths(lambda: [((2,), 0)], Move, lambda action: False)
    assert not empty and len(empty) == 0 and list(empty) == []
    with pytest.raises(IndexError):
        empty.sample(rng)


def test_listed_choices_are_what_was_listed():
    assert list(Listed(NOOP)) == [NOOP] and NOOP in Listed(NOOP) and NOOP not in Listed()


def test_effects_are_objects_of_their_fields_in_json():
    effects = (
        Slide("white", "a4", "b4"),
        Place("white", "b4", "c4"),
        Remove("black", ("a5", "b5"), ("wall", "c5"), "row"),
        Count(0, {"white": 5, "black": 4}, {"white": 2, "black": 0}),
    )
    assert json.loads(msgspec.json.encode(effects)) == [
        {"kind": "slide", "role": "white", "start": "a4", "end": "b4"},
        {"kind": "place", "role": "white", "start": "b4", "at": "c4"},
        {
            "kind": "remove",
            "role": "black",
            "squares": ["a5", "b5"],
            "jaws": ["wall", "c5"],
            "axis": "row",
        },
        {
            "kind": "count",
            "field": 0,
            "troops": {"white": 5, "black": 4},
            "points": {"white": 2, "black": 0},
        },
    ]


def test_an_outcome_names_its_winner():
    assert Outcome({"white": 100, "black": 0}, "no_moves").winner == "white"
    assert Outcome({"white": 11, "black": 19}, "rounds").winner == "black"
    assert Outcome({"white": 50, "black": 50}, "one_each").winner is None
