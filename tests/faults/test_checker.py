"""The ears of the laboratory on made-up texts: what is a leak to them, and what is not."""

from random import Random

import pytest

from games.ledger import commitment
from tests.faults.canaries import Canaries
from tests.faults.soak import slope


@pytest.fixture
def canaries():
    canaries = Canaries(Random(1))
    canaries.sealing("game", 0, "white", "troops 7 0 3", is_last=False)
    return canaries


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
def test_a_secret_is_found_in_every_spelling(canaries, text):
    canaries.heard("game", "black", "socket", text)
    assert len(canaries.leaks) == 1


@pytest.mark.parametrize(
    "text", ["[17,0,3]", "7a0b3", '{"a":7,"b":0,"c":3}', "7.0.3", "1970-03", "[7,0,31]"]
)
def test_what_only_looks_like_it_is_no_leak(canaries, text):
    canaries.heard("game", None, "socket", text)
    assert canaries.leaks == []


def test_the_sealer_and_everybody_after_the_reveal_may_hear_it(canaries):
    canaries.heard("game", "white", "socket", "[7,0,3]")
    canaries.sealing("game", 0, "black", "troops 1 0 9", is_last=True)
    canaries.heard("game", None, "socket", "[7,0,3]")
    assert canaries.leaks == []


def test_a_salt_that_was_heard_before_the_reveal_is_a_leak(canaries):
    salt = "ab" * 16
    seal = commitment("game", 0, "white", "troops 7 0 3", salt)
    canaries.heard("game", "black", "socket", f'{{"commitments":{{"white":"{seal}"}}}}')
    canaries.salts("game", 0, {"white": salt})
    assert canaries.leaks == []
    canaries.heard("game", "black", "socket", f'"{salt}"')
    canaries.salts("game", 0, {"white": salt})
    assert len(canaries.leaks) == 1


def test_the_salt_of_an_earlier_turn_is_known_to_all(canaries):
    canaries.sealing("game", 1, "black", "troops 1 0 9", is_last=False)
    salt = "ab" * 16
    canaries.heard("game", "white", "socket", f'"{salt}"')
    canaries.salts("game", 0, {"white": salt})
    assert canaries.leaks == []


def test_an_action_in_a_log_is_a_leak(canaries):
    canaries.said("a log", "refused: troops 1 2 7")
    assert len(canaries.leaks) == 1


def test_a_slope_is_taken_by_the_hour_and_after_the_warming_up():
    series = [(0.0, 0.0), (10.0, 50.0), (20.0, 51.0), (30.0, 52.0)]
    assert slope(series, 10.0) == pytest.approx(360.0)
