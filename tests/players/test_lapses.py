"""Lapses of the weaker levels: rarer in simple positions, narrow, and blind to replies."""

from __future__ import annotations

from random import Random

import pytest

from games.players.amazons.player import Searcher as AmazonsSearcher
from games.players.amazons.search import MIN_GLANCED_VALUE
from games.players.amazons.settings import HABITS, Habit
from games.players.lapses import HALF_RATE_ACTIONS, has_lapse
from games.players.pincer.player import Searcher as PincerSearcher
from games.players.pincer.settings import HANDICAPS, Handicap
from tests.games.stories import AMAZONS, after, drawn
from tests.players.amazons.boards import random_position, think


def rate(share: float, actions: int) -> float:
    rng = Random(1)
    return sum(has_lapse(share, actions, rng) for _ in range(4000)) / 4000


def test_lapses_are_rarer_where_there_is_little_to_choose_from():
    rates = [rate(0.8, actions) for actions in (1, HALF_RATE_ACTIONS, 20, 80)]
    assert rates == sorted(rates)
    assert rates[1] == pytest.approx(0.4, abs=0.03)
    assert rates[-1] == pytest.approx(0.8 * 80 / 85, abs=0.03)


def test_a_level_without_lapses_draws_no_random_number():
    rng = Random(3)
    assert not has_lapse(0.0, 80, rng)
    assert rng.random() == Random(3).random()


@pytest.mark.parametrize("key", AMAZONS)
def test_lapses_grow_fewer_from_level_to_level_and_the_highest_has_none(key):
    shares = [HABITS[key][number].lapses for number in range(1, 9)]
    assert shares == sorted(shares, reverse=True)
    assert HABITS[key][8] == Habit(has_book=True)


def test_lapses_of_pincer_grow_fewer_among_the_levels_that_know_every_term():
    shares = [HANDICAPS[number].lapses for number in range(3, 9)]
    assert shares == sorted(shares, reverse=True) and shares[-1] == 0.0


@pytest.mark.parametrize("key", AMAZONS)
def test_a_lapse_of_amazons_costs_no_search_and_is_no_reason_to_resign(key):
    story = random_position(key, 8, Random(4))
    player = AmazonsSearcher(key != "amazons", 200, Habit(lapses=1e9, glances=3.0))
    for seed in range(12):
        thought = think(player, story, 200, seed)
        assert thought.nodes <= 2 * 3
        assert thought.value >= MIN_GLANCED_VALUE
        assert thought.action in story.rules.choices(story.state, story.mover)


def test_what_a_lapse_saw_is_forgotten_in_the_next_search():
    story = random_position("amazons-8x8", 8, Random(4))
    player = AmazonsSearcher(True, 200, Habit(lapses=1e9, glances=3.0))
    think(player, story, 200, 1)
    player.habit = Habit()
    fresh = AmazonsSearcher(True, 200, Habit())
    assert think(player, story, 200, 2) == think(fresh, story, 200, 2)


def test_a_glance_falls_on_one_part_of_the_board():
    story = after("amazons-10x10").play("move 4 1 4 5")
    player = AmazonsSearcher(True, 50, Habit(lapses=1e9, glances=1.0))
    far = 0
    for seed in range(60):
        arrow = think(player, story, 50, seed).action.arrow
        far += max(abs((arrow >> 4) - 5), abs((arrow & 15) - 4)) > 2
    everything = len(story.legal)
    near = sum(
        max(abs((action.arrow >> 4) - 5), abs((action.arrow & 15) - 4)) <= 2
        for action in story.rules.choices(story.state, story.mover)
    )
    assert far / 60 < (everything - near) / everything - 0.1


FREE = """
    .......
    .......
    ..WB...
    ....W..
    .......
    .......
    B.....B"""


def test_a_lapse_of_pincer_takes_what_is_free():
    free = drawn("pincer", FREE, rest="- 10 5")
    player = PincerSearcher(Handicap(1, lapses=1e9, noise=20))
    for seed in range(8):
        assert free.play(str(think(player, free, 500, seed).action)).view["board"].count("B") == 2


def test_a_lapse_where_nothing_can_be_lost_is_no_mistake():
    player = PincerSearcher(Handicap(5, lapses=1e9, noise=2))
    assert {think(player, after("pincer"), 9_000, seed).why for seed in range(8)} == {""}
