"""Separated areas: no turn is wasted, and the side with more turns knows it."""

from __future__ import annotations

from random import Random

import pytest

from games.catalogue import AMAZONS
from games.counting import count_territory
from games.players.amazons.areas import count, is_parted, own_squares
from games.players.amazons.player import Searcher
from games.players.amazons.position import read
from games.players.amazons.settings import HABITS, Habit
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


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize(
    ("top", "value"),
    [
        ("W..xxxx...\nxxxxxxx..B\n", -1.0),
        ("W...xx...B\nxxxxxxxxxx\n", 0.0),
    ],
)
def test_with_optional_arrows_no_level_burns_a_square_that_it_needs(number, top, value):
    last = drawn("amazons", top + "xxxxxxxxxx\n" * 8)
    thought = think(Searcher(False, 10, HABITS["amazons"][number]), last, 10)
    assert (thought.value, thought.why) == (value, "counted")
    assert thought.action.arrow == thought.action.origin


def test_with_optional_arrows_the_side_that_is_ahead_has_won_and_shoots_with_care():
    wide = BOX.replace("\n", "xx\n")[2:] + "xx\n" + "    xxxxxxxxxx\n" * 2
    thought = think(Searcher(False, 10, Habit()), drawn("amazons", wide), 10)
    assert (thought.value, thought.why) == (1.0, "counted")
    assert thought.action.arrow != thought.action.origin


def test_the_players_count_is_that_of_the_rules():
    random = Random(5)
    for _ in range(300):
        cells = [random.choice("..xxx") for _ in range(100)]
        for mark in "WWWWBBBB":
            cells[random.choice([at for at, cell in enumerate(cells) if cell in ".x"])] = mark
        rows = ["".join(cells[at : at + 10]) for at in range(0, 100, 10)]
        state = AMAZONS.read(f"{'/'.join(rows)} white - 0")
        counted, position = count_territory(AMAZONS, state), read(AMAZONS.view(state, "white"))
        if is_parted(position):
            assert counted.is_parted
            assert own_squares(position.own, position.free) == counted.white
            assert own_squares(position.other, position.free) == counted.black
