"""Hint throttle: only some of successive hints are sent, and always the last change."""

import pytest

from play.runtime.bus import bus
from play.runtime.bus.bus import Bus
from play.runtime.bus.hint_throttle import HintThrottle
from tests.play.runtime.test_batches import RecordingTransport
from tests.support.loop_runtime import game_service
from tests.support.waiting import turn_loop_clock

LISTS = ("lists", "")
INTERVAL_S = 60.0  # no test takes that long


@pytest.fixture
async def told():
    """A throttle, and what it has passed on."""
    said: list = []
    throttle = HintThrottle(said.append, INTERVAL_S)
    yield throttle, said
    throttle.close()


async def test_the_first_hint_goes_at_once_and_those_that_follow_as_one(told):
    throttle, said = told
    for _ in range(50):
        throttle.hint(LISTS)
    assert said == [LISTS]
    await turn_loop_clock(INTERVAL_S)
    assert said == [LISTS, LISTS]
    await turn_loop_clock(INTERVAL_S)
    assert said == [LISTS, LISTS]


async def test_topics_do_not_wait_for_each_other(told):
    throttle, said = told
    for topic in (LISTS, ("lists", "pincer"), LISTS):
        throttle.hint(topic)
    assert said == [LISTS, ("lists", "pincer")]


async def test_nothing_is_passed_on_after_the_close(told):
    throttle, said = told
    for _ in range(2):
        throttle.hint(LISTS)
    throttle.close()
    await turn_loop_clock(2 * INTERVAL_S)
    assert said == [LISTS]


@pytest.mark.django_db
async def test_changed_games_are_told_each_and_the_lists_once_an_interval(
    table, settings, monkeypatch
):
    settings.REDIS_URL = "redis://nowhere"
    monkeypatch.setattr(bus, "BusTransport", RecordingTransport)
    monkeypatch.setattr(bus, "SEND_INTERVAL_S", 0.001)
    monkeypatch.setattr(bus, "LISTS_INTERVAL_S", 60.0)  # longer than this test
    games = [await game_service().find((await table("pincer")).slug) for _ in range(8)]
    speaker = Bus()
    transport = speaker._transport
    for game in games:
        transport.has_spoken.clear()
        speaker.say_changed(game, [LISTS])
        await transport.has_spoken.wait()
    sent = [(kind, ident) for hints in transport.sent for kind, ident, _ in hints]
    assert sorted(sent) == sorted([LISTS, *(("game", game.slug) for game in games)])
    await speaker.close()
