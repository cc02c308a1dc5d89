"""Refusals of the server are counted by network, logged, and limited."""

import logging
from collections.abc import Iterator

import pytest

from config.log_filters import LIMITS
from server.http_limits import (
    CONNECTION,
    IDLE,
    MAX_REFUSALS,
    RATES,
    is_refused_often,
    note_refusal,
)
from tests.support.log_records import Records

ADA, BOB = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def nobody_refused() -> Iterator[None]:
    """Each test begins, and leaves the process, without refusals."""
    RATES.storage.reset()
    yield
    RATES.storage.reset()


def test_a_network_that_is_refused_again_and_again_is_limited_until_the_window_ends() -> None:
    for _ in range(MAX_REFUSALS.amount):
        assert not is_refused_often(ADA)
        note_refusal("malformed", 400, ADA)
    assert is_refused_often(ADA) and not is_refused_often(BOB)
    ends_at, _ = RATES.get_window_stats(MAX_REFUSALS, ADA)
    RATES.storage.expirations[MAX_REFUSALS.key_for(ADA)] = ends_at - 60
    assert not is_refused_often(ADA)


@pytest.mark.parametrize(("reason", "network"), [(IDLE, ADA), (CONNECTION, ADA), ("large", "")])
def test_idle_connections_and_this_machine_are_not_limited(reason, network) -> None:
    for _ in range(MAX_REFUSALS.amount + 1):
        note_refusal(reason, 408, network)
    assert not is_refused_often(network)


def test_a_refusal_is_logged_with_its_network() -> None:
    records = Records()
    with records.listening(logging.getLogger("quiver.security")):
        note_refusal(IDLE, 408, ADA)
        note_refusal("large", 413, ADA)
        note_refusal("malformed", 400, "")
    about = [(each["reason"], each["status"], each["network"]) for each in records.as_json()]
    assert about == [("large", 413, ADA), ("malformed", 400, "-")]


def test_a_flood_of_refusals_does_not_fill_the_log() -> None:
    records = Records()
    with records.listening(logging.getLogger("quiver.security")):
        for number in range(10 * LIMITS["refused_request"]):
            note_refusal("large", 413, f"192.0.2.{number % 250}")
    events = [each["event"] for each in records.as_json()]
    assert events.count("refused_request") == LIMITS["refused_request"]
