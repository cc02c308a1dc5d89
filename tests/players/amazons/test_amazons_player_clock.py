"""The search on a clock: its continuation beyond the level's nodes, and its end."""

from __future__ import annotations

from random import Random

import pytest

from games.players.amazons.player import Searcher
from games.players.amazons.search import MAX_ROOM, Search
from games.players.amazons.settings import Habit
from games.players.amazons.tree import NODES
from games.players.compiled import IS_COMPILED
from games.players.core import Allowance, never
from games.players.time_management import ActionTime
from tests.games.stories import AMAZONS, after
from tests.players.amazons.boards import random_position, read_position, think

NODES_OF_LEVEL = 200 if IS_COMPILED else 20


class Ticks:
    """Time that goes on by one second at each look."""

    def __init__(self) -> None:
        self.seconds = 0

    def __call__(self) -> float:
        self.seconds += 1
        return float(self.seconds)


def pace(soft_s: float, hard_s: float, may_go_on=lambda: True) -> ActionTime:
    return ActionTime(Ticks(), soft_s, hard_s, may_go_on)


def searched(key: str = "amazons-10x10", turns: int = 0, **more) -> tuple[Searcher, int]:
    """The nodes of a thought, by a player with chunks of a few simulations."""
    player = Searcher(key != "amazons", NODES_OF_LEVEL, Habit())
    player.search.chunk = 16
    story = random_position(key, turns, Random(5)) if turns else after(key)
    return player, think(player, story, NODES_OF_LEVEL, **more).nodes


@pytest.mark.parametrize("key", AMAZONS)
def test_an_open_choice_goes_on_beyond_the_nodes_until_the_hard_time(key):
    _, nodes = searched(key, time=pace(4.0, 40.0))
    assert NODES_OF_LEVEL < nodes <= NODES_OF_LEVEL + 40 * 16


def test_while_somebody_else_waits_only_the_nodes_are_examined():
    _, nodes = searched(time=pace(1e6, 1e6, may_go_on=never))
    assert nodes == NODES_OF_LEVEL


def test_no_time_left_leaves_the_nodes_and_a_thought_that_is_over_a_single_chunk():
    assert searched(time=pace(0.0, 0.0))[1] == NODES_OF_LEVEL
    assert searched(time=pace(1e6, 1e6), is_over=lambda: True)[1] == 16


def test_a_forced_choice_takes_no_time():
    search = Search(NODES_OF_LEVEL, is_optional=False, chunk=16)
    search.look_at(read_position(after("amazons-10x10")), Random(1))
    search.tree.edge_count[0] = 1
    clock = Allowance(NODES_OF_LEVEL, time=pace(1e6, 1e6))
    assert search.grow(NODES_OF_LEVEL, clock) == NODES_OF_LEVEL


def test_the_search_stops_when_the_second_choice_cannot_catch_up():
    search = Search(NODES_OF_LEVEL, is_optional=False, chunk=16)
    search.look_at(read_position(after("amazons-10x10")), Random(1))
    search.tree.prior[0], search.tree.prior[1 : search.tree.edge_count[0]] = 1.0, 0.0
    search.tree.static[1 : search.tree.edge_count[0]] = -0.9
    done = search.grow(NODES_OF_LEVEL, Allowance(NODES_OF_LEVEL, time=pace(200.0, 300.0)))
    assert done < NODES_OF_LEVEL + 200 * 16
    visits = sorted(search.tree.visits[: search.tree.edge_count[0]])
    assert visits[-1] - visits[-2] > 0.5 * done


@pytest.mark.skipif(not IS_COMPILED, reason="takes long without compiled code")
def test_a_full_tree_is_pruned_and_the_search_goes_on():
    player, nodes = searched(turns=4, time=pace(1_000.0, 1_000.0))
    assert nodes > 3 * (2 * NODES_OF_LEVEL + 1000)
    assert player.search.tree.sizes[NODES] <= player.search.room


@pytest.mark.skipif(not IS_COMPILED, reason="takes long without compiled code")
def test_a_full_tree_is_pruned_without_a_time_too():
    search = Search(NODES_OF_LEVEL, is_optional=False)
    search.look_at(read_position(after("amazons-10x10")), Random(1))
    visits = 5 * search.room
    assert search.grow(visits, Allowance(visits)) >= visits - 1
    assert search.tree.sizes[NODES] <= search.room


def test_the_room_of_a_tree_is_bounded():
    assert Search(100 * MAX_ROOM, is_optional=True).room == MAX_ROOM


@pytest.mark.parametrize("key", AMAZONS)
def test_without_a_time_a_look_at_the_clock_changes_nothing(key):
    story = random_position(key, 6, Random(2))
    thoughts = [
        think(Searcher(key != "amazons", 300, Habit()), story, 300, 7, is_over=is_over)
        for is_over in (never, lambda: False)
    ]
    assert thoughts[0] == thoughts[1]
    assert thoughts[0].nodes <= 300
