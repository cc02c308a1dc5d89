"""Separated areas: no turn is wasted, and the side with more turns knows it."""

from __future__ import annotations

import pytest

from games.players.amazons.areas import count
from games.players.amazons.player import Searcher
from games.players.amazons.position import read
from games.players.amazons.settings import Habit
from tests.games.stories import drawn
from tests.players.amazons.boards import think

BOX = """
    ....xxxB
    .W..xxx.
    ....xxxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx"""
TWO_ROOMS = """
    W...xxBx
    xxxxxx..
    ..xxxxxx
    .Wxxxxxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx"""
BRANCH = """
    .x.xxxxB
    xWxxxxx.
    .x.xxxxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx"""
LARGE = """
    .....xxB
    ..x..xxx
    W....xxx
    .x...xxx
    ..W..xxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx"""


@pytest.mark.parametrize(
    ("drawing", "turns"), [(BOX, 11), (TWO_ROOMS, 6), (BRANCH, 4), (LARGE, 21)]
)
def test_an_area_gives_all_the_turns_that_are_in_it(drawing, turns):
    position = read(drawn("amazons-8x8", drawing).view)
    filling = count(position.own, position.free, 5000)
    assert (filling.turns, filling.most) == (turns, turns)


@pytest.mark.parametrize(
    ("drawing", "turns"), [(BOX, 11), (TWO_ROOMS, 6), (BRANCH, 4), (LARGE, 21)]
)
def test_the_player_uses_every_turn_of_his_area(drawing, turns):
    story, made = drawn("amazons-8x8", drawing), 0
    while story.legal:
        player = Searcher(True, 10, Habit())  # a new one each time: nothing has to be remembered
        while story.outcome is None and story.mover == "white":
            thought = think(player, story, 10)
            assert thought.why == "filling"
            story = story.play(str(thought.action))
        made += 1
        # Black is put back each time, so that only white's turns count.
        before = drawn("amazons-8x8", drawing).view["board"].split("/")
        now = story.view["board"].split("/")
        board = [row[:6] + old[6:] for row, old in zip(now, before, strict=True)]
        story = drawn("amazons-8x8", "\n".join(board))
        if story.outcome is not None:
            break
    assert made == turns


def test_one_turn_more_is_known_to_win_and_as_many_to_lose():
    for black, value in [(".B", 1.0), ("..\n.B", -1.0)]:
        rows = black.split("\n")
        drawing = [f"W..xxx{row}" for row in rows[:1]] + [f"xxxxxx{row}" for row in rows[1:]]
        drawing += ["xxxxxxxx"] * (8 - len(drawing))
        thought = think(Searcher(True, 10, Habit()), drawn("amazons-8x8", "\n".join(drawing)), 10)
        assert thought.value == value


def test_with_optional_arrows_the_side_with_less_territory_can_always_move():
    last = drawn("amazons", "W..xxxx...\nxxxxxxx..B\n" + "xxxxxxxxxx\n" * 8)
    thought = think(Searcher(False, 10, Habit(always_shoots=False)), last, 10)
    assert (thought.value, thought.why) == (0.0, "drawn")
    assert thought.action.arrow == thought.action.origin


def test_with_optional_arrows_extra_territory_counts_little_and_is_filled_with_care():
    wide = BOX.replace("\n", "xx\n")[2:] + "xx\n" + "    xxxxxxxxxx\n" * 2
    thought = think(Searcher(False, 10, Habit(always_shoots=False)), drawn("amazons", wide), 10)
    assert (thought.value, thought.why) == (0.1, "filling")
    assert thought.action.arrow != thought.action.origin


def test_a_player_that_always_shoots_keeps_an_arrow_only_if_none_can_be_placed():
    wide = BOX.replace("\n", "xx\n")[2:] + "xx\n" + "    xxxxxxxxxx\n" * 2
    story = drawn("amazons", wide)
    thought = think(Searcher(False, 10, Habit(always_shoots=True)), story, 10)
    assert thought.action.arrow != thought.action.origin
    last = drawn("amazons", "W.xxxxxxxB\nxxxxxxxxx.\n" + "xxxxxxxxxx\n" * 8)
    kept = think(Searcher(False, 10, Habit(always_shoots=True)), last, 10).action
    assert kept.arrow == kept.origin
