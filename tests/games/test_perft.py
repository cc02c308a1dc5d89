"""Perft counts that any implementation must reproduce."""

from __future__ import annotations

import pytest

from games.catalogue import rules_of
from games.core import assemble_joint
from games.perft import perft, sequences

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("key", "depth", "count"),
    [
        ("amazons", 0, 1),
        ("amazons", 1, 2_176),
        ("amazons", 2, 4_313_224),
        ("amazons-10x10", 1, 2_176),
        ("amazons-10x10", 2, 4_307_152),
        ("amazons-8x8", 1, 1_232),
        ("amazons-8x8", 2, 1_331_198),
        ("pincer", 1, 10),
        ("pincer", 2, 70),
        ("pincer", 3, 672),
        ("blotto", 1, 4_356),
    ],
)
def test_sequences_of_turns_are_as_many_as_the_rules_say(key, depth, count):
    assert perft(rules_of(key), depth) == count


def listed(rules, state, steps: int) -> int:
    """Every sequence played out, one by one, to the very end."""
    if steps == 0:
        return 1
    count = 0
    for role in rules.control(state):
        for action in list(rules.choices(state, role)):
            joint = assemble_joint(rules, state, {role: action})
            count += listed(rules, rules.play(state, joint), steps - 1)
    return count


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_pincer_counted_in_bulk_is_pincer_counted_one_by_one(depth):
    rules = rules_of("pincer")
    assert perft(rules, depth) == listed(rules, rules.start(), depth)


def test_a_finished_game_has_no_sequences():
    rules = rules_of("pincer")
    over = rules.read("W....../......./......./......./......./......./......B white - 9 4")
    assert sequences(rules, over, 1) == 0 and sequences(rules, over, 3) == 0
