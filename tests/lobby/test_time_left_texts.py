"""The time left for a turn, as lists, notifications and mails tell it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.domain.clocks import DAY_MS, HOUR_MS, MINUTE_MS
from play.game_texts import time_left_text


@pytest.mark.parametrize(
    ("left_ms", "said"),
    [
        (-1, "no time left"),
        (MINUTE_MS - 1, "no time left"),
        (MINUTE_MS, "1 minute left"),
        (HOUR_MS - 1, "59 minutes left"),
        (HOUR_MS, "1 hour left"),
        (48 * HOUR_MS - 1, "47 hours left"),
        (48 * HOUR_MS, "2 days left"),
        (9 * DAY_MS, "9 days left"),
    ],
)
def test_the_time_left_is_rounded_down(left_ms: int, said: str) -> None:
    assert time_left_text(left_ms) == said


@given(st.integers(-DAY_MS, 30 * DAY_MS))
def test_no_more_time_is_told_than_there_is(left_ms: int) -> None:
    said = time_left_text(left_ms)
    units = {"minute": MINUTE_MS, "hour": HOUR_MS, "day": DAY_MS}
    if (found := re.match(r"(\d+) (minute|hour|day)s? left", said)) is None:
        assert said == "no time left"
        assert left_ms < MINUTE_MS
    else:
        told_ms = int(found[1]) * units[found[2]]
        assert told_ms <= left_ms < told_ms + units[found[2]]
