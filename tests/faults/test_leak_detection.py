"""Tests of the leak detection on made-up texts."""

from random import Random

import pytest

from games.ledger import commitment
from tests.faults.cases.soak import slope
from tests.faults.laws.leak_detection import LeakDetector
from tests.faults.laws.planted_evidence import FAULTS
from tests.faults.laws.verdict import LAWS


@pytest.fixture
def leak_detector():
    leak_detector = LeakDetector(Random(1))
    leak_detector.sealing("game", 0, "white", "troops 7 0 3", is_last=False)
    return leak_detector


@pytest.mark.parametrize(
    "text",
    [
        '{"x":"troops 7 0 3"}',
        "[7,0,3]",
        "[7, 0, 3]",
        "a=7+0+3",
        "7%200%203",
        '"7","0","3"',
        '{"seal":["troops 7 0 3"]}',
    ],
)
def test_a_secret_is_found_in_every_spelling(leak_detector, text):
    leak_detector.heard("game", "black", "socket", text)
    assert len(leak_detector.leaks) == 1


@pytest.mark.parametrize(
    "text", ["[17,0,3]", "7a0b3", '{"a":7,"b":0,"c":3}', "7.0.3", "1970-03", "[7,0,31]"]
)
def test_a_text_that_only_resembles_a_secret_is_no_leak(leak_detector, text):
    leak_detector.heard("game", None, "socket", text)
    assert leak_detector.leaks == []


def test_the_sealer_and_everybody_after_the_reveal_may_hear_it(leak_detector):
    leak_detector.heard("game", "white", "socket", "[7,0,3]")
    leak_detector.sealing("game", 0, "black", "troops 1 0 9", is_last=True)
    leak_detector.heard("game", None, "socket", "[7,0,3]")
    assert leak_detector.leaks == []


def test_a_salt_that_was_heard_before_the_reveal_is_a_leak(leak_detector):
    salt = "ab" * 16
    seal = commitment("game", 0, "white", "troops 7 0 3", salt)
    leak_detector.heard("game", "black", "socket", f'{{"commitments":{{"white":"{seal}"}}}}')
    leak_detector.salts("game", 0, {"white": salt})
    assert leak_detector.leaks == []
    leak_detector.heard("game", "black", "socket", f'"{salt}"')
    leak_detector.salts("game", 0, {"white": salt})
    assert len(leak_detector.leaks) == 1


def test_the_salt_of_an_earlier_step_is_known_to_all(leak_detector):
    leak_detector.sealing("game", 1, "black", "troops 1 0 9", is_last=False)
    salt = "ab" * 16
    leak_detector.heard("game", "white", "socket", f'"{salt}"')
    leak_detector.salts("game", 0, {"white": salt})
    assert leak_detector.leaks == []


def test_an_action_in_a_log_is_a_leak(leak_detector):
    leak_detector.said("a log", "refused: troops 1 2 7")
    assert len(leak_detector.leaks) == 1


def test_a_slope_is_taken_by_the_hour_and_after_the_warming_up():
    series = [(0.0, 0.0), (10.0, 50.0), (20.0, 51.0), (30.0, 52.0)]
    assert slope(series, 10.0) == pytest.approx(360.0)


def test_each_law_fails_on_some_planted_evidence():
    assert {law for _, _, law in FAULTS} == set(LAWS)
