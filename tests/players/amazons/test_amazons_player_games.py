"""Complete games of the Amazons player: legal, reproducible and in time."""

from __future__ import annotations

from random import Random

import pytest

from games.players.amazons.greedy import OneTurn
from games.players.amazons.player import Searcher, player_of
from games.players.amazons.settings import HABITS, Habit
from games.players.amazons.tree import NODES
from games.players.random_player import RandomPlayer
from tests.games.stories import AMAZONS, after, drawn
from tests.players.amazons.boards import play_out, random_position, read_position, think

pytestmark = pytest.mark.slow

BEST = Habit()


def searcher(key: str, nodes: int = 100, habit: Habit = BEST) -> Searcher:
    return Searcher(key != "amazons", nodes, habit)


@pytest.mark.parametrize("key", AMAZONS)
@pytest.mark.parametrize("turns", [0, 30, 45, 60])
def test_every_action_of_a_whole_game_is_legal(key, turns):
    story = random_position(key, turns, Random(turns))
    players = {"white": searcher(key), "black": searcher(key, 100, HABITS[key][1])}
    assert story.outcome or play_out(story, players, 60).state.turns > story.state.turns


@pytest.mark.parametrize("key", ["amazons-8x8", "amazons-10x10"])
def test_the_search_beats_chance_and_so_does_the_one_who_looks_one_turn_ahead(key):
    played = play_out(after(key), {"white": RandomPlayer(), "black": searcher(key)}, 60)
    assert played.outcome.winner == "black"
    played = play_out(after(key), {"white": OneTurn(), "black": RandomPlayer()}, 1)
    assert played.outcome.winner == "white"


@pytest.mark.parametrize("key", AMAZONS)
@pytest.mark.parametrize("number", [1, 3, 6])
def test_a_new_player_with_the_same_seed_and_nodes_does_the_same(key, number):
    for turns in (0, 20):
        story = random_position(key, turns, Random(3))
        thoughts = {think(player_of(key, number), story, 300, 7) for _ in range(2)}
        assert len(thoughts) == 1


def test_other_seeds_open_in_other_ways():
    start = after("amazons-10x10")
    assert len({think(player_of("amazons-10x10", 5), start, 200, seed) for seed in range(9)}) > 2


@pytest.mark.parametrize("key", AMAZONS)
def test_a_reused_search_tree_leads_to_legal_actions_only(key):
    player, story = searcher(key, 2000), random_position(key, 8, Random(2))
    other = searcher(key, 200)
    for _ in range(6):
        mover = story.mover
        while story.outcome is None and story.mover == mover:
            story = story.play(str(think(player, story, 2000).action))
        while story.outcome is None and story.mover != mover:
            story = story.play(str(think(other, story, 200).action))
        thought = think(player, story, 2000)
        assert thought.action in story.rules.choices(story.state, story.mover)
        assert thought.nodes < 2000 or key == "amazons"


def test_the_kept_tree_holds_the_children_that_a_new_one_would():
    player, story = searcher("amazons-8x8", 3000), random_position("amazons-8x8", 10, Random(4))
    move = think(player, story, 3000)
    after_move = read_position(story.play(str(move.action)))
    fresh = searcher("amazons-8x8", 10).search
    for search in (player.search, fresh):
        search.look_at(after_move, Random(1))
    kept, new = player.search.tree, fresh.tree
    assert sorted(kept.action[: kept.edge_count[0]]) == sorted(new.action[: new.edge_count[0]])
    assert kept.sizes[NODES] > new.sizes[NODES]


def test_a_position_that_does_not_follow_starts_a_new_tree():
    player = searcher("amazons-10x10", 500)
    think(player, after("amazons-10x10"), 500)
    elsewhere = random_position("amazons-10x10", 12, Random(8))
    thought = think(player, elsewhere, 500)
    assert thought.action in elsewhere.rules.choices(elsewhere.state, elsewhere.mover)
    assert thought == think(searcher("amazons-10x10", 500), elsewhere, 500)


def test_the_clock_ends_the_search():
    asked = []

    def is_over() -> bool:
        asked.append(True)
        return len(asked) == 3

    thought = think(
        searcher("amazons-10x10", 50_000), after("amazons-10x10"), 50_000, is_over=is_over
    )
    assert len(asked) == 3
    assert 3 * 1 <= thought.nodes <= 3 * 256


def test_asking_the_clock_does_not_change_what_is_found():
    start = random_position("amazons-8x8", 6, Random(1))
    one, other = searcher("amazons-8x8", 2000), searcher("amazons-8x8", 2000)
    other.search.chunk = 37
    assert think(one, start, 2000) == think(other, start, 2000)


@pytest.mark.parametrize(
    ("key", "best"), [("amazons-8x8", {"c2", "c1"}), ("amazons", {"c2", "c1"})]
)
def test_the_turn_that_shuts_the_other_in_is_found(key, best):
    rest = "xx" if key == "amazons" else ""
    wall = f"xxxxxxxx{rest}\n" * (6 if key != "amazons" else 8)
    story = drawn(key, wall + f"xxxW.xxx{rest}\nBx.x..xx{rest}".replace("Bx.", "B.."))
    player = searcher(key, 400)
    while story.outcome is None and story.mover == "white":
        thought = think(player, story, 400)
        assert thought.why == "solved"
        assert thought.value == 1.0
        story = story.play(str(thought.action))
    assert story.outcome.winner == "white"
