"""Pincer: turns of two moves, ends and refusals, as drawings."""

from __future__ import annotations

import pytest

from games.catalogue import PINCER
from games.core import Outcome
from tests.games.stories import after, drawn, rows

WHITE_WINS = {"white": 100, "black": 0}
DRAW = {"white": 50, "black": 50}


def test_white_begins_with_ten_steps_from_the_squares_of_the_rules():
    story = after("pincer")
    assert story.mover == "white" and len(story.legal) == 10
    assert story.view == {
        "board": rows(
            """
            W.....B
            .......
            W.....B
            .......
            B.....W
            .......
            B.....W"""
        ),
        "width": 7,
        "height": 7,
        "to_move": "white",
        "step": 1,
        "of": 2,
        "stepped": None,
        "moves_made": 0,
        "moves_limit": 50,
        "turns": 0,
    }


def test_a_turn_is_two_moves_with_two_different_pieces():
    first = after("pincer", "a5-b5")
    assert first.mover == "white" and first.view["turns"] == 0
    assert (first.view["step"], first.view["of"], first.view["stepped"]) == (2, 2, "b5")
    assert not any(text.startswith("move 2 5") for text in first.legal)
    second = first.play("a7-a6")
    assert second.mover == "black" and second.view["turns"] == 1
    assert (second.view["step"], second.view["stepped"]) == (1, None)


def test_the_second_move_is_due_although_the_first_piece_died():
    story = drawn(
        "pincer",
        """
        .......
        .W.....
        .......
        ..W...B
        .B.B..W
        ......W
        B......""",
    ).play("c4-c3")
    assert story.mover == "white" and story.view["step"] == 2 and story.view["stepped"] is None
    assert story.rules.write(story.state).split(" ")[1:] == ["white", "x", "1", "0"]
    assert {text[5:8] for text in story.legal} == {"2 6", "7 3", "7 2"}


def test_two_moves_are_due_if_there_were_two_pieces_when_the_turn_began():
    """The first of two whites dies in its own step; the other still makes the second move."""
    story = drawn(
        "pincer",
        """
        ......W
        .......
        .......
        ..W....
        .B.B...
        .......
        B......""",
    ).play("c4-c3")
    assert story.mover == "white" and story.legal == {"move 7 7 6 7", "move 7 7 7 6"}
    ended = story.play("g7-g6")
    assert ended.mover == "black" and ended.view["turns"] == 1


def test_the_turn_ends_if_no_different_piece_is_left_for_the_second_move():
    """a1 is taken when the first move is judged, and the piece that moved may not move again."""
    story = drawn(
        "pincer",
        """
        ......B
        .......
        .......
        ...W...
        .......
        .......
        WB.....""",
    ).play("d4-d5")
    assert story.at("a1") is None and story.mover == "black" and story.view["turns"] == 1


def test_with_one_piece_a_turn_is_one_move():
    story = drawn(
        "pincer",
        """
        W.....W
        .......
        .......
        ...B...
        .......
        .......
        .......""",
        "black",
    )
    assert story.view["of"] == 1
    assert story.play("d4-d3").mover == "white"


def test_a_role_that_cannot_move_when_its_turn_begins_is_passed_over_uncounted():
    story = drawn(
        "pincer",
        """
        .......
        .......
        .......
        ...B...
        .......
        B......
        WB.....""",
        "white",
        "- 7 3",
    )
    assert story.mover == "black"
    assert (story.view["moves_made"], story.view["turns"]) == (7, 3)


CROWD = """
    WBWBWBW
    BWBWBWB
    WBWBWBW
    BWBWBWB
    WBWBWBW
    BWBWBWB
    WBWBWBW"""


def test_if_neither_role_can_move_the_pieces_are_counted():
    for role in ("white", "black"):
        assert drawn("pincer", CROWD, role).outcome == Outcome(WHITE_WINS, "stuck")
    swapped = CROWD.translate(str.maketrans("WB", "BW"))
    assert drawn("pincer", swapped).outcome == Outcome({"white": 0, "black": 100}, "stuck")


def test_a_side_without_pieces_has_lost_even_inside_a_turn():
    story = drawn(
        "pincer",
        """
        ......W
        .......
        .......
        .......
        .......
        .W.....
        B......""",
    ).play("b2-b1")
    assert story.outcome == Outcome(WHITE_WINS, "captured_all")
    assert story.view["turns"] == 1


def test_if_both_lose_their_last_pieces_at_once_it_is_a_draw():
    story = drawn(
        "pincer",
        """
        .......
        .......
        .......
        .......
        .......
        ...W...
        WWW.BBB""",
    ).play("d2-d1")
    assert story.outcome == Outcome(DRAW, "no_pieces") and set(story.picture) == {".", "\n"}


def test_one_piece_each_is_a_draw():
    story = drawn(
        "pincer",
        """
        ......W
        .......
        .......
        .......
        .......
        W......
        .B.....""",
    ).play("a2-a1")
    assert story.outcome == Outcome(DRAW, "one_each")


@pytest.mark.parametrize(
    ("board", "goals"),
    [
        ("W.....W/......./......./...W.../......./......./B.....B", WHITE_WINS),
        ("W.....W/......./......./...B.../......./......./B.....B", {"white": 0, "black": 100}),
        ("W.....W/......./......./......./......./......./B.....B", DRAW),
    ],
)
def test_after_fifty_moves_the_pieces_are_counted(board, goals):
    story = drawn("pincer", board.replace("/", "\n"), "white", "- 49 24").play("a7-b7")
    assert story.outcome == Outcome(goals, "fifty_moves")
    assert story.view["moves_made"] == 50


def test_the_capture_of_the_fiftieth_move_counts():
    board = """
        W......
        .......
        .......
        .......
        ......B
        .W.....
        B.....B"""
    assert drawn("pincer", board, "white", "- 49 24").play("a7-b7").outcome.winner == "black"
    assert drawn("pincer", board, "white", "- 49 24").play("b2-b1").outcome.winner is None


REFUSALS = [
    ((), "white", "move 1 7 7 7", ("not_one_step", ("a7", "g7"))),
    ((), "white", "move 1 7 2 6", ("not_one_step", ("a7", "b6"))),
    ((), "white", "move 1 7 1 5", ("not_one_step", ("a7", "a5"))),
    ((), "white", "move 1 7 1 7", ("same_square", ("a7",))),
    ((), "white", "move 4 4 4 5", ("not_yours", ("d4",))),
    ((), "white", "move 7 7 7 6", ("not_yours", ("g7",))),
    (("a7-a6",), "white", "move 1 5 1 6", ("occupied", ("a6",))),
    (("a7-a6",), "white", "move 1 6 1 7", ("same_piece_twice", ("a6",))),
    (("a7-a6",), "black", "move 7 7 7 6", ("not_in_control", ())),
    ((), "white", "noop", ("must_act", ())),
]  # fmt: skip


@pytest.mark.parametrize(("before", "role", "text", "refusal"), REFUSALS)
def test_a_refusal_names_its_code_and_the_squares_that_say_why(before, role, text, refusal):
    assert after("pincer", *before).refusal(text, role) == refusal


def test_after_the_end_every_step_is_refused_as_over():
    story = drawn("pincer", CROWD)
    assert story.refusal("move 1 1 1 2", "white") == ("game_over", ())
    assert story.refusal("noop", "black") == ("game_over", ())


def test_each_code_that_pincer_has_is_reached():
    assert {row[3][0] for row in REFUSALS} == {
        "not_one_step", "same_square", "not_yours", "occupied", "same_piece_twice",
        "not_in_control", "must_act",
    }  # fmt: skip


@pytest.mark.parametrize(
    "rest",
    [
        "white - 51 0",
        "white - 0",
        "white - 0 0 0",
        "white d4 1 0",
        "white a7 0 0",
        "white x 0 0",
        "white h8 1 0",
        "white - 00 0",
        "green - 0 0",
    ],
)
def test_a_malformed_position_is_refused(rest):
    with pytest.raises(ValueError, match=r"\w"):
        PINCER.read(f"{after('pincer').view['board']} {rest}")


def test_a_position_without_a_second_move_to_come_is_refused_as_such():
    board = "......B/......./......./...W.../......./......./.B....."
    with pytest.raises(ValueError, match="no second move is to come"):
        PINCER.read(f"{board} white d4 1 0")
