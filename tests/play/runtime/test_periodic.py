"""Deadline sweep, heartbeat, and clock credit after a stop."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from accounts.refusals import Refused
from play.domain import clocks, commands
from play.domain.clocks import Clock, MonotonicClock
from play.domain.socket_session import SocketSession
from play.models import Entry, Game
from play.runtime import periodic
from play.runtime.game_service import GameService
from play.runtime.open_sockets import ACCEPTING
from play.sockets.send_queue import SendQueue
from telemetry.redaction import shorten_key
from tests.support.loop_runtime import game_service, runtime, settle_for, started
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = pytest.mark.django_db
IN_MEMORY = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}


@pytest.fixture
def _stopped_clock(monkeypatch) -> None:
    """The clock of live play stands still, so that times are exact."""
    at = clocks.now()
    monkeypatch.setattr(clocks, "time", SimpleNamespace(monotonic_ns=lambda: 0))
    monkeypatch.setattr(clocks, "CLOCK", MonotonicClock(at))


async def backdate(game, ms: int) -> None:
    """Makes a game's clock have run for `ms` already, as if the page had stood open."""

    def write():
        row = Game.objects.get(pk=game.pk)
        times = row.times.replace(f'"since":{row.created}', f'"since":{row.created - ms}')
        Game.objects.filter(pk=game.pk).update(
            times=times, deadline=row.deadline - ms, changed=row.changed - ms
        )

    await game_service().run_in_db_thread(write)


async def test_the_sweeper_ends_what_is_overdue_and_nothing_else(table):
    late, early = [await table("pincer", Clock("fischer", 60_000)) for _ in range(2)]
    idle = await table("pincer", Clock("none"))
    await backdate(late, 61_001)
    await backdate(early, 60_000)
    await periodic.sweep(game_service())
    endings = [(await game_service().find(game.slug)).ending for game in (late, early, idle)]
    assert [ending and ending.reason for ending in endings] == ["time", None, None]


async def test_the_sweeper_works_behind_the_first_request(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 61_000)
    started()

    async def ending():
        return (await game_service().renew(game.slug)).ending

    found = await wait_until(ending, "the sweeper ends the game")
    await runtime().background.stop()
    assert found.winner == "black"


@pytest.mark.usefixtures("_stopped_clock")
async def test_down_time_is_given_back_before_any_flag_falls(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 90_000)
    at = clocks.now()
    await game_service().run_in_db_thread(periodic.write_heartbeat, at - 80_000)
    await periodic.credit_down_time(game_service(), clocks.now())
    await periodic.sweep(game_service())
    live = await game_service().find(game.slug)
    assert live.ending is None
    assert live.times.left_at("white", clocks.now()) == 50_000
    assert await credited(game) == 80_000


async def credited(game) -> int:
    """The ms that the ledger says were given back."""

    def read():
        return json.loads(Entry.objects.get(game=game.pk, kind="credit").body)["ms"]

    return await game_service().run_in_db_thread(read)


async def test_one_game_that_cannot_be_read_stops_no_other_clock(table, caplog):
    broken, late = [await table("pincer", Clock("fischer", 60_000)) for _ in range(2)]
    await backdate(broken, 90_000)
    await backdate(late, 90_000)
    await game_service().run_in_db_thread(
        lambda: Game.objects.filter(pk=broken.pk).update(rules="withdrawn")
    )
    await game_service().run_in_db_thread(periodic.write_heartbeat, clocks.now() - 20_000)
    await periodic.credit_down_time(game_service(), clocks.now())
    await periodic.sweep(game_service())
    assert (await game_service().find(late.slug)).ending.reason == "time"
    assert f"game {shorten_key(broken.slug)} was skipped" in caplog.text
    assert broken.slug not in caplog.text  # it is the key of the game


@pytest.mark.usefixtures("_stopped_clock")
async def test_down_time_is_given_back_once(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 30_000)
    alive, at = clocks.now() - 20_000, clocks.now()
    for later in (0, 50):  # the pulse of a server that dies before it has written it stays old
        await game_service().run_in_db_thread(periodic.write_heartbeat, alive)
        await periodic.credit_down_time(game_service(), at + later)
    live = await game_service().find(game.slug)
    assert live.times.left_at("white", at + 50) == 50_000
    assert (
        await game_service().run_in_db_thread(
            Entry.objects.filter(game=game.pk, kind="credit").count
        )
        == 2
    )


@pytest.mark.usefixtures("_stopped_clock")
async def test_a_short_pause_is_not_called_down_time(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await game_service().run_in_db_thread(periodic.write_heartbeat, clocks.now() - 1_500)
    await periodic.credit_down_time(game_service(), clocks.now())
    assert (await game_service().find(game.slug)).rev == 0


async def test_two_processes_that_sweep_together_end_a_game_once(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 90_000)
    other, at = GameService(), clocks.now()
    done = await asyncio.gather(
        *(each.perform(commands.Flag(game.slug, at)) for each in (game_service(), other)),
        return_exceptions=True,
    )
    await other.close()
    assert sum(isinstance(each, Exception) for each in done) == 1
    assert (
        await game_service().run_in_db_thread(Entry.objects.filter(game=game.pk, kind="flag").count)
        == 1
    )


async def test_a_credit_that_could_not_be_written_is_tried_again_before_any_flag(
    table, monkeypatch
):
    from play.storage import save

    game, commit = await table("pincer", Clock("fischer", 60_000)), save.commit
    await backdate(game, 90_000)
    alive = clocks.now() - 80_000
    await game_service().run_in_db_thread(periodic.write_heartbeat, alive)
    with monkeypatch.context() as patch, pytest.raises(Refused):
        patch.setattr(save, "commit", lambda batch: [save.Verdict.FAILED for _ in batch])
        await periodic.credit_down_time(game_service(), clocks.now())
    assert (await game_service().run_in_db_thread(periodic.read_heartbeat), save.commit) == (
        alive,
        commit,
    )
    await periodic.credit_down_time(game_service(), clocks.now())
    await periodic.sweep(game_service())
    assert (await game_service().find(game.slug)).ending is None


async def test_the_site_is_ready_only_when_down_time_has_been_given_back(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 30_000)
    await game_service().run_in_db_thread(periodic.write_heartbeat, clocks.now() - 20_000)
    behind = started()
    assert not behind.is_ready.is_set()
    await asyncio.wait_for(behind.is_ready.wait(), TIMEOUT_S)
    given = await credited(game)
    await behind.stop()
    assert given >= 20_000


async def begun(table) -> int:
    """Starts a process 0.9 s after the last pulse; returns the rev of a timed game then."""
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 10_000)
    await game_service().run_in_db_thread(periodic.write_heartbeat, clocks.now() - 900)
    behind = started()
    await asyncio.wait_for(behind.is_ready.wait(), TIMEOUT_S)
    await behind.stop()
    return (await game_service().renew(game.slug)).rev


@pytest.mark.usefixtures("_stopped_clock")
async def test_a_restart_of_a_moment_is_given_back_where_nobody_else_can_serve(table, settings):
    settings.CHANNEL_LAYERS = {}
    assert await begun(table) == 1


@pytest.mark.usefixtures("_stopped_clock")
async def test_a_process_that_joins_others_gives_back_nothing_between_two_pulses(table, settings):
    settings.CHANNEL_LAYERS = IN_MEMORY
    assert await begun(table) == 0


async def test_clocks_stand_still_while_pages_are_sent_away(table, monkeypatch):
    monkeypatch.setattr(ACCEPTING, "is_shut", False)
    sent_away = []

    class Page:
        async def send(self, text_data) -> None:
            sent_away.append(clocks.now())

        async def close(self, code) -> None:
            """Takes the close."""

    box = SendQueue(Page(), SocketSession(None, None, 0))
    await asyncio.wait_for(started().is_ready.wait(), TIMEOUT_S)
    await settle_for(runtime().shut_down(), "the pages are sent away")
    box.close()
    ACCEPTING.is_shut = False  # the next runtime reads the row
    assert await game_service().run_in_db_thread(periodic.read_heartbeat) <= min(sent_away)
