"""The fast rules agree with slow, independent ones."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games.catalogue import PINCER, rules_of
from games.core import IllegalAction
from tests.games.oracle import (
    SlowPincer,
    amazon_moves,
    amazon_plays,
    board_of,
    format_action,
    queen,
    text_of,
)
from tests.games.stories import AMAZONS, moments


def _crowded(size: int, rng: Random) -> str:
    """A random Amazons board, from nearly empty to nearly full."""
    share = rng.random()
    cells = ["x" if rng.random() < share else "." for _ in range(size * size)]
    for index, letter in zip(rng.sample(range(size * size), 8), "WWWWBBBB", strict=True):
        cells[index] = letter
    return "/".join("".join(cells[i : i + size]) for i in range(0, size * size, size))


@pytest.mark.parametrize("key", AMAZONS)
def test_amazons_has_exactly_the_actions_that_walking_the_board_finds(key):
    rules, rng = rules_of(key), Random(key)
    find = amazon_moves if rules.split else amazon_plays
    for _ in range(40):
        text = _crowded(rules.width, rng)
        for role in rules.roles:
            state = rules.read(f"{text} {role} - 0")
            found = find(board_of(text), role)
            assert set(map(str, rules.choices(state, role))) == found
            assert bool(rules.control(state)) == bool(found)


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8"])
def test_a_shot_reaches_exactly_what_walking_the_board_finds(key):
    rules = rules_of(key)
    shots = [state for state, _ in moments(key, every=3) if state.moved]
    assert len(shots) > 30
    for state in shots:
        board = board_of(rules.view(state, None)["board"])
        x, y = state.moved.target & 15, state.moved.target >> 4
        found = {format_action("fire", arrow) for arrow in queen(board, (x, y))}
        assert set(map(str, rules.choices(state, state.to_move))) == found


@pytest.mark.parametrize("key", AMAZONS)
def test_every_random_sentence_is_judged_as_the_walk_judges_it(key):
    rules, rng = rules_of(key), Random(key)
    size = rules.width
    verdicts: Counter[bool] = Counter()
    for _ in range(12):
        text = _crowded(size, rng)
        state = rules.read(f"{text} white - 0")
        if not rules.control(state):
            continue
        board = board_of(text)
        found = amazon_moves(board, "white") if rules.split else amazon_plays(board, "white")
        for legal in rng.choices(sorted(found), k=300):
            word, *path = legal.split()
            for _ in range(rng.randint(1, 2)):
                path[rng.randrange(len(path))] = str(rng.randint(1, size))
            sentence = " ".join([word, *path])
            action = rules.parse(sentence)
            assert (action in rules.choices(state, "white")) == (sentence in found)
            verdicts[sentence in found] += 1
    assert verdicts[True] > 200 and verdicts[False] > 200


def _scattered(rng: Random) -> str:
    """A random Pincer board, from two pieces to nearly full."""
    count = rng.choice([2, 3, 4, 6, 8, 12, 20, 40, 46, 49])
    cells = ["."] * 49
    for index in rng.sample(range(49), count):
        cells[index] = rng.choice("WB")
    return "/".join("".join(cells[i : i + 7]) for i in range(0, 49, 7))


def _same(state, slow: SlowPincer) -> None:
    outcome = PINCER.outcome(state)
    assert PINCER.view(state, None)["board"] == text_of(slow.board)
    assert (outcome is not None) == (slow.over is not None)
    if outcome:
        assert (outcome.winner or "draw") == slow.over
        return
    assert PINCER.control(state) == {slow.role}
    assert set(map(str, PINCER.choices(state, slow.role))) == slow.legal()


def test_pincer_from_any_set_up_board_plays_as_the_slow_rules_say():
    rng = Random("pincer")
    reasons: Counter[str] = Counter()
    for _ in range(250):
        text, role, moves = _scattered(rng), rng.choice(["white", "black"]), rng.randrange(50)
        state = PINCER.read(f"{text} {role} - {moves} 0")
        slow = SlowPincer(board_of(text), role, moves).begin()
        _same(state, slow)
        for _ in range(12):
            if slow.over:
                reasons[PINCER.outcome(state).reason] += 1
                break
            sentence = rng.choice(sorted(slow.legal()))
            x1, y1, x2, y2 = map(int, sentence.split()[1:])
            slow = slow.play((x1, y1), (x2, y2))
            move = PINCER.parse(sentence)
            role = state.to_move
            state = PINCER.play(state, {role: move})
            _same(state, slow)
    ends = {"captured_all", "no_pieces", "one_each", "fifty_moves", "stuck"}
    assert reasons.keys() == ends


def test_every_step_on_a_set_up_board_is_judged_as_the_slow_rules_judge_it():
    rng = Random("steps")
    for _ in range(60):
        text = _scattered(rng)
        state = PINCER.read(f"{text} white - 3 0")
        slow = SlowPincer(board_of(text), "white", 3).begin()
        legal = slow.legal()
        for role in PINCER.control(state):
            for _ in range(150):
                x, y = rng.randint(1, 7), rng.randint(1, 7)
                x2, y2 = x + rng.choice([-1, 0, 0, 1]), y + rng.choice([-1, 0, 0, 1])
                if not (1 <= x2 <= 7 and 1 <= y2 <= 7):
                    continue
                sentence = format_action("move", (x, y), (x2, y2))
                try:
                    PINCER.check(state, role, PINCER.parse(sentence))
                except IllegalAction:
                    assert sentence not in legal
                else:
                    assert sentence in legal
