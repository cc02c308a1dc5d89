"""Explanations of illegal squares: the fault of a turn that a person has begun."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue import rules_of
from games.core import NOOP, OTHER, BadAction, Code
from games.explain import explain
from tests.games.stories import BOARDS, KEYS, Story, after, drawn, finished, moments
from tests.support.prompt_unpacking import unpacked

NARROW = """
    xB....B.
    ........
    .x......
    .......x
    ....B...
    xx......
    Wx..W.Bx
    WWx....."""
CORNER = """
    W.....W
    .......
    ..WB...
    .......
    .......
    W..B..B
    WW....."""

BEGUN = [
    # The square to move from.
    ("amazons-8x8", NARROW, "g2", "not_yours", "g2"),
    ("amazons-8x8", NARROW, "d3", "not_yours", "d3"),
    ("amazons-8x8", NARROW, "b3", "not_yours", "b3"),
    ("amazons-8x8", NARROW, "a1", "no_way_out", "a1 b1 a2 b2"),
    ("amazons-8x8", NARROW, "e2", None, ""),
    ("pincer", CORNER, "d2", "not_yours", "d2"),
    ("pincer", CORNER, "a1", "no_way_out", "a1 b1 a2"),
    ("pincer", CORNER, "c5", None, ""),
    # Its target: the first that stands in the way is named.
    ("amazons-8x8", NARROW, "e2 e5", "path_blocked", "e4"),
    ("amazons-8x8", NARROW, "e2 e4", "occupied", "e4"),
    ("amazons-8x8", NARROW, "e2 h2", "path_blocked", "g2"),
    ("amazons-8x8", NARROW, "e2 f4", "not_a_line", "e2 f4"),
    ("amazons-8x8", NARROW, "e2 e2", "same_square", "e2"),
    ("amazons-8x8", NARROW, "e2 d2", None, ""),
    ("pincer", CORNER, "c5 d5", "occupied", "d5"),
    ("pincer", CORNER, "c5 e5", "not_one_step", "c5 e5"),
    ("pincer", CORNER, "c5 d6", "not_one_step", "c5 d6"),
    ("pincer", CORNER, "c5 c6", None, ""),
    # The arrow: the square that was left is free, the one that was reached is not.
    ("amazons-8x8", NARROW, "e2 e3 e2", None, ""),
    ("amazons-8x8", NARROW, "e2 e3 e5", "path_blocked", "e4"),
    ("amazons-8x8", NARROW, "e2 e3 e3", "same_square", "e3"),
    ("amazons-8x8", NARROW, "e2 e5 e6", "path_blocked", "e4"),
    # The second step of Pincer: of another piece.
    ("pincer", CORNER, "c5 c6 c6", "same_piece_twice", "c6"),
    ("pincer", CORNER, "c5 c6 a1", "no_way_out", "a1 b1 a2"),
    ("pincer", CORNER, "c5 c6 a7 a5", "not_one_step", "a7 a5"),
    ("pincer", CORNER, "c5 c6 a7 a6", None, ""),
]  # fmt: skip


def why(story: Story, squares: str, role=None) -> tuple[str | None, str]:
    fault = explain(story.rules, story.state, role or story.mover, squares.split())
    return (None, "") if fault is None else (fault.code, " ".join(fault.squares))


@pytest.mark.parametrize(("key", "drawing", "squares", "code", "named"), BEGUN)
def test_a_fault_names_its_code_and_the_squares_that_say_why(key, drawing, squares, code, named):
    assert why(drawn(key, drawing), squares) == (code, named)


def test_in_one_action_with_its_arrow_the_faults_are_those_of_two():
    board = after("amazons", "d1-d5/d8")
    assert why(board, "d10 d9 d8") == ("occupied", "d8")
    assert why(board, "d10 d7") == ("path_blocked", "d8")
    assert why(board, "d10 d9") == (None, "")
    assert why(board, "d10 d9 d10") == (None, "")  # no arrow
    assert why(board, "d10 d9 d7") == ("path_blocked", "d8")


def test_before_a_shot_the_squares_are_those_of_the_arrow():
    moved = after("amazons-10x10", "move 4 1 4 5")
    assert why(moved, "d1") == (None, "")
    assert why(moved, "e7") == ("not_a_line", "d5 e7")
    assert why(moved, "d10") == ("occupied", "d10")


def test_a_role_out_of_control_is_told_so_and_after_the_end_that_the_game_is_over():
    assert why(after("pincer"), "g7", "black") == ("not_in_control", "")
    over = drawn("pincer", "W....../" + "/".join(["......."] * 5) + "/B......", "white")
    assert why(over, "a7", "white") == ("game_over", "")


def test_a_turn_that_has_ended_goes_on_for_nobody():
    """The first step takes the last enemy but one, which ends the game."""
    story = drawn("pincer", "WW...../" + "/".join(["......."] * 5) + "/B......")
    assert why(story, "a7 a6 b7")[0] in (None, "game_over", "not_in_control")


@pytest.mark.parametrize("squares", ["i1", "a9", "a0", "", "a", "a01", "A1", "a1 ", "é1", "a²"])
def test_a_name_that_is_no_square_of_the_board_is_malformed(squares):
    story = after("amazons-8x8")
    with pytest.raises(BadAction):
        explain(story.rules, story.state, "white", [squares])


def test_more_squares_than_a_turn_has_are_malformed():
    for key in BOARDS:
        with pytest.raises(BadAction):
            explain(rules_of(key), rules_of(key).start(), "white", ["a1"] * 5)


def test_where_no_squares_are_chosen_there_is_nothing_to_explain():
    rules = rules_of("blotto")
    with pytest.raises(BadAction):
        explain(rules, rules.start(), "white", ["a1"])


def test_a_planned_turn_is_explained_in_the_position_in_which_it_would_begin():
    for key in BOARDS:
        rules = rules_of(key)
        for state, joint in moments(key, games=2, every=7):
            if joint is None:
                continue
            (mover,) = rules.control(state)
            assert rules.with_turn_of(state, mover) is None
            planned = rules.with_turn_of(state, OTHER[mover])
            assert rules.prompt(planned, OTHER[mover]) == rules.plan(state, OTHER[mover])
    blotto = rules_of("blotto")
    assert blotto.with_turn_of(blotto.start(), "white") is None


def test_after_the_end_no_turn_is_planned():
    for key in KEYS:
        for state in finished(key):
            for role in ("white", "black"):
                assert rules_of(key).with_turn_of(state, role) is None


def offers(node: object, squares: list[str]) -> bool:
    """Whether the tree of a prompt leads along these squares."""
    for square in squares:
        if isinstance(node, str):
            if square not in node.split():
                return False
            node = ""
        else:
            assert isinstance(node, dict)
            if square == "x" or square not in node:
                return False
            node = node[square]
    return True


@given(st.data())
def test_what_is_explained_as_legal_is_what_the_prompt_offers(data):
    """Any squares in any position: a fault exactly where the prompt's tree does not lead."""
    key = data.draw(st.sampled_from(BOARDS))
    rules = rules_of(key)
    positions = [state for state, joint in moments(key, games=3, every=5) if joint]
    state = data.draw(st.sampled_from(positions))
    (role,) = rules.control(state)
    prompt = rules.prompt(state, role)
    board = rules.view(state, None)["board"]
    tree = unpacked(prompt.tree, board)
    squares: list[str] = []
    node: object = tree
    for _ in range(data.draw(st.integers(1, len(prompt.steps)))):
        legal = node.split() if isinstance(node, str) else sorted(set(node) - {"x"})
        anywhere = [
            f"{chr(96 + x)}{y}"
            for x in range(1, rules.width + 1)
            for y in range(1, rules.height + 1)
        ]
        goes_on = legal and data.draw(st.booleans())
        squares.append(data.draw(st.sampled_from(legal if goes_on else anywhere)))
        if not offers(tree, squares):
            break
        node = "" if isinstance(node, str) else node[squares[-1]]
    fault = explain(rules, state, role, squares)
    assert (fault is None) == offers(tree, squares)
    if fault is not None:
        assert fault.code in Code and str(fault)
        assert not any("{" in word for word in (str(fault), *fault.squares))
    rules.check(state, OTHER[role], NOOP)  # nothing has changed
