"""Flow control of one connection: unread input, unsent output and lag."""

import asyncio

import pytest

from server.flow_control import (
    IDLE_PING_AFTER_S,
    MAX_QUEUED_BYTES,
    MAX_QUEUED_EVENTS,
    PEER_TIMEOUT_S,
    PING_INTERVAL_S,
    SILENT_S,
    PingTimer,
    ReceiveQueue,
    StallDetector,
)
from server.registry import SWEEP_INTERVAL_S


def text(size: int) -> dict[str, str]:
    """A frame of that many bytes, as an event."""
    return {"type": "websocket.receive", "text": "x" * size}


async def test_nothing_more_is_read_while_many_frames_wait_and_reading_resumes_at_half_of_them():
    again = []
    queue = ReceiveQueue(lambda: again.append(1))
    for _ in range(MAX_QUEUED_EVENTS):
        assert not queue.is_full
        queue.put(text(10))
    assert queue.is_full
    for _ in range(MAX_QUEUED_EVENTS // 2 - 1):
        await queue.get()
    assert queue.is_full
    await queue.get()
    assert (queue.is_full, again) == (False, [1])


async def test_a_few_large_frames_are_as_many_as_many_small_ones():
    queue = ReceiveQueue(lambda: None)
    queue.put(text(MAX_QUEUED_BYTES - 1))
    assert not queue.is_full
    queue.put(text(1))
    assert queue.is_full
    await queue.get()
    assert not queue.is_full


async def test_events_come_in_their_order_also_to_whoever_has_given_up_waiting_once():
    queue = ReceiveQueue(lambda: None)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(queue.get(), 0.01)
    waiting = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.put({"type": "websocket.connect"})
    queue.put(text(3))
    assert [(await waiting)["type"], (await queue.get())["text"]] == ["websocket.connect", "xxx"]


def test_the_shortest_of_the_last_round_trips_counts():
    pings, at = PingTimer(), 0.0
    for trip in (0.3, 0.05, 0.4):
        pings.receive_pong(pings.next_payload(at), at + trip)
        at += PING_INTERVAL_S
    assert pings.round_trip_ms == 50
    for _ in range(6):
        pings.receive_pong(pings.next_payload(at), at + 0.2)
        at += PING_INTERVAL_S
    assert pings.round_trip_ms == 200


def test_one_ping_is_under_way_at_a_time_and_only_its_answer_counts():
    pings = PingTimer()
    payload = pings.next_payload(0.0)
    assert pings.next_payload(PING_INTERVAL_S * 2) is None
    pings.receive_pong(b"guessed!", 0.001)
    assert pings.round_trip_ms is None
    pings.receive_pong(payload, 0.25)
    pings.receive_pong(payload, 0.0001)
    assert pings.round_trip_ms == 250


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_missing_pong_counts_as_unread_unless_this_process_was_blocked(is_ours):
    pings = PingTimer()
    pings.next_payload(0.0)
    assert not pings.is_overdue(PEER_TIMEOUT_S)
    if is_ours:
        pings.forget()
    assert pings.is_overdue(PEER_TIMEOUT_S + 1) is not is_ours


def test_an_idle_peer_that_is_gone_is_cut_within_45_s():
    pings = PingTimer()
    pings.receive_pong(pings.next_payload(0.0), 0.1)
    assert pings.due_at(heard_at=0.0, is_timed=True) == PING_INTERVAL_S
    due = pings.due_at(heard_at=10.0, is_timed=False)
    assert due == 10.0 + IDLE_PING_AFTER_S
    pings.next_payload(due + SWEEP_INTERVAL_S)
    assert pings.is_overdue(10.0 + 45.0 - SWEEP_INTERVAL_S, is_timed=False)
    assert not pings.is_overdue(10.0 + 45.0 - SWEEP_INTERVAL_S, is_timed=True)


def test_it_is_looked_at_again_when_an_answer_is_late_and_when_the_next_ping_is_due():
    pings = PingTimer()
    payload = pings.next_payload(0.0)
    assert pings.check_at(1.0, 25.0) == SILENT_S
    assert not pings.is_silent(1.0)
    assert pings.is_silent(SILENT_S)
    assert pings.check_at(SILENT_S + 1, 25.0) == SILENT_S + 1
    pings.receive_pong(payload, SILENT_S + 2)
    assert not pings.is_silent(SILENT_S + 2)
    assert pings.check_at(SILENT_S + 2, 25.0) == 25.0


def test_bytes_that_came_after_a_long_time_without_any_have_not_stood_still():
    unsent = StallDetector()
    assert not unsent.is_stalled(500, 0, 0.0)
    assert not unsent.is_stalled(600, 100, PEER_TIMEOUT_S + 5)
    assert not unsent.is_stalled(600, 100, PEER_TIMEOUT_S + 6)


def test_bytes_that_do_not_move_are_given_up_and_slow_ones_are_not():
    slow, stuck = StallDetector(), StallDetector()
    for second in range(60):
        assert not slow.is_stalled(1_000_000, 900_000 - second, float(second))
        assert stuck.is_stalled(1_000_000, 900_000, float(second)) is (second > PEER_TIMEOUT_S)


def test_an_idle_line_is_not_stuck():
    unsent = StallDetector()
    assert not any(unsent.is_stalled(500, 0, float(at)) for at in range(0, 200, 2))
    assert not unsent.is_stalled(600, 100, 200.0)
    assert unsent.is_stalled(600, 100, 221.0)
