"""One connection's measures: what waits before it, what waits behind it, how far away it is."""

import asyncio

import pytest

from config.lines import MOST_BYTES, MOST_FRAMES, PATIENCE, PING_EVERY, Inlet, Pings, Unsent


def text(size: int) -> dict[str, str]:
    """A frame of that many bytes, as an event."""
    return {"type": "websocket.receive", "text": "x" * size}


async def test_nothing_more_is_read_while_many_frames_wait_and_it_goes_on_at_half_of_them():
    again = []
    inlet = Inlet(lambda: again.append(1))
    for _ in range(MOST_FRAMES):
        assert not inlet.is_shut
        inlet.put_nowait(text(10))
    assert inlet.is_shut
    for _ in range(MOST_FRAMES // 2 - 1):
        await inlet.get()
    assert inlet.is_shut
    await inlet.get()
    assert (inlet.is_shut, again) == (False, [1])


async def test_a_few_large_frames_are_as_many_as_many_small_ones():
    inlet = Inlet(lambda: None)
    inlet.put_nowait(text(MOST_BYTES - 1))
    assert not inlet.is_shut
    inlet.put_nowait(text(1))
    assert inlet.is_shut
    await inlet.get()
    assert not inlet.is_shut


async def test_events_come_in_their_order_also_to_whoever_has_given_up_waiting_once():
    inlet = Inlet(lambda: None)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(inlet.get(), 0.01)
    waiting = asyncio.create_task(inlet.get())
    await asyncio.sleep(0)
    inlet.put_nowait({"type": "websocket.connect"})
    inlet.put_nowait(text(3))
    assert [(await waiting)["type"], (await inlet.get())["text"]] == ["websocket.connect", "xxx"]


def test_the_shortest_of_the_last_round_trips_counts():
    pings, at = Pings(), 0.0
    for trip in (0.3, 0.05, 0.4):
        pings.answered(pings.due(at), at + trip)
        at += PING_EVERY
    assert pings.round_trip == 50
    for _ in range(6):
        pings.answered(pings.due(at), at + 0.2)
        at += PING_EVERY
    assert pings.round_trip == 200


def test_one_ping_is_under_way_at_a_time_and_only_its_answer_counts():
    pings = Pings()
    payload = pings.due(0.0)
    assert pings.due(PING_EVERY * 2) is None
    pings.answered(b"guessed!", 0.001)
    assert pings.round_trip is None
    pings.answered(payload, 0.25)
    pings.answered(payload, 0.0001)
    assert pings.round_trip == 250


@pytest.mark.parametrize("is_ours", [True, False])
def test_who_does_not_answer_has_not_read_unless_the_delay_is_ours(is_ours):
    pings = Pings()
    pings.due(0.0)
    assert not pings.is_overdue(PATIENCE)
    if is_ours:
        pings.forget()
    assert pings.is_overdue(PATIENCE + 1) is not is_ours


def test_bytes_that_do_not_move_are_given_up_and_slow_ones_are_not():
    slow, stuck = Unsent(), Unsent()
    for second in range(60):
        assert not slow.is_stuck(1_000_000, 900_000 - second, float(second))
        assert stuck.is_stuck(1_000_000, 900_000, float(second)) is (second > PATIENCE)


def test_an_idle_line_is_not_stuck():
    unsent = Unsent()
    assert not any(unsent.is_stuck(500, 0, float(at)) for at in range(0, 200, 2))
    assert not unsent.is_stuck(600, 100, 200.0)
    assert unsent.is_stuck(600, 100, 221.0)
