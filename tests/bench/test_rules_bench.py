"""Benchmarks of the rules: `pytest tests/bench`. Reports figures without limits."""

from __future__ import annotations

from random import Random

import pytest

from games import notation
from games.catalogue import RULES, rules_of
from games.core import OTHER, advance, assemble_joint
from games.grid import picture

BOARDS = [key for key in RULES if key != "blotto"]
MIDDLE = {"amazons": 30, "amazons-10x10": 60, "amazons-8x8": 40, "blotto": 2, "pincer": 20}


def middle(key: str):
    """A state in the middle of a random game."""
    rules, rng = rules_of(key), Random(3)
    state = rules.start()
    for _ in range(MIDDLE[key]):
        sealed = {role: rules.choices(state, role).sample(rng) for role in rules.control(state)}
        state = rules.play(state, assemble_joint(rules, state, sealed))
    return rules, state


def random_joint(rules, state):
    """A joint action that is legal there."""
    rng = Random(1)
    sealed = {role: rules.choices(state, role).sample(rng) for role in rules.control(state)}
    return assemble_joint(rules, state, sealed)


@pytest.mark.parametrize("key", RULES)
def test_parse_check_and_play_one_action(benchmark, key):
    rules, state = middle(key)
    texts = {
        role: str(rules.choices(state, role).sample(Random(1))) for role in rules.control(state)
    }

    def act():
        sealed = {role: rules.parse(text) for role, text in texts.items()}
        return advance(rules, state, assemble_joint(rules, state, sealed))

    assert benchmark(act) != state


def test_list_the_opening_of_amazons(benchmark):
    rules = rules_of("amazons")
    state = rules.start()
    assert len(benchmark(lambda: list(rules.choices(state, "white")))) == 2176


def test_count_the_opening_of_amazons(benchmark):
    rules = rules_of("amazons")
    state = rules.start()
    assert benchmark(lambda: len(rules.choices(state, "white"))) == 2176


@pytest.mark.parametrize("key", RULES)
def test_build_the_prompt_of_the_opening(benchmark, key):
    rules = rules_of(key)
    state = rules.start()
    assert benchmark(rules.prompt, state, "white")


@pytest.mark.parametrize("key", RULES)
def test_build_the_prompt_of_the_middle(benchmark, key):
    rules, state = middle(key)
    assert benchmark(rules.prompt, state, min(rules.control(state)))


@pytest.mark.parametrize("key", BOARDS)
def test_build_the_plan_of_who_waits(benchmark, key):
    rules, state = middle(key)
    (role,) = rules.control(state)
    assert benchmark(rules.plan, state, OTHER[role])


@pytest.mark.parametrize("key", RULES)
def test_say_what_an_action_did(benchmark, key):
    rules, state = middle(key)
    joint = random_joint(rules, state)
    assert benchmark(rules.effects, state, joint, None)


@pytest.mark.parametrize("key", RULES)
def test_spell_an_action(benchmark, key):
    rules, state = middle(key)
    role, action = next(iter(random_joint(rules, state).items()))
    assert benchmark(notation.write, rules, state, role, action) is not None


@pytest.mark.parametrize("key", RULES)
def test_write_a_state_and_draw_its_view(benchmark, key):
    rules, state = middle(key)

    def written():
        picture.cache_clear()  # of the one before, as after an action
        return rules.write(state), rules.view(state, None)

    assert benchmark(written)


@pytest.mark.parametrize("key", RULES)
def test_read_a_written_state(benchmark, key):
    rules, state = middle(key)
    assert benchmark(rules.read, rules.write(state)) == state
