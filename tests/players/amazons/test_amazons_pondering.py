"""Pondering, the search on the opponent's time: reuse by the next turn, and bounds."""

from __future__ import annotations

from random import Random

import pytest

from games.players.amazons import player as player_module
from games.players.amazons.player import Searcher
from games.players.amazons.position import actions_of
from games.players.amazons.settings import Habit
from games.players.amazons.tree import NODES
from games.players.compiled import IS_COMPILED
from games.players.core import Allowance
from tests.games.stories import AMAZONS
from tests.players.amazons.boards import Story, random_position, read_position, think

NODES_OF_LEVEL = 300
needs_numba = pytest.mark.skipif(not IS_COMPILED, reason="nobody ponders without compiled code")


def ponder(player: Searcher, story: Story, nodes: int, role=None, **more) -> int:
    """The simulations that the role which is not to act runs, or another one."""
    role = role or ("black" if story.mover == "white" else "white")
    return player.ponder(story.rules.view(story.state, role), role, Allowance(nodes, **more))


def after_own_turn(key: str, turns: int = 6) -> tuple[Searcher, Story]:
    """A player and the position after its turn."""
    player = Searcher(key != "amazons", NODES_OF_LEVEL, Habit())
    player.search.chunk = 64
    story = random_position(key, turns, Random(turns))
    role = story.mover
    while story.mover == role:
        story = story.play(str(think(player, story, NODES_OF_LEVEL).action))
    return player, story


def expected_reply(player: Searcher) -> list[str]:
    """The most visited turn of the opponent."""
    search = player.search
    is_split = not search.is_optional
    acts = search.line(search.best())[:2]
    return [str(action) for action in actions_of(acts, False, is_split)]


def visits_at(player: Searcher, story: Story) -> int:
    """The visits with which the search of a position begins."""
    player.search.look_at(read_position(story), Random(1))
    return int(player.search.tree.node_visits[0])


@needs_numba
@pytest.mark.parametrize("key", AMAZONS)
def test_the_next_turn_begins_with_the_visits_below_the_reply(key):
    plain, story = after_own_turn(key)
    pondering, _ = after_own_turn(key)
    assert ponder(pondering, story, 1_000) == 1_000
    later = story.play(*expected_reply(pondering))
    assert visits_at(pondering, later) > visits_at(plain, later) + 50


@needs_numba
@pytest.mark.parametrize("key", AMAZONS)
def test_after_a_reply_that_nobody_expected_the_search_begins_anew(key):
    player, story = after_own_turn(key, 2)
    ponder(player, story, 1_000)
    count = int(player.search.tree.edge_count[0])
    known = {int(act) for act in player.search.tree.action[:count]}
    before = read_position(story)
    for seed in range(1_000):
        later = story.play(str(_choices(story).sample(Random(seed))))
        if key != "amazons":
            later = later.play(str(_choices(later).sample(Random(seed))))
        if before.go_to(read_position(later))[0] not in known:
            break
    else:
        raise AssertionError("the search knows all moves")
    fresh = Searcher(key != "amazons", NODES_OF_LEVEL, Habit())
    fresh.search.chunk = player.search.chunk
    assert think(player, later, 200, 7) == think(fresh, later, 200, 7)


def _choices(story: Story):
    return story.rules.choices(story.state, story.mover)


@needs_numba
def test_pondering_goes_on_in_a_full_tree_and_keeps_no_more_than_a_turn_does():
    player, story = after_own_turn("amazons-10x10")
    room, visits = player.search.room, int(player.search.tree.node_visits[0])
    assert ponder(player, story, 10 * room) == 10 * room
    assert player.search.tree.node_visits[0] == visits + 10 * room
    assert player.search.tree.sizes[NODES] <= room // 2


@needs_numba
def test_pondering_ends_when_the_game_is_decided():
    player, story = after_own_turn("amazons-8x8", 36)
    assert ponder(player, story, 200_000) < 200_000


@needs_numba
def test_pondering_stops_within_a_chunk_and_begins_with_none_if_it_is_over():
    player, story = after_own_turn("amazons-10x10")
    before = player.search.tree
    assert ponder(player, story, 10**9, is_over=lambda: True) == 0
    assert player.search.tree is before
    looks = iter([False, False, True])
    assert ponder(player, story, 10**9, is_over=lambda: next(looks)) == 2 * player.search.chunk


@needs_numba
def test_pondering_goes_on_where_it_was_stopped():
    player, story = after_own_turn("amazons-10x10")
    visits = int(player.search.tree.node_visits[0])
    assert [ponder(player, story, 200) for _ in range(3)] == [200] * 3
    assert player.search.tree.node_visits[0] == visits + 600


@needs_numba
@pytest.mark.parametrize("key", AMAZONS)
def test_nobody_ponders_at_an_own_turn_or_without_a_search(key):
    player, story = after_own_turn(key)
    assert ponder(player, story, 100, role=story.mover) == 0
    assert ponder(Searcher(key != "amazons", NODES_OF_LEVEL, Habit()), story, 100) == 0


@needs_numba
def test_nobody_ponders_between_the_own_move_and_the_own_arrow():
    player, story = Searcher(True, 300, Habit()), random_position("amazons-10x10", 2, Random(1))
    role = story.mover
    story = story.play(str(think(player, story, 300).action))
    assert story.mover == role and ponder(player, story, 100, role=role) == 0


def test_nobody_ponders_without_compiled_code(monkeypatch):
    monkeypatch.setattr(player_module, "IS_COMPILED", False)
    player, story = after_own_turn("amazons-8x8")
    assert ponder(player, story, 100) == 0


@needs_numba
@pytest.mark.parametrize("key", AMAZONS)
def test_a_player_who_ponders_plays_legal_turns_to_the_end(key):
    rng, player = Random(3), Searcher(key != "amazons", 100, Habit())
    player.search.chunk = 64
    story = random_position(key, 30, rng)
    own = story.mover
    for number in range(60):
        if story.outcome is not None:
            break
        if story.mover == own:
            action = think(player, story, 100, number).action
            assert action in _choices(story)
        else:
            ponder(player, story, 200)
            action = _choices(story).sample(rng)
        story = story.play(str(action))
