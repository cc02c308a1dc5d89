"""Trees of studies: which are taken, and which turns are played."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.board.position_tree import IllegalTurn, InvalidTree
from analysis.studies import study_tree
from analysis.studies.study_tree import (
    MAX_DEPTH,
    MAX_TREE_BYTES,
    MAX_TURNS,
    StudyNode,
    TreeTooLarge,
    check_tree,
    read_tree,
    write_tree,
)
from games.catalogue import rules_of
from tests.analysis.studies.study_trees import random_tree

PINCER = rules_of("pincer")
OPENING = ["move 1 5 2 5", "move 7 3 6 3"]


@pytest.fixture
def played_turns(monkeypatch) -> list[int]:
    """The indices of the turns that were played by the rules, each with its check."""
    found: list[int] = []
    play = study_tree.play_turn

    def counted(rules, index, node, state):
        found.append(index)
        return play(rules, index, node, state)

    monkeypatch.setattr(study_tree, "play_turn", counted)
    return found


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8", "amazons", "pincer"])
def test_a_tree_is_stored_and_read_again(key) -> None:
    nodes = random_tree(key, 60)
    nodes[3].comment, nodes[5].mark = "Zählt <b>nicht</b>", "!?"
    check_tree(rules_of(key), nodes)
    assert read_tree(write_tree(nodes)) == nodes


def test_only_new_turns_are_checked(played_turns) -> None:
    known = random_tree("pincer", 50)
    check_tree(PINCER, random_tree("pincer", 53, seed=2, known=known), known)
    assert played_turns == [50, 51, 52]
    check_tree(PINCER, known, known)
    assert played_turns == [50, 51, 52]


@given(st.integers(1, 40), st.integers(0, 40), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_reordered_and_pruned_trees_need_no_play(count, dropped, rng) -> None:
    known = random_tree("pincer", count)
    children: dict[int, list[int]] = {}
    for index, node in enumerate(known):
        children.setdefault(node.parent, []).append(index)
    kept, places, work = [], {-1: -1}, [-1]
    while work:
        at = work.pop(rng.randrange(len(work)))
        for child in rng.sample(children.get(at, []), len(children.get(at, []))):
            if child == dropped:
                continue
            places[child] = len(kept)
            kept.append(StudyNode(places[at], known[child].actions, mark="?"))
            work.append(child)
    check_tree(PINCER, kept, known, max_played=0)


def test_an_illegal_turn_below_known_ones_is_found() -> None:
    known = random_tree("pincer", 20)
    wrong = [*known, StudyNode(19, ["move 1 1 7 7", "move 1 1 7 7"])]
    with pytest.raises(IllegalTurn) as refusal:
        check_tree(PINCER, wrong, known)
    assert refusal.value.index == 20


def test_a_known_turn_under_another_parent_is_played_again() -> None:
    known = random_tree("pincer", 8)
    moved = [StudyNode(-1, known[7].actions)] if known[7].parent != -1 else known
    with pytest.raises(IllegalTurn):
        check_tree(PINCER, [*moved, StudyNode(0, known[0].actions)], known)


def test_equal_turns_after_the_same_one_count_as_one() -> None:
    twice = [StudyNode(-1, OPENING), StudyNode(-1, OPENING)]
    check_tree(PINCER, twice)
    reply = random_tree("pincer", 2, known=twice[:1])[1]
    tree = [*twice, StudyNode(1, reply.actions) if reply.parent == 0 else StudyNode(1, [])]
    if tree[2].actions:
        check_tree(PINCER, tree, twice, max_played=2)


@pytest.mark.parametrize(
    "nodes",
    [
        [StudyNode(0, OPENING)],  # follows itself
        [StudyNode(-1, OPENING), StudyNode(2, OPENING), StudyNode(1, OPENING)],  # a cycle
        [StudyNode(-2, OPENING)],
        [StudyNode(-1, OPENING, comment="x" * 501)],
        [StudyNode(-1, OPENING, mark="!!!")],
    ],
)
def test_what_is_no_tree_is_refused(nodes) -> None:
    with pytest.raises(InvalidTree):
        check_tree(PINCER, nodes)


def test_too_many_turns_and_too_deep_trees_are_refused_unplayed(played_turns) -> None:
    with pytest.raises(TreeTooLarge):
        check_tree(PINCER, [StudyNode(-1, OPENING)] * (MAX_TURNS + 1))
    with pytest.raises(InvalidTree, match="in a row"):
        check_tree(PINCER, [StudyNode(at - 1, OPENING) for at in range(MAX_DEPTH + 1)])
    with pytest.raises(TreeTooLarge):
        check_tree(PINCER, [StudyNode(at - 1, OPENING) for at in range(10_000)])
    assert played_turns == []


def test_a_save_plays_a_bounded_number_of_turns(played_turns) -> None:
    with pytest.raises(TreeTooLarge):
        check_tree(PINCER, [StudyNode(-1, OPENING)] * 11, max_played=10)
    assert played_turns == []


def test_a_tree_of_257_kilobytes_is_refused() -> None:
    nodes = [StudyNode(-1, OPENING, comment="é" * 250) for _ in range(500)]
    assert len(write_tree(nodes[:450]).encode()) < MAX_TREE_BYTES
    with pytest.raises(TreeTooLarge):
        write_tree(nodes)
