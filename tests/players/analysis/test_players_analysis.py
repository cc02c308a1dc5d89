"""Territory, proofs, best lines and reasons."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from time import perf_counter

import pytest

from games.players.amazons.area_turns import new_scratch
from games.players.amazons.evaluation import BEFORE_MOVE, estimate
from games.players.amazons.position import read
from games.players.amazons.weights import fitted_weights
from games.players.analysis import best_lines, decided, territory, why
from games.territory import territory as plain_territory
from tests.games.stories import AMAZONS, BOARDS, after, drawn
from tests.players.amazons.boards import random_position
from tests.players.amazons.endings.generate import FILE
from tests.players.analysis.proof_checker import Unproved, check

ROLES = {"W": "white", "B": "black"}
ENDINGS = [line.split() for line in FILE.read_text().splitlines()]
# The guard on c7 holds white's six squares against the eight that black can reach below.
GUARDED = """
    ...xxxxx
    ..Wxxxxx
    xxx.xxxx
    xxx..Bxx
    xxxx.xxx
    xxxxxxxx
    xxxxxxxx
    xxxxxxxx"""


@pytest.mark.parametrize("key", AMAZONS)
@pytest.mark.parametrize("turns", [0, 7, 20, 35, 50])
def test_territory_is_that_of_the_rules_and_takes_a_tenth_of_a_millisecond(key, turns):
    story = random_position(key, turns, Random(turns))
    assert territory(story.rules, story.state) == plain_territory(story.rules, story.state)
    times = []
    for _ in range(50):
        begun = perf_counter()
        territory(story.rules, story.state)
        times.append(perf_counter() - begun)
    assert min(times) < 1e-4


@pytest.mark.parametrize("index", range(0, 200, 4))
def test_a_proof_convinces_a_checker_that_knows_only_the_rules(index):
    _, to_move, result, board = ENDINGS[index]
    story = drawn("amazons-8x8", board.replace("/", "\n"), ROLES[to_move])
    proof = decided(story.rules, story.state)
    assert proof is not None
    assert (proof.winner == proof.to_move) == (result == "won")
    check(board, ROLES[to_move], proof)


def test_a_proof_that_was_changed_does_not_convince():
    story = drawn("amazons-8x8", GUARDED)
    board = story.view["board"]
    proof = decided(story.rules, story.state)
    assert (proof.winner, proof.least, proof.most) == ("white", 5, 4)
    assert proof.winner_regions[0].guards == ("c7",)
    check(board, "white", proof)
    region = replace(proof.loser_regions[0], most=3)
    for wrong in (
        replace(proof, winner="black"),
        replace(proof, line=proof.line[:-2]),
        replace(proof, line=("move 3 7 4 6", "fire 3 7", *proof.line[2:])),
        replace(proof, loser_regions=(region,)),
        replace(proof, loser_regions=()),
    ):
        with pytest.raises(Unproved):
            check(board, "white", wrong)


def test_nothing_is_proved_while_much_is_shared_before_a_shot_or_with_optional_arrows():
    start = after("amazons-8x8")
    assert decided(start.rules, start.state) is None
    story = drawn("amazons-8x8", GUARDED)
    moved = story.play(next(iter(sorted(story.legal))))
    assert decided(moved.rules, moved.state) is None
    wide = "\n".join(row.strip() + "xx" for row in GUARDED.strip().splitlines())
    free = drawn("amazons", wide + "\nxxxxxxxxxx\nxxxxxxxxxx")
    assert decided(free.rules, free.state) is None


@pytest.mark.parametrize("key", BOARDS)
def test_best_lines_are_different_legal_and_the_same_again(key):
    story = after(key)
    lines = best_lines(story.rules, story.state, "white", 3, 3_000)
    assert len(lines) == len({line.actions[0] for line in lines}) == 3
    assert lines == best_lines(story.rules, story.state, "white", 3, 3_000)
    assert best_lines(story.rules, story.state, "black", 3, 3_000) == ()
    for line in lines:
        played = story
        for action in line.actions:
            played = played.play(action)  # raises if it is illegal
        assert -1.0 <= line.value <= 1.0


def test_the_best_line_of_a_decided_position_is_proved():
    story = drawn("amazons-8x8", GUARDED)
    (line,) = best_lines(story.rules, story.state, "white", 1, 500)
    assert line.is_proved
    assert line.value == 1.0


def test_the_best_reply_in_blotto_beats_what_was_sent():
    story = after("blotto")
    sent = {"white": story.rules.parse("troops 4 3 3"), "black": story.rules.parse("troops 10 0 0")}
    state = story.rules.play(story.state, sent)
    best, *_ = best_lines(story.rules, state, "white", 2, 0)
    troops = [int(word) for word in best.actions[0].split()[1:]]
    assert min(troops[1:]) > 0
    mixed, *_ = best_lines(story.rules, story.state, "white", 1, 0)
    assert mixed.value == pytest.approx(0.0, abs=1e-6)


def turns_of(story, count, rng):
    found = []
    while len(found) < count:
        move = story.rules.choices(story.state, story.mover).sample(rng)
        if not story.rules.split:
            found.append((str(move),))
            continue
        moved = story.play(str(move))
        found.append((str(move), str(moved.rules.choices(moved.state, moved.mover).sample(rng))))
    return found


@pytest.mark.parametrize("key", AMAZONS)
@pytest.mark.parametrize("turns", [2, 18])
def test_the_reasons_add_up_to_the_difference_of_the_evaluations(key, turns):
    from math import atanh

    story = random_position(key, turns, Random(turns))
    one, other = turns_of(story, 2, Random(1))
    weights, values = fitted_weights(key), []
    for turn in (one, other):
        view = story.play(*turn).view
        values.append(
            -atanh(estimate(*read(view).words, weights, BEFORE_MOVE, new_scratch())[0] / 0.99)
        )
    reasons = why(story.rules, story.state, one, other)
    total = sum(reason.amount for reason in reasons if reason.term != "proof")
    assert total == pytest.approx(values[0] - values[1], abs=0.03)
    back = why(story.rules, story.state, other, one)
    assert {each.term: -each.amount for each in back} == pytest.approx(
        {each.term: each.amount for each in reasons}
    )
    assert all(each.text.endswith(".") for each in reasons)


def test_the_turn_that_wins_is_better_for_a_reason_that_comes_first():
    story = drawn("amazons-8x8", GUARDED)
    proof = decided(story.rules, story.state)
    giving = ("move 3 7 4 6", "fire 3 7")  # leaves white's own squares for good
    first, *_ = why(story.rules, story.state, proof.line[:2], giving)
    assert first.term == "proof"
    assert first.amount >= 1.0
