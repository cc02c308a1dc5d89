"""Captures of Pincer as drawings, and their laws."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.catalogue import PINCER
from games.effects import Remove, Slide
from tests.games.stories import TRACES, drawn


def test_a_piece_that_steps_between_two_enemies_dies():
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
    assert story.at("c3") is None and story.at("b3") == story.at("d3") == "B"


def test_a_run_between_the_wall_and_an_enemy_is_captured():
    story = drawn(
        "pincer",
        """
        .......
        .W.....
        BB.....
        ..W...B
        ......W
        ......W
        B......""",
    ).play("c4-c5")
    assert story.at("a5") is None and story.at("b5") is None


def test_a_run_between_two_walls_is_safe():
    story = drawn(
        "pincer",
        """
        .......
        .......
        WWWWWWW
        .......
        .......
        ...WB..
        B.....B""",
        "black",
    ).play("a1-a2")
    assert story.picture.splitlines()[2] == "WWWWWWW"


def test_a_run_has_no_gap():
    story = drawn(
        "pincer",
        """
        B......
        .......
        .....W.
        .WB.B..
        .......
        .......
        ......W""",
    ).play("f5-f4")
    assert story.picture.splitlines()[3] == ".WB.BW."


def test_a_diagonal_captures_nothing():
    story = drawn(
        "pincer",
        """
        .......
        W......
        ...W...
        ..B....
        ..W....
        .......
        B.....W""",
    ).play("c3-b3")
    assert story.at("c4") == "B"


def test_both_colours_are_judged_on_the_same_board_and_removed_at_once():
    """c5 is taken by the wall-side white pair, which the same black piece takes part in taking."""
    story = drawn(
        "pincer",
        """
        .......
        .......
        ..BW.W.
        ....B.B
        ......W
        ......W
        B......""",
        "black",
    ).play("e4-e5")
    assert story.picture.splitlines()[2] == "..B..W."
    assert story.mover == "black"


def test_a_piece_enclosed_in_its_column_dies_though_its_row_is_open():
    story = drawn(
        "pincer",
        """
        .......
        ...B...
        ..WWW..
        ...W...
        .......
        ...B...
        B......""",
        "black",
    ).play("d2-d3")
    assert story.at("d5") is None and story.at("d4") is None
    assert story.at("c5") == story.at("e5") == "W"


def test_the_effects_name_each_captured_run_with_its_jaws():
    story = drawn(
        "pincer",
        """
        .......
        .W.....
        BB.....
        ..W...B
        ......W
        ......W
        B......""",
    )
    joint = story.joint(story.rules.parse("move 3 4 3 5"))
    assert story.rules.effects(story.state, joint, None) == (
        Slide("white", "c4", "c5"),
        Remove("black", ("a5", "b5"), ("wall", "c5"), "row"),
    )


def test_a_piece_captured_in_row_and_column_is_named_in_both():
    story = drawn(
        "pincer",
        """
        .......
        ...W...
        ..WBW..
        .......
        ...W...
        .......
        B.....B""",
    )
    joint = story.joint(story.rules.parse("move 4 3 4 4"))
    assert story.rules.effects(story.state, joint, "black") == (
        Slide("white", "d3", "d4"),
        Remove("black", ("d5",), ("c5", "e5"), "row"),
        Remove("black", ("d5",), ("d4", "d6"), "column"),
    )


def test_a_mover_that_dies_slides_first():
    story = drawn(
        "pincer",
        """
        W......
        .......
        .......
        .......
        .......
        ......W
        B....B.""",
    )
    joint = story.joint(story.rules.parse("move 7 2 7 1"))
    assert story.rules.effects(story.state, joint, None) == (
        Slide("white", "g2", "g1"),
        Remove("white", ("g1",), ("f1", "wall"), "row"),
    )


@pytest.mark.parametrize(
    "entry",
    json.loads((TRACES / "pincer-positions.json").read_text()),
    ids=lambda entry: entry["id"],
)
def test_the_hand_made_position_comes_out_as_its_sentence_says(entry):
    board = entry["board"].replace("/", "\n")
    story = drawn("pincer", board, entry["to_move"], f"- {entry['moves_before']} 0")
    story = story.play(*entry["actions"])
    assert story.view["board"] == entry["after"]
    if entry["next"]:
        assert story.outcome is None and story.mover == entry["next"]
    else:
        assert story.outcome.goals == entry["goals"]


# A board as a grid of letters, and what can be done to it without changing the game.
boards = st.lists(st.lists(st.sampled_from("WB.."), min_size=7, max_size=7), min_size=7, max_size=7)
MIRROR = {
    "left and right": lambda board: [row[::-1] for row in board],
    "top and bottom": lambda board: board[::-1],
    "a quarter turn": lambda board: [list(row) for row in zip(*board[::-1], strict=True)],
    "columns and rows": lambda board: [list(row) for row in zip(*board, strict=True)],
}
MOVED = {
    "left and right": lambda x, y: (8 - x, y),
    "top and bottom": lambda x, y: (x, 8 - y),
    "a quarter turn": lambda x, y: (y, 8 - x),
    "columns and rows": lambda x, y: (8 - y, 8 - x),
}


def _state(board, role):
    return PINCER.read(f"{'/'.join(map(''.join, board))} {role} - 4 2")


def _grid(state):
    return [list(row) for row in PINCER.view(state, None)["board"].split("/")]


def _some_step(board, data):
    state = _state(board, "white")
    assume(PINCER.control(state) == {"white"})
    move = data.draw(st.sampled_from(sorted(PINCER.choices(state, "white"), key=str)))
    return state, move


@pytest.mark.parametrize("way", MIRROR)
@given(board=boards, data=st.data())
@settings(max_examples=80, deadline=None)
def test_captures_do_not_depend_on_how_the_board_lies(way, board, data):
    state, move = _some_step(board, data)
    x1, y1, x2, y2 = map(int, str(move).split()[1:])
    start, end = MOVED[way](x1, y1), MOVED[way](x2, y2)
    turned = PINCER.parse(f"move {start[0]} {start[1]} {end[0]} {end[1]}")
    after_it = PINCER.play(state, {"white": move})
    after_turned = PINCER.play(_state(MIRROR[way](board), "white"), {"white": turned})
    assert _grid(after_turned) == MIRROR[way](_grid(after_it))
    assert PINCER.control(after_turned) == PINCER.control(after_it)
    assert PINCER.outcome(after_turned) == PINCER.outcome(after_it)


@given(board=boards, data=st.data())
@settings(max_examples=80, deadline=None)
def test_captures_do_not_depend_on_which_colour_is_which(board, data):
    state, move = _some_step(board, data)
    other = {"W": "B", "B": "W", ".": "."}
    swapped = _state([[other[c] for c in row] for row in board], "black")
    after_it = PINCER.play(state, {"white": move})
    after_swapped = PINCER.play(swapped, {"black": move})
    assert _grid(after_swapped) == [[other[c] for c in row] for row in _grid(after_it)]
    lost = [_lost(PINCER.effects(s, {role: move}, None), role)
            for s, role in ((state, "white"), (swapped, "black"))]  # fmt: skip
    assert lost[0] == lost[1]


def _lost(effects, mover):
    """The runs, as whose they are seen from the mover."""
    return {(e.role == mover, e.squares, e.jaws) for e in effects if e.kind == "remove"}
