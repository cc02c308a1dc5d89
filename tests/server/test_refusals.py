"""Refusals of the server are counted by network, logged, and limited."""

import logging

import pytest

from config.log_filters import LIMITS
from server.refusals import CONNECTION, IDLE, MAX_PER_NETWORK, WINDOW_S, Refusals
from tests.support.log_records import Records

ADA, BOB = "192.0.2.1", "192.0.2.2"


class Clock:
    """A clock that the test sets, in seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def refusals(clock) -> Refusals:
    return Refusals(clock)


def test_a_network_that_is_refused_again_and_again_is_limited_until_the_window_ends(
    refusals, clock
) -> None:
    for _ in range(MAX_PER_NETWORK):
        assert not refusals.is_limited(ADA)
        refusals.note("malformed", 400, ADA)
    assert refusals.is_limited(ADA) and not refusals.is_limited(BOB)
    clock.now += WINDOW_S
    assert not refusals.is_limited(ADA)


@pytest.mark.parametrize(("reason", "network"), [(IDLE, ADA), (CONNECTION, ADA), ("large", "")])
def test_idle_connections_and_this_machine_are_not_limited(refusals, reason, network) -> None:
    for _ in range(MAX_PER_NETWORK + 1):
        refusals.note(reason, 408, network)
    assert not refusals.is_limited(network)


def test_a_refusal_is_logged_with_its_network(refusals) -> None:
    records = Records()
    with records.listening(logging.getLogger("quiver.security")):
        refusals.note(IDLE, 408, ADA)
        refusals.note("large", 413, ADA)
        refusals.note("malformed", 400, "")
    about = [(each["reason"], each["status"], each["network"]) for each in records.as_json()]
    assert about == [("large", 413, ADA), ("malformed", 400, "-")]


def test_a_flood_of_refusals_does_not_fill_the_log(refusals) -> None:
    records = Records()
    with records.listening(logging.getLogger("quiver.security")):
        for number in range(10 * LIMITS["refused_request"]):
            refusals.note("large", 413, f"192.0.2.{number % 250}")
    events = [each["event"] for each in records.as_json()]
    assert events.count("refused_request") == LIMITS["refused_request"]
