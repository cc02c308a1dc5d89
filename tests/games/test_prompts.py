"""The prompt lists exactly the legal turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import msgspec
import pytest

from games.catalogue import rules_of
from games.core import OTHER, advance, assemble_joint
from games.prompts import PathPrompt, SplitPrompt, Tree
from tests.games.stories import BOARDS, after, drawn, moments, pieces, random_joint
from tests.support.prompt_unpacking import unpacked

Path = tuple[tuple[str, ...], tuple[frozenset[str], ...]]  # squares, and the captures of each


def paths(tree: Tree, before: Path = ((), ())) -> Iterator[Path]:
    """Every way down a tree that has been unpacked."""
    chosen, emptied = before
    if tree == "":
        yield before
    if isinstance(tree, str):
        for square in tree.split():
            yield (*chosen, square), (*emptied, frozenset())
        return
    children = {square: node for square, node in tree.items() if square != "x"}
    if not children:
        yield before
    for square, node in children.items():
        taken = node.get("x", "") if isinstance(node, dict) else ""
        yield from paths(node, ((*chosen, square), (*emptied, frozenset(taken.split()))))


def canonical(square: str) -> str:
    return f"{ord(square[0]) - 96} {square[1:]}"


def sentences(prompt: PathPrompt, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The actions of a path: a template whose squares are not all there is left out."""
    return tuple(
        " ".join([word, *(canonical(chosen[index]) for index in indices)])
        for word, *indices in prompt.actions
        if max(indices) < len(chosen)
    )


def legal_turns(rules, state, role) -> Iterator[tuple[tuple[str, ...], tuple[frozenset[str], ...]]]:
    """Every turn from here by listing and playing, and what each of its steps captures."""
    for action in rules.choices(state, role):
        joint = assemble_joint(rules, state, {role: action})
        later = rules.play(state, joint)
        removed = [e.squares for e in rules.effects(state, joint, None) if e.kind == "remove"]
        step = (str(action),), (frozenset(square for run in removed for square in run),)
        if rules.turns(later) != rules.turns(state):
            yield step
            continue
        for texts, taken in legal_turns(rules, later, role):
            yield step[0] + texts, step[1] + taken


def tree_of(rules, state, prompt: PathPrompt) -> Tree:
    """The tree with every square by name."""
    return unpacked(prompt.tree, rules.view(state, None)["board"])


def some_states(key: str) -> list:
    states = [state for state, joint in moments(key, games=3) if joint]
    return [rules_of(key).start(), *Random(key).sample(states, 7)]


@pytest.mark.parametrize("key", BOARDS)
def test_the_paths_of_the_tree_are_exactly_the_legal_turns(key):
    rules = rules_of(key)
    for state in some_states(key):
        (role,) = rules.control(state)
        prompt = rules.prompt(state, role)
        offered = [sentences(prompt, chosen) for chosen, _ in paths(tree_of(rules, state, prompt))]
        legal = [texts for texts, _ in legal_turns(rules, state, role)]
        assert sorted(offered) == sorted(legal)


@pytest.mark.parametrize("key", BOARDS)
def test_every_path_of_the_tree_is_played_to_the_end_of_the_turn(key):
    rules = rules_of(key)
    for start in some_states(key)[1:]:
        (role,) = rules.control(start)
        prompt = rules.prompt(start, role)
        for chosen, _ in paths(tree_of(rules, start, prompt)):
            assert len(chosen) <= len(prompt.steps)
            state = start
            for text in sentences(prompt, chosen):
                assert rules.turns(state) == rules.turns(start)
                state = advance(
                    rules, state, assemble_joint(rules, state, {role: rules.parse(text)})
                )
            assert rules.turns(state) == rules.turns(start) + 1


@pytest.mark.parametrize("key", BOARDS)
def test_a_plan_is_the_prompt_of_the_same_position_with_the_other_role_to_act(key):
    rules, met = rules_of(key), 0
    for state in some_states(key):
        (role,) = rules.control(state)
        begun = "stepped" if key == "pincer" else "moved"
        turned = replace(state, to_move=OTHER[role], **{begun: None})
        plan = rules.plan(state, OTHER[role])
        assert plan == rules.prompt(turned, OTHER[role])
        met += plan is not None
    assert met


@pytest.mark.parametrize("rests", (True, False))
@pytest.mark.parametrize("seed", range(9))
def test_the_preview_of_pincer_shows_what_each_step_captures(seed, rests):
    """Compares on set-up boards, with runs between enemies, and on boards at rest."""
    rules, rng = rules_of("pincer"), Random(seed)
    cells = ["."] * 49
    for index in rng.sample(range(49), 15 if rests else 11):
        cells[index] = rng.choice("WB")
    board = "/".join("".join(cells[i : i + 7]) for i in range(0, 49, 7))
    state = rules.read(f"{board} white - 0 0")
    if rests:
        state = rules.play(state, random_joint(rules, state, rng))
        state = rules.read(f"{rules.view(state, None)['board']} white - 0 0")
    (role,) = rules.control(state)
    prompt = rules.prompt(state, role)
    offered = {
        sentences(prompt, chosen): emptied[1::2] for chosen, emptied in paths(unpacked(prompt.tree))
    }
    legal = dict(legal_turns(rules, state, role))
    assert offered == legal
    assert rests or any(any(taken) for taken in legal.values())


def test_the_opening_of_amazons_is_a_small_tree():
    story = after("amazons")
    prompt = story.rules.prompt(story.state, "white")
    encoded = msgspec.json.encode(prompt)
    assert len(encoded) < 250
    tree = tree_of(story.rules, story.state, prompt)
    assert len(list(paths(tree))) == 2176
    decoded = msgspec.json.decode(encoded)
    assert decoded["kind"] == "path"
    assert decoded["steps"] == [
        {"word": "from", "keep": None},
        {"word": "to", "keep": None},
        {"word": "arrow", "keep": 0},
    ]
    assert decoded["actions"] == [["play", 0, 1, 2]]
    assert "d1" in tree["d1"]["d7"].split() and decoded["tree"]["d1"] == "**"


def test_in_the_split_form_the_prompt_spans_move_and_arrow():
    prompt = after("amazons-10x10").rules.prompt(after("amazons-10x10").state, "white")
    assert [step.word for step in prompt.steps] == ["from", "to", "arrow"]
    assert all(step.keep is None for step in prompt.steps)
    assert prompt.actions == (("move", 0, 1), ("fire", 2))


def test_after_the_move_only_the_arrow_is_asked_for():
    story = after("amazons-8x8", "c1-c5")
    prompt = story.rules.prompt(story.state, "white")
    assert [step.word for step in prompt.steps] == ["arrow"]
    assert prompt.actions == (("fire", 0),) and isinstance(prompt.tree, str)
    assert "c1" in prompt.tree.split()


def test_an_amazon_that_cannot_move_is_not_offered():
    story = drawn(
        "amazons-8x8",
        """
        .......B
        ........
        ........
        ........
        ........
        ....W...
        xx......
        Wx......""",
    )
    assert list(story.rules.prompt(story.state, "white").tree) == ["e3"]


def test_the_second_move_of_pincer_is_on_the_board_after_the_captures_of_the_first():
    story = drawn(
        "pincer",
        """
        .......
        .W.....
        BB.....
        ..W...B
        ......W
        ......W
        B......""",
    )
    tree = unpacked(story.rules.prompt(story.state, "white").tree)
    node = tree["c4"]["c5"]
    assert set(node["x"].split()) == {"a5", "b5"}
    assert "b5" in node["b6"] and "c5" not in node


def test_a_first_move_that_ends_the_game_has_nothing_below_it():
    story = drawn(
        "pincer",
        """
        ......W
        .......
        .......
        .......
        .......
        .W.....
        B......""",
    )
    assert story.rules.prompt(story.state, "white").tree["b2"]["b1"] == {"x": "a1"}


def test_the_turn_ends_in_the_tree_where_no_different_piece_is_left():
    """On this set-up board a1 is between the wall and b1: the first judging takes it."""
    story = drawn(
        "pincer",
        """
        ......B
        .......
        .......
        ...W...
        .......
        .......
        WB.....""",
    )
    prompt = story.rules.prompt(story.state, "white")
    assert [step.word for step in prompt.steps] == ["from", "to", "from2", "to2"]
    tree = unpacked(prompt.tree)
    assert tree["d4"] == {square: {"x": "a1"} for square in ("d3", "c4", "e4", "d5")}
    assert set(tree["a1"]["a2"]) == {"d4"}
    assert story.play("d4-d5").mover == "black"


def test_with_one_piece_the_prompt_is_one_move():
    story = drawn(
        "pincer",
        """
        W.....W
        .......
        .......
        ...B...
        .......
        .......
        .......""",
        "black",
    )
    prompt = story.rules.prompt(story.state, "black")
    assert [step.word for step in prompt.steps] == ["from", "to"]
    assert prompt.actions == (("move", 0, 1),)
    assert set(unpacked(prompt.tree)["d4"].split()) == {"c4", "e4", "d3", "d5"}


def test_the_second_step_of_pincer_is_asked_for_by_its_own_words():
    story = after("pincer", "a5-b5")
    prompt = story.rules.prompt(story.state, "white")
    assert [step.word for step in prompt.steps] == ["from2", "to2"]
    assert prompt.actions == (("move", 0, 1),)
    assert set(unpacked(prompt.tree)) == {"a7", "g3", "g1"}


def test_blotto_asks_for_a_split():
    story = after("blotto")
    assert story.rules.prompt(story.state, "black") == SplitPrompt(10, 3)
    assert msgspec.to_builtins(SplitPrompt(10, 3)) == {
        "kind": "split",
        "word": "troops",
        "total": 10,
        "fields": 3,
    }


@pytest.mark.parametrize("key", BOARDS)
def test_effects_applied_to_the_board_before_give_the_board_after(key):
    rules = rules_of(key)
    for state, joint in moments(key):
        if joint is None:
            continue
        board = pieces(rules.view(state, None)["board"])
        for effect in rules.effects(state, joint, None):
            if effect.kind == "slide":
                board[effect.end] = board.pop(effect.start)
                assert board[effect.end] == effect.role[0].upper()
            elif effect.kind == "place":
                assert board[effect.start] == effect.role[0].upper() and effect.at not in board
                board[effect.at] = "x"
            else:
                for square in effect.squares:
                    assert board.get(square, effect.role[0].upper()) == effect.role[0].upper()
                    board.pop(square, None)
        assert board == pieces(rules.view(rules.play(state, joint), None)["board"])
