"""Amazons: moves, arrows, ends and refusals, in notation."""

from __future__ import annotations

import pytest

from games.catalogue import rules_of
from games.core import Outcome
from tests.games.stories import AMAZONS, after, drawn, rows

SPLIT = [key for key in AMAZONS if key != "amazons"]
SHUT_IN = """
    ......B.
    ........
    ........
    ........
    ........
    xxx.....
    WWx.....
    WWx....."""  # white to move has lost
LAST_MOVE = """
    xx....B.
    WWx.....
    WWx.....
    xxx.....
    ........
    ........
    xxx.....
    .Bx....."""


def test_white_begins_on_the_squares_of_the_rules():
    assert after("amazons-10x10").view["board"] == after("amazons").view["board"]
    assert after("amazons").view["board"] == rows(
        """
        ...B..B...
        ..........
        ..........
        B........B
        ..........
        ..........
        W........W
        ..........
        ..........
        ...W..W..."""
    )
    assert after("amazons-8x8").view["board"] == rows(
        """
        ..B..B..
        ........
        B......B
        ........
        ........
        W......W
        ........
        ..W..W.."""
    )


@pytest.mark.parametrize(("key", "moves"), [("amazons-10x10", 80), ("amazons-8x8", 60)])
def test_the_first_move_has_so_many_choices(key, moves):
    assert len(after(key).legal) == moves


@pytest.mark.parametrize("key", SPLIT)
def test_a_turn_is_a_move_and_then_a_shot(key):
    moved = after(key).play("move 1 3 1 4" if key == "amazons-8x8" else "move 1 4 1 5")
    assert moved.mover == "white" and moved.view["step"] == "fire" and moved.view["turns"] == 0
    shot = moved.play("fire 2 5")
    assert shot.mover == "black" and shot.view["step"] == "move" and shot.view["turns"] == 1
    assert shot.at("b5") == "x" and shot.at("a3" if key == "amazons-8x8" else "a4") is None


def test_the_view_shows_the_move_whose_shot_is_to_come():
    assert after("amazons-10x10").view == {
        "board": after("amazons").view["board"],
        "width": 10,
        "height": 10,
        "to_move": "white",
        "step": "move",
        "moved": None,
        "turns": 0,
    }
    assert after("amazons-10x10", "d1-d7").view["moved"] == ["d1", "d7"]
    assert after("amazons").view["step"] == "play"


@pytest.mark.parametrize("key", SPLIT)
def test_an_arrow_flies_over_and_lands_on_the_square_just_left(key):
    home, up = ("c1", "c4") if key == "amazons-8x8" else ("d1", "d4")
    moved = after(key).play(f"{home}-{up}")
    assert moved.play(f"/{home}").at(home) == "x"
    along = after(key).play(f"{home}-{home[0]}2").play(f"/{home}")
    assert along.at(home) == "x"


def test_an_arrow_flies_through_the_square_just_left():
    assert after("amazons-10x10", "a4-b4/e4").play("j7-i7/h7", "b4-c4/a4").at("a4") == "x"
    assert after("amazons", "d1-e2/f3").play("g10-g9/h9", "e2-d2/f2").at("f2") == "x"


def test_a_burnt_square_stops_moves_and_arrows():
    story = after("amazons-10x10", "d1-d4/d8", "j7-j8/j9")
    assert "move 4 4 4 7" in story.legal and "move 4 4 4 8" not in story.legal
    assert story.refusal("move 4 4 4 9") == ("path_blocked", ("d8",))


def test_an_arrow_at_the_origin_means_that_none_is_shot():
    story = after("amazons", "d1-d7")
    assert story.at("d7") == "W" and story.at("d1") is None and story.mover == "black"
    assert "x" not in story.picture
    assert after("amazons", "play 4 1 4 7 4 1").state == story.state


def test_every_play_has_its_variant_without_an_arrow():
    story = after("amazons", "d1-d7/g7", "a7-b7/a7")
    legal = story.legal
    assert len(legal) > 1500
    for text in legal:
        _, x1, y1, x2, y2, _, _ = text.split()
        assert f"play {x1} {y1} {x2} {y2} {x1} {y1}" in legal


def test_an_omitted_arrow_needs_no_line_but_the_way_back():
    """The origin is always in line with the target, so only what is really shot is judged."""
    story = after("amazons")
    assert story.refusal("play 4 1 4 7 4 7") == ("same_square", ("d7",))
    assert story.refusal("play 4 1 4 7 5 9") == ("not_a_line", ("d7", "e9"))
    assert story.refusal("play 4 1 4 7 4 10") == ("occupied", ("d10",))


@pytest.mark.parametrize("key", AMAZONS)
def test_the_role_that_cannot_move_in_its_step_has_lost(key):
    drawing = SHUT_IN if key == "amazons-8x8" else _larger(SHUT_IN)
    story = drawn(key, drawing)
    assert story.outcome == Outcome({"white": 0, "black": 100}, "no_moves")
    assert story.rules.control(story.state) == frozenset() and story.view["to_move"] == "white"


@pytest.mark.parametrize("key", AMAZONS)
def test_a_role_that_is_shut_in_has_not_lost_before_its_step(key):
    drawing = SHUT_IN if key == "amazons-8x8" else _larger(SHUT_IN)
    assert drawn(key, drawing, "black").outcome is None


def _larger(drawing: str) -> str:
    """The 8×8 drawing in the lower left corner of a 10×10 board."""
    lines = [line.strip() + ".." for line in drawing.strip().splitlines()]
    return "\n".join([".........."] * 2 + lines)


def test_a_role_that_shuts_itself_in_loses_only_if_it_is_still_so_in_its_step():
    corner = """
        ..........
        ..........
        ..........
        ..........
        ..........
        ..........
        ..........
        Wxx.......
        .xx......B
        .B........"""
    shut = drawn("amazons", corner).play("a3-a1/a2")
    assert shut.outcome is None and shut.mover == "black"
    assert shut.play("j2-j3/j2").outcome == Outcome({"white": 0, "black": 100}, "no_moves")
    assert shut.play("b1-e1/e2").outcome is None


def test_a_shot_always_exists():
    story = drawn("amazons-8x8", LAST_MOVE, "black").play("b1-a1")
    assert story.rules.control(story.state) == {"black"}
    assert story.legal == {"fire 2 1"}


def test_the_end_comes_with_the_arrow_not_with_the_move():
    story = drawn("amazons-8x8", LAST_MOVE, "black").play("g8-c8")
    assert story.outcome is None
    assert story.play("/d8").outcome == Outcome({"white": 0, "black": 100}, "no_moves")


REFUSALS = [
    ("amazons", (), "white", "play 1 4 10 4 1 4", ("occupied", ("j4",))),
    ("amazons", (), "white", "play 4 1 8 1 4 1", ("path_blocked", ("g1",))),
    ("amazons", (), "white", "play 4 1 4 9 4 10", ("occupied", ("d10",))),
    ("amazons", (), "white", "play 4 1 4 7 10 7", ("occupied", ("j7",))),
    ("amazons", ("d1-d7/g7", "j7-j8/j7"), "white", "play 4 7 5 7 8 7", ("path_blocked", ("g7",))),
    ("amazons", (), "white", "play 5 5 5 6 5 7", ("not_yours", ("e5",))),
    ("amazons", (), "white", "play 1 7 1 6 1 5", ("not_yours", ("a7",))),
    ("amazons", (), "white", "play 4 1 5 3 5 4", ("not_a_line", ("d1", "e3"))),
    ("amazons", (), "white", "play 4 1 4 2 6 3", ("not_a_line", ("d2", "f3"))),
    ("amazons", (), "white", "play 4 1 4 1 4 2", ("same_square", ("d1",))),
    ("amazons", (), "white", "play 4 1 4 2 4 2", ("same_square", ("d2",))),
    ("amazons", (), "black", "play 1 7 1 6 1 5", ("not_in_control", ())),
    ("amazons", (), "white", "noop", ("must_act", ())),
    ("amazons-10x10", (), "white", "move 4 1 4 10", ("occupied", ("d10",))),
    ("amazons-10x10", (), "white", "move 7 1 2 1", ("path_blocked", ("d1",))),
    ("amazons-10x10", (), "white", "move 4 1 1 4", ("occupied", ("a4",))),
    ("amazons-10x10", (), "white", "move 5 5 5 6", ("not_yours", ("e5",))),
    ("amazons-10x10", (), "white", "move 4 1 5 3", ("not_a_line", ("d1", "e3"))),
    ("amazons-10x10", (), "white", "move 4 1 4 1", ("same_square", ("d1",))),
    ("amazons-10x10", (), "white", "fire 5 5", ("wrong_step", ())),
    ("amazons-10x10", (), "white", "noop", ("must_act", ())),
    ("amazons-10x10", (), "black", "move 1 7 1 6", ("not_in_control", ())),
    ("amazons-10x10", ("d1-d7",), "white", "move 4 7 4 8", ("wrong_step", ("d7",))),
    ("amazons-10x10", ("d1-d7",), "white", "fire 4 7", ("same_square", ("d7",))),
    ("amazons-10x10", ("d1-d7",), "white", "fire 5 9", ("not_a_line", ("d7", "e9"))),
    ("amazons-10x10", ("d1-d7",), "white", "fire 1 7", ("occupied", ("a7",))),
    ("amazons-10x10", ("d1-d9",), "white", "fire 4 10", ("occupied", ("d10",))),
    ("amazons-10x10", ("d1-d4",), "white", "fire 10 4", ("occupied", ("j4",))),
    ("amazons-10x10", ("d1-d2/d6", "a7-b7/a7", "d2-d3"), "white", "fire 4 9",
     ("path_blocked", ("d6",))),
    ("amazons-10x10", ("d1-d7",), "black", "fire 5 5", ("not_in_control", ())),
    ("amazons-8x8", (), "white", "move 3 1 3 8", ("occupied", ("c8",))),
    ("amazons-8x8", (), "white", "move 6 1 1 1", ("path_blocked", ("c1",))),
    ("amazons-8x8", (), "white", "move 5 5 5 6", ("not_yours", ("e5",))),
    ("amazons-8x8", (), "white", "move 3 1 4 3", ("not_a_line", ("c1", "d3"))),
    ("amazons-8x8", (), "white", "move 3 1 3 1", ("same_square", ("c1",))),
    ("amazons-8x8", (), "white", "fire 5 5", ("wrong_step", ())),
    ("amazons-8x8", (), "white", "noop", ("must_act", ())),
    ("amazons-8x8", ("c1-c4",), "black", "move 1 6 1 5", ("not_in_control", ())),
    ("amazons-8x8", ("c1-c4",), "white", "move 3 4 3 5", ("wrong_step", ("c4",))),
]  # fmt: skip


@pytest.mark.parametrize(("key", "before", "role", "text", "refusal"), REFUSALS)
def test_a_refusal_names_its_code_and_the_squares_that_say_why(key, before, role, text, refusal):
    assert after(key, *before).refusal(text, role) == refusal


@pytest.mark.parametrize("key", AMAZONS)
def test_each_code_that_amazons_has_is_reached(key):
    codes = {"path_blocked", "occupied", "not_yours", "not_a_line", "same_square"}
    codes |= {"not_in_control", "must_act"} | ({"wrong_step"} if key in SPLIT else set())
    assert {row[4][0] for row in REFUSALS if row[0] == key} == codes


@pytest.mark.parametrize(
    ("target", "blocker"),
    [
        ("5 9", "e7"), ("9 9", "g7"), ("9 5", "g5"), ("9 1", "g3"),
        ("5 1", "e3"), ("1 1", "c3"), ("1 5", "c5"), ("1 9", "c7"),
    ],
)  # fmt: skip
def test_the_first_of_two_blocking_squares_is_named_in_each_direction(target, blocker):
    story = drawn(
        "amazons-10x10",
        """
        ..........
        ..........
        .x..x..x..
        ..x.x.x...
        ..........
        .xx.W.xx..
        ..........
        ..x.x.x...
        .x..x..x..
        .........B""",
    )
    assert story.refusal(f"move 5 5 {target}") == ("path_blocked", (blocker,))


@pytest.mark.parametrize(
    "text",
    [
        "{board} white - 0 ",
        "{board} green - 0",
        "{board} white - 00",
        "{board} white - -1",
        "{board} white - 1e3",
        "{board} white - ٣",
        "{board} white c1-c4 0",
        "{board} white c1-c4-c5 0",
        "{board} white c1-c1 0",
        "{board} white c9-c1 0",
        "{board} white b2-c1 x",
        "{board} black b2-c1 0",
        "{board}/........ white - 0",
        "{board}. white - 0",
        "x{board} white - 0",
        "q{rest} white - 0",
        "{board}",
        "",
    ],
)
def test_a_malformed_position_is_refused(text):
    board = after("amazons-8x8").view["board"]
    with pytest.raises(ValueError, match=r"\w"):
        rules_of("amazons-8x8").read(text.format(board=board, rest=board[1:]))


def test_only_the_split_form_has_positions_before_a_shot():
    text = after("amazons-10x10", "d1-d7").rules.write(after("amazons-10x10", "d1-d7").state)
    assert text.endswith(" white d1-d7 0")
    with pytest.raises(ValueError, match="only where one fires"):
        rules_of("amazons").read(text)


def test_a_position_before_a_shot_needs_a_free_way_back():
    board = after("amazons-8x8").view["board"].replace("........", "W.......", 1)
    rules = rules_of("amazons-8x8")
    assert rules.read(f"{board} white b7-a7 0").moved is not None
    with pytest.raises(ValueError, match="cannot have led"):
        rules.read(f"{board} white a1-a7 0")
