"""The model novice: a yardstick for the first levels."""

from __future__ import annotations

from random import Random

import pytest

from games.lab.entrants import NoEntrant, entrant
from games.lab.novices import IMAGINED_TURNS, Novice
from games.players.amazons.position import read
from tests.games.oracle import board_of, queen
from tests.games.stories import AMAZONS, BOARDS, Story, after, drawn
from tests.players.amazons.boards import play_out, random_position, think

pytestmark = pytest.mark.slow


def mobility(story: Story) -> int:
    """White's moves minus black's, square by square."""
    board = board_of(story.view["board"])
    count = dict.fromkeys("WB", 0)
    for cell, piece in board.items():
        if piece in count:
            count[piece] += len(queen(board, cell))
    return count["W"] - count["B"]


def turn(story: Story, seed: int) -> Story:
    """The story after a whole turn of one novice."""
    player, mover = Novice(), story.mover
    while story.outcome is None and story.mover == mover:
        story = story.play(str(think(player, story, 1, seed).action))
    return story


@pytest.mark.parametrize("key", BOARDS)
def test_the_novice_plays_whole_legal_games(key):
    story = play_out(after(key), {"white": Novice(), "black": Novice()}, 1)
    assert story.outcome is not None or key == "amazons"


@pytest.mark.parametrize("key", BOARDS)
def test_the_seed_alone_decides_what_the_novice_does(key):
    start = after(key)
    thoughts = {seed: think(Novice(), start, 1, seed) for seed in range(8)}
    assert all(think(Novice(), start, 1, seed) == found for seed, found in thoughts.items())
    assert len({str(found.action) for found in thoughts.values()}) > 2


@pytest.mark.parametrize("key", AMAZONS)
def test_the_novice_of_amazons_keeps_more_mobility_than_most_random_turns_do(key):
    start = random_position(key, 8, Random(2))
    chosen = [mobility(turn(start, seed)) for seed in range(12)]
    randoms = [mobility(random_position_after(start, Random(seed))) for seed in range(60)]
    assert sum(chosen) / len(chosen) > sorted(randoms)[45]
    assert IMAGINED_TURNS == 40


def random_position_after(story: Story, rng: Random) -> Story:
    mover = story.mover
    while story.outcome is None and story.mover == mover:
        story = story.play(str(story.rules.choices(story.state, mover).sample(rng)))
    return story


def test_the_novice_shoots_the_arrow_that_it_imagined_with_the_move():
    story, player = after("amazons-8x8"), Novice()
    moved = story.play(str(think(player, story, 1, 3).action))
    assert read(moved.view).move >= 0
    assert {str(think(player, moved, 1, seed).action) for seed in range(6)} == {
        str(think(player, moved, 1, 0).action)
    }


FREE = """
    .......
    .......
    ..WB...
    ....W..
    .......
    .......
    B.....B"""
DEADLY = """
    .......
    .B.B...
    .......
    ..W....
    W......
    .......
    ......."""


def test_the_novice_of_pincer_takes_what_one_step_wins():
    story = drawn("pincer", FREE, rest="- 10 5")
    for seed in range(10):
        taken = story.play(str(think(Novice(), story, 1, seed).action))
        assert taken.view["board"].count("B") == 2


def test_the_novice_of_pincer_does_not_step_into_death():
    story = drawn("pincer", DEADLY, rest="- 10 5")
    for seed in range(20):
        stepped = story.play(str(think(Novice(), story, 1, seed).action))
        assert stepped.view["board"].count("W") == 2


def test_there_is_no_novice_of_blotto():
    with pytest.raises(NoEntrant, match="“novice” does not play"):
        entrant("novice", "blotto")
