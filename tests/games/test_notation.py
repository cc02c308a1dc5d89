"""Notation for people beside canonical strings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from games import notation
from games.catalogue import rules_of
from games.core import NOOP, BadAction
from tests.games.stories import KEYS, after, moments

TYPED_TURNS = json.loads((Path(__file__).parent / "typed_turns.json").read_text("utf-8"))


def typed(key: str, text: str, *before: str) -> list[str]:
    """The canonical actions of what is typed."""
    story = after(key, *before) if key != "blotto" else after(key)
    role = "white" if key == "blotto" else story.mover
    return list(map(str, notation.read(story.rules, story.state, role, text)))


def test_a_free_arrow_is_written_only_if_it_is_shot():
    assert typed("amazons", "d1-d7/g7") == ["play 4 1 4 7 7 7"]
    assert typed("amazons", "d1-d7") == ["play 4 1 4 7 4 1"]
    assert typed("amazons", "d1-d7/d1") == ["play 4 1 4 7 4 1"]
    rules, state = rules_of("amazons"), rules_of("amazons").start()
    for canonical, human in [("play 4 1 4 7 7 7", "d1-d7/g7"), ("play 4 1 4 7 4 1", "d1-d7")]:
        assert notation.write(rules, state, "white", rules.parse(canonical)) == human


def test_the_split_form_is_typed_whole_or_in_its_two_parts():
    assert typed("amazons-10x10", "d1-d7/g7") == ["move 4 1 4 7", "fire 7 7"]
    assert typed("amazons-10x10", "d1-d7") == ["move 4 1 4 7"]
    assert typed("amazons-10x10", "/g7", "d1-d7") == ["fire 7 7"]
    assert typed("amazons-10x10", "a4-j4/j10") == ["move 1 4 10 4", "fire 10 10"]


def test_pincer_is_typed_in_one_or_two_moves():
    assert typed("pincer", "a5-b5 a7-a6") == ["move 1 5 2 5", "move 1 7 1 6"]
    assert typed("pincer", "a5-b5") == ["move 1 5 2 5"]
    assert typed("pincer", "a7-a6", "a5-b5") == ["move 1 7 1 6"]


def test_blotto_is_three_numbers():
    assert typed("blotto", "6 4 0") == ["troops 6 4 0"]


@pytest.mark.parametrize("turn", TYPED_TURNS, ids=lambda turn: ascii(turn["typed"]))
def test_a_turn_is_read_in_any_notation_at_hand(turn):
    assert notation.normalise(turn["typed"]) == turn["read"]
    assert notation.normalise(turn["read"]) == turn["read"]


@pytest.mark.parametrize(
    "text", ["5,1,4", "5/1/4", "5-1-4", "(5, 1, 4)", "2. 5 1 4!", "５　１　４"]
)
def test_orders_are_read_with_any_separator(text):
    assert typed("blotto", text) == ["troops 5 1 4"]


def test_what_cannot_be_read_is_named():
    for key, text, piece in [
        ("amazons", "d1-d7/$7", "“$7”"),
        ("amazons", "d1-d7/g7/g8", "“g7/g8”"),
        ("pincer", "a5-b5 a7", "“a7”"),
        ("blotto", "5 x 4", "“troops 5 x 4”"),
    ]:
        with pytest.raises(BadAction, match=re.escape(piece)):
            typed(key, text)


def test_case_and_blanks_around_do_not_matter():
    assert typed("pincer", "  A5-B5   a7-a6\n") == ["move 1 5 2 5", "move 1 7 1 6"]


def test_a_noop_is_not_written():
    rules = rules_of("amazons")
    assert notation.write(rules, rules.start(), "black", NOOP) == ""


@pytest.mark.parametrize(
    ("key", "text", "before"),
    [
        ("amazons", "", ()),
        ("amazons", "d1", ()),
        ("amazons", "d1-", ()),
        ("amazons", "d1-d7/", ()),
        ("amazons", "d1-d7/g7/g8", ()),
        ("amazons", "d1-d11", ()),
        ("amazons", "k1-d7", ()),
        ("amazons", "d1-d7 g7", ()),
        ("amazons", "d01-d7", ()),
        ("amazons", "d1-d7/" + "9" * 5000, ()),
        ("amazons-10x10", "d1-d7/", ()),
        ("amazons-10x10", "/g7", ()),
        ("amazons-10x10", "g7", ("d1-d7",)),
        ("amazons-10x10", "d7-d8/g7", ("d1-d7",)),
        ("amazons-8x8", "c1-c9", ()),
        ("pincer", "a5-b5 a7-a6 g1-f1", ()),
        ("pincer", "a7-a6 g1-f1", ("a5-b5",)),
        ("pincer", "a5b5", ()),
        ("pincer", "a5-b5/c5", ()),
        ("blotto", "6 4", ()),
        ("blotto", "-6 4 0", ()),
        ("blotto", "6//4/0 0", ()),
        ("blotto", "11 0 0", ()),
        ("blotto", "troops 6 4 0", ()),
        ("blotto", "", ()),
    ],
)
def test_a_text_that_is_no_turn_raises_bad_action(key, text, before):
    with pytest.raises(BadAction) as caught:
        typed(key, text, *before)
    assert str(caught.value).endswith(".") and len(str(caught.value)) < 200


@pytest.mark.parametrize("key", KEYS)
def test_every_action_written_is_read_as_itself(key):
    rules = rules_of(key)
    for state, joint in moments(key, every=2):
        for role in rules.control(state) if joint else ():
            text = notation.write(rules, state, role, joint[role])
            assert notation.read(rules, state, role, text) == (joint[role],)


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8"])
def test_move_and_shot_written_one_after_the_other_are_one_turn(key):
    rules, written = rules_of(key), ""
    for state, joint in moments(key, games=1):
        if joint is None:
            continue
        action = joint[state.to_move]
        if state.moved is None:
            before, written = state, notation.write(rules, state, state.to_move, action)
        else:
            written += notation.write(rules, state, state.to_move, action)
            assert notation.read(rules, before, state.to_move, written) == (state.moved, action)
