"""Openings: symmetric games have the same keys, and turns lead back to the reader's board."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue import RULES
from games.core import advance, fill_noop
from games.opening_keys import (
    MAX_TURNS,
    opening_turns,
    position_key,
    turn_of_position,
)
from games.symmetry import (
    canonical_position,
    canonical_turn,
    image_of,
    inverse_of,
    start_symmetries,
)

BOARDS = [key for key, rules in RULES.items() if rules.kind == "path"]
boards = st.sampled_from(BOARDS)
seeds = st.integers(0, 10**9)


def random_game(key: str, seed: int, turns: int) -> list[dict]:
    """The joint actions of a random game, as action objects, without `noop`."""
    rules, rng = RULES[key], Random(seed)
    state, joints = rules.start(), []
    while rules.turns(state) < turns and rules.control(state):
        (role,) = rules.control(state)
        joints.append({role: rng.choice(list(rules.choices(state, role)))})
        state = advance(rules, state, fill_noop(rules, joints[-1]))
    return joints


def written(joints) -> list[dict]:
    return [{role: str(action) for role, action in joint.items()} for joint in joints]


def mirrored(joints, symmetry) -> list[dict]:
    return [
        {role: image_of(action, symmetry) for role, action in joint.items()} for joint in joints
    ]


def after(key: str, joints):
    rules = RULES[key]
    state = rules.start()
    for joint in joints:
        state = advance(rules, state, fill_noop(rules, joint))
    return state


@settings(deadline=None, max_examples=60)
@given(boards, seeds)
def test_symmetric_games_have_the_same_opening(key: str, seed: int) -> None:
    rules, joints = RULES[key], random_game(key, seed, 14)
    expected = opening_turns(rules, written(joints))
    for symmetry in start_symmetries(rules):
        image = mirrored(joints, symmetry)
        after(key, image)  # it is legal too
        assert opening_turns(rules, written(image)) == expected


@settings(deadline=None, max_examples=60)
@given(boards, seeds, st.integers(0, MAX_TURNS))
def test_a_canonical_turn_leads_to_the_same_position_on_every_image(key, seed, turns) -> None:
    rules, joints = RULES[key], random_game(key, seed, turns)
    state = after(key, joints)
    (role,) = rules.control(state)
    turn = []
    following = state
    while rules.turns(following) == rules.turns(state):
        turn.append(Random(seed).choice(list(rules.choices(following, role))))
        following = advance(rules, following, fill_noop(rules, {role: turn[-1]}))
    position = canonical_position(rules, state)
    text = canonical_turn(rules, state, turn, position.symmetries)
    goal = canonical_position(rules, following)
    for symmetry in start_symmetries(rules):
        image = after(key, mirrored(joints, symmetry))
        found = canonical_position(rules, image)
        assert position_key(rules, found) == position_key(rules, position)
        reached = image
        for action in turn_of_position(rules, image, found, text):
            reached = advance(rules, reached, fill_noop(rules, {role: action}))
        assert canonical_position(rules, reached).text == goal.text


@pytest.mark.parametrize("key", BOARDS)
def test_the_start_is_its_own_image_and_later_positions_have_one_canonical_side(key) -> None:
    rules = RULES[key]
    start = canonical_position(rules, rules.start())
    assert len(start.symmetries) == len(start_symmetries(rules)) == 2
    later = canonical_position(rules, after(key, random_game(key, 1, 1)))
    assert len(later.symmetries) == 1


def test_the_key_of_the_start_stays_what_it_is_in_databases() -> None:
    keys = {
        key: position_key(RULES[key], canonical_position(RULES[key], RULES[key].start()))
        for key in BOARDS
    }
    assert len(set(keys.values())) == len(BOARDS)  # two rule sets share a start
    assert keys == {
        "amazons": -5558923255435573321,
        "amazons-10x10": 7549190483042467997,
        "amazons-8x8": -3099553918900381002,
        "pincer": -5619885656815434558,
    }


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8", "pincer"])
def test_within_a_turn_there_is_no_canonical_position(key) -> None:
    rules = RULES[key]
    (first, *_) = random_game(key, 1, 1)
    assert canonical_position(rules, after(key, [first])) is None


def test_an_unfinished_turn_and_turns_after_the_twelfth_are_left_out() -> None:
    rules, joints = RULES["amazons-8x8"], random_game("amazons-8x8", 1, 14)
    assert len(opening_turns(rules, written(joints))) == MAX_TURNS
    assert len(opening_turns(rules, written(joints[:3]))) == 1
    assert opening_turns(rules, []) == []


def test_different_positions_have_different_keys() -> None:
    for key in BOARDS:
        rules = RULES[key]
        keys, texts = set(), set()
        for seed in range(30):
            for turns in range(6):
                position = canonical_position(rules, after(key, random_game(key, seed, turns)))
                keys.add(position_key(rules, position))
                texts.add(position.text)
        assert len(keys) == len(texts)


def test_inverse_undoes_a_symmetry() -> None:
    for key in BOARDS:
        for symmetry in start_symmetries(RULES[key]):
            back = inverse_of(symmetry)
            assert all(back[symmetry[square]] == square for square in symmetry)
