"""Best lines of positions."""

from __future__ import annotations

import pytest

from games.players.analysis.lines import best_lines
from tests.games.stories import BOARDS, after, drawn

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
