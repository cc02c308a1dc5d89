"""Working trees are allocated once, and the subtree of the played turn is kept."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from games.players.amazons.player import Searcher
from games.players.amazons.search import Search
from games.players.amazons.settings import Habit
from games.players.amazons.tree import (
    EDGE_FIELDS,
    EDGES,
    NODES,
    Tree,
    copy_of,
    edge_room,
    keep_below,
    min_visits_within,
    size_bytes,
)
from games.players.amazons.tree_pool import MAX_FREE_NODES, MAX_FREE_TREES, POOL, TreePool
from games.players.core import Allowance
from tests.games.stories import after
from tests.players.amazons.boards import random_position, read_position, think


def grown(turns: int = 8, nodes: int = 800) -> Search:
    search = Search(nodes, is_optional=False)
    search.look_at(read_position(random_position("amazons-8x8", turns, Random(turns))), Random(1))
    search.grow(nodes, Allowance(nodes))
    return search


def outline(tree: Tree, node: int, min_visits: int = 0) -> tuple:
    """The subtree of a node as values, without the numbers of nodes and edges."""
    start = int(tree.first_edge[node])
    edges = range(start, start + int(tree.edge_count[node]))
    below = []
    for edge in edges:
        child = int(tree.child[edge])
        is_kept = child >= 0 and tree.node_visits[child] >= min_visits
        known = [float(array[edge]) for array in tree[:EDGE_FIELDS] if array is not tree.child]
        below.append((known, outline(tree, child, min_visits) if is_kept else None))
    about = tree.cut[node], tree.node_visits[node], tree.node_value[node]
    return tuple(map(float, about)), below


@pytest.mark.parametrize("min_visits", [0, 1, 4])
def test_the_part_below_a_node_is_moved_to_the_front_unchanged(min_visits):
    tree = grown().tree
    edge = int(np.argmax(tree.visits[: tree.edge_count[0]]))
    top = int(tree.child[edge])
    expected = outline(tree, top, min_visits)
    nodes = int(tree.sizes[NODES])
    keep_below(tree, top, min_visits, np.empty(nodes, np.int32))
    assert outline(tree, 0) == expected
    assert 1 <= tree.sizes[NODES] < nodes
    assert tree.sizes[EDGES] == tree.edge_count[: tree.sizes[NODES]].sum()


@pytest.mark.parametrize("nodes", [10_000, 400, 100, 20, 1])
def test_the_bound_of_visits_is_the_lowest_with_which_a_tree_fits(nodes):
    tree, bounds = grown().tree, [0, *(2**power for power in range(12))]

    def is_small(bound: int) -> bool:
        kept = copy_of(tree)
        keep_below(kept, 0, bound, np.empty(int(tree.sizes[NODES]), np.int32))
        return kept.sizes[NODES] <= nodes and kept.sizes[EDGES] <= edge_room(nodes)

    assert min_visits_within(tree, nodes) == next(filter(is_small, bounds))


def test_two_large_trees_are_not_held():
    pool = TreePool()
    room = MAX_FREE_NODES // 2 + 1
    lent = [pool.borrow(room), pool.borrow(room)]
    for working in lent:
        pool.give_back(working)
    before = pool.bytes_allocated
    pool.borrow(room)
    assert pool.bytes_allocated == before
    pool.borrow(room)
    assert pool.bytes_allocated > before


def test_a_tree_is_allocated_once_for_all_actions_and_players_of_a_process():
    story = after("amazons-8x8")
    think(Searcher(True, 500, Habit()), story, 500)
    before = POOL.bytes_allocated
    for seed in range(3):
        player = Searcher(True, 500, Habit())
        position = story
        for _ in range(4):
            position = position.play(str(think(player, position, 500, seed).action))
    assert POOL.bytes_allocated == before


def test_between_two_actions_a_player_holds_only_what_it_can_use():
    player, story = Searcher(True, 2_000, Habit()), random_position("amazons-8x8", 6, Random(3))
    thought = think(player, story, 2_000)
    search = player.search
    assert search.root == read_position(story.play(str(thought.action)))
    assert 0 < search.held_bytes < size_bytes(POOL.borrow(search.room).whole) / 2
    nodes, edges = int(search.tree.sizes[NODES]), int(search.tree.sizes[EDGES])
    assert len(search.tree.first_edge) == nodes and len(search.tree.action) == edges


def test_two_searches_at_a_time_work_in_different_trees():
    one, other = grown(), grown()
    assert not np.shares_memory(one.tree.visits, other.tree.visits)


def test_a_small_tree_given_back_is_not_lent_for_a_large_one_and_few_are_held():
    pool = TreePool()
    lent = [pool.borrow(room) for room in (100, 400, 200)]
    for working in lent:
        pool.give_back(working)
    before = pool.bytes_allocated
    assert len(pool.borrow(300).whole.first_edge) == 400
    assert len(pool.borrow(150).whole.first_edge) == 200
    assert pool.bytes_allocated == before
    assert len(lent) > MAX_FREE_TREES
    pool.borrow(50)
    assert pool.bytes_allocated > before
