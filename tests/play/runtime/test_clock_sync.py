"""Clock of a process, and clock credit after a database outage."""

import asyncio
import time
from types import SimpleNamespace

import pytest
from django.db import connection

from accounts.refusals import Refused
from play.domain import clocks
from play.domain.clocks import Clock, MonotonicClock
from play.domain.commands import Act
from play.process_models import Heartbeat
from play.runtime import clock_sync, game_commands, periodic
from play.runtime.game_service import GameService
from tests.play.runtime.test_periodic import backdate, credited
from tests.support.loop_runtime import game_service, settle, settle_for, started

database = pytest.mark.django_db


@pytest.fixture
def piece(monkeypatch) -> MonotonicClock:
    """The clock of this process, one that may be set."""
    monkeypatch.setattr(clocks, "CLOCK", MonotonicClock(time.time_ns() // 1_000_000))
    monkeypatch.setattr(clock_sync.last_seen, "STARTED", clock_sync.last_seen.STARTED)
    return clocks.CLOCK


def test_a_jump_of_the_wall_clock_moves_nothing(piece, monkeypatch):
    before, wall = piece.now(), time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: wall + 25 * 3_600 * 10**9)
    assert 0 <= piece.now() - before < 3_600_000


def test_a_clock_that_is_set_back_stands_still_until_it_is_caught_up(monkeypatch):
    steady_ms = 7_000
    reader = SimpleNamespace(monotonic_ns=lambda: steady_ms * 1_000_000)
    monkeypatch.setattr(clocks, "time", reader)
    clock = MonotonicClock(1_000_000)
    clock.set_by(-100)
    times = [clock.now()]
    for _ in range(4):
        steady_ms += 40
        times.append(clock.now())
    assert times == [1_000_000] * 3 + [1_000_020, 1_000_060]
    clock.set_by(5_000)
    assert clock.now() == 1_005_060


def test_only_a_clock_that_nobody_has_gone_by_steps_back(piece):
    shown = piece.now()
    piece.set_by(-3_600_000, is_first=True)
    assert piece.now() < shown - 3_500_000


@database
@pytest.mark.networked("an SQLite file has no clock of its own")
@pytest.mark.parametrize("off", [-3_600_000, -2_000, 2_000, 25 * 3_600_000])
async def test_a_process_begins_with_the_clock_of_the_database(at_work, piece, off):
    right = piece.now()
    piece.set_by(off, is_first=True)
    await clock_sync.set_clock(game_service())
    assert abs(piece.now() - right) < 1_500
    assert (
        abs(await game_service().run_in_db_thread(clock_sync.clock_drift_ms) or 0)
        < clock_sync.MAX_DRIFT_MS
    )
    piece.set_by(2_000)
    await clock_sync.adjust_clock(game_service())
    assert abs(piece._offset // 1_000_000 + time.monotonic_ns() // 1_000_000 - right) < 3_000


@database
async def test_without_a_clock_of_the_database_the_own_one_counts(at_work, piece):
    await clock_sync.set_clock(game_service())
    if connection.vendor == "sqlite":
        assert await game_service().run_in_db_thread(clock_sync.clock_drift_ms) is None


@database
def test_a_pulse_follows_another_and_does_not_bridge_a_gap():
    at = clocks.now()
    assert not periodic.keep_heartbeat(at)
    periodic.write_heartbeat(at)
    assert periodic.keep_heartbeat(at + 2_000)
    assert periodic.keep_heartbeat(at + 1_000)  # of another process, a little late
    assert periodic.read_heartbeat() == at + 2_000
    assert not periodic.keep_heartbeat(at + 2_000 + periodic.DOWN_AFTER_MS + 1)
    assert periodic.read_heartbeat() == at + 2_000


@database
async def test_time_in_which_the_database_was_away_is_given_back_by_a_process_that_lived(
    table, piece
):
    game = await table("pincer", Clock("fischer", 60_000))
    behind = started()
    await behind.is_ready.wait()
    await backdate(game, 50_000)
    away = clocks.now() - 40_000
    await game_service().run_in_db_thread(lambda: Heartbeat.objects.filter(pk=1).update(at=away))
    piece.set_by(periodic.HEARTBEAT_INTERVAL_MS)
    await settle()
    assert 40_000 <= await credited(game) <= clocks.now() - away
    assert (await game_service().renew(game.slug)).ending is None
    await behind.stop()


@database
async def test_two_processes_that_find_the_same_gap_give_it_back_once(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 50_000)
    alive, other = clocks.now() - 40_000, GameService()
    from play.domain.commands import Credit

    at = clocks.now()
    for each, later in ((game_service(), 0), (other, 30)):
        await each.perform(Credit(game.slug, alive, at + later))
    left = (await game_service().renew(game.slug)).times.left_at("white", at + 30)
    await other.close()
    assert 45_000 < left <= 50_050


@database
async def test_an_action_waits_until_what_it_would_pay_for_has_been_given_back(
    table, people, monkeypatch
):
    monkeypatch.setattr(periodic, "FAIR_TIMEOUT_S", 0.5)
    game = await table("pincer", Clock("fischer", 60_000))
    behind = started()
    await behind.is_ready.wait()
    behind._heartbeat_at -= 60_000
    monkeypatch.setattr(behind, "_write_heartbeat", lambda: asyncio.sleep(0))
    live = await game_service().find(game.slug)
    move = (str(next(iter(live.rules.choices(live.state, "white")))),)

    async def act():
        return await game_commands.perform(
            game_service(), game.slug, people[0].pk, Act("one", 0, move), clocks.now()
        )

    with pytest.raises(Refused) as refused:
        await settle_for(act(), "the action is refused")
    assert refused.value.reason == "busy"
    monkeypatch.undo()
    receipt = await settle_for(act(), "the action is accepted")
    await behind.stop()
    assert receipt.rev >= 1


@database
async def test_an_action_that_had_to_wait_comes_after_what_was_given_back_meanwhile(table, people):
    from play.domain.commands import Credit

    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 20_000)
    at = clocks.now()
    await game_service().perform(Credit(game.slug, at - 10_000, at))
    live = await game_service().find(game.slug)
    move = (str(next(iter(live.rules.choices(live.state, "white")))),)
    receipt = await game_commands.perform(
        game_service(), game.slug, people[0].pk, Act("one", 0, move), at - 5_000
    )
    assert receipt.at == at
    left = (await game_service().find(game.slug)).times.left_at("white", at)
    # Ten of the twenty seconds, and not less for the wait.
    assert left == 50_000 - (at - game.created)
