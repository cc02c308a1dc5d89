"""First turns that the symmetries of the start make of each other are written alike."""

from random import Random

import pytest

from games.catalogue import RULES
from games.core import BadAction
from games.first_turns import canonical_first_turn
from games.symmetry import start_symmetries

BOARDS = [key for key, rules in RULES.items() if rules.kind == "path"]
SYMMETRIES = {"amazons": 2, "amazons-10x10": 2, "amazons-8x8": 2, "pincer": 2}


def first_turn(key: str, seed: int) -> list:
    """The actions of a random first turn."""
    rules, rng = RULES[key], Random(seed)
    state, actions = rules.start(), []
    while "white" in rules.control(state):
        action = rng.choice(list(rules.choices(state, "white")))
        other = next(iter(rules.choices(state, "black")))
        actions.append(action)
        state = rules.play(state, {"white": action, "black": other})
    return actions


@pytest.mark.parametrize("key", BOARDS)
def test_the_start_has_these_symmetries(key: str) -> None:
    assert len(start_symmetries(RULES[key])) == SYMMETRIES[key]


@pytest.mark.parametrize("key", BOARDS)
def test_images_of_a_turn_are_written_alike(key: str) -> None:
    rules = RULES[key]
    for seed in range(100):
        actions = first_turn(key, seed)
        expected = canonical_first_turn(rules, [str(action) for action in actions])
        for symmetry in start_symmetries(rules):
            image = [type(each)(*(symmetry[square] for square in each)) for each in actions]
            assert canonical_first_turn(rules, [str(each) for each in image]) == expected


@pytest.mark.parametrize(
    ("key", "texts", "written"),
    [
        ("amazons-10x10", ["move 7 1 7 7", "fire 4 7"], "d1-d7/g7"),
        ("amazons-10x10", ["move 4 1 4 7", "fire 7 7"], "d1-d7/g7"),
        ("amazons", ["play 7 1 7 7 7 1"], "d1-d7"),
        ("blotto", ["troops 0 4 6"], "6 4 0"),
    ],
)
def test_turns_are_written_for_people(key: str, texts: list[str], written: str) -> None:
    assert canonical_first_turn(RULES[key], texts) == written


def test_two_moves_in_either_order_are_one_turn() -> None:
    rules = RULES["pincer"]
    turn = ["move 1 5 2 5", "move 7 3 6 3"]
    assert canonical_first_turn(rules, turn) == canonical_first_turn(rules, turn[::-1])


def test_different_turns_stay_apart() -> None:
    rules = RULES["amazons-10x10"]
    turns = [
        ["move 4 1 4 7", "fire 7 7"],
        ["move 4 1 4 7", "fire 6 7"],
        ["move 4 1 4 6", "fire 7 6"],
    ]
    assert len({canonical_first_turn(rules, turn) for turn in turns}) == 3


@pytest.mark.parametrize(("key", "text"), [("blotto", "noop"), ("pincer", "noop"), ("pincer", "x")])
def test_what_is_no_turn_is_refused(key: str, text: str) -> None:
    with pytest.raises(BadAction):
        canonical_first_turn(RULES[key], [text])
