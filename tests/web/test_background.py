"""The sweeper, the pulse, and the time given back after a stop."""

import asyncio
import json

import pytest

from accounts.redaction import shorten_key
from play import background, clocks, commands
from play.clocks import Clock
from play.desk import Desk, desk
from play.mailbox import GATE, Mailbox
from play.models import Entry, Game
from play.permit import Permit
from play.refusals import Refused

pytestmark = pytest.mark.django_db(transaction=True)


async def backdate(game, ms: int) -> None:
    """Makes a game's clock have run for `ms` already, as if the page had stood open."""

    def write():
        row = Game.objects.get(pk=game.pk)
        times = row.times.replace(f'"since":{row.created}', f'"since":{row.created - ms}')
        Game.objects.filter(pk=game.pk).update(
            times=times, deadline=row.deadline - ms, changed=row.changed - ms
        )

    await desk().read(write)


async def test_the_sweeper_ends_what_is_overdue_and_nothing_else(table):
    late, early = [await table("pincer", Clock("fischer", 60_000)) for _ in range(2)]
    idle = await table("pincer", Clock("none"))
    await backdate(late, 61_001)
    await backdate(early, 60_000)
    await background.sweep()
    endings = [(await desk().find(game.slug)).ending for game in (late, early, idle)]
    assert [ending and ending.reason for ending in endings] == ["time", None, None]


async def test_the_sweeper_works_behind_the_first_request(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 61_000)
    background.ensure_started()
    for _ in range(100):
        await asyncio.sleep(0.05)
        if (live := await desk().renew(game.slug)).ending:
            break
    await background.background().stop()
    assert live.ending.winner == "black"


async def test_down_time_is_given_back_before_any_flag_falls(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 90_000)
    at = clocks.now()
    await desk().read(background.write_pulse, at - 80_000)
    await background.credit_down_time(clocks.now())
    await background.sweep()
    live = await desk().find(game.slug)
    assert live.ending is None
    assert 49_000 < live.times.left_at("white", clocks.now()) <= 50_000
    assert 80_000 <= await credited(game) <= 81_000


async def credited(game) -> int:
    """The ms that the ledger says were given back."""

    def read():
        return json.loads(Entry.objects.get(game=game.pk, kind="credit").body)["ms"]

    return await desk().read(read)


async def test_one_game_that_cannot_be_read_stops_no_other_clock(table, caplog):
    broken, late = [await table("pincer", Clock("fischer", 60_000)) for _ in range(2)]
    await backdate(broken, 90_000)
    await backdate(late, 90_000)
    await desk().read(lambda: Game.objects.filter(pk=broken.pk).update(rules="withdrawn"))
    await desk().read(background.write_pulse, clocks.now() - 20_000)
    await background.credit_down_time(clocks.now())
    await background.sweep()
    assert (await desk().find(late.slug)).ending.reason == "time"
    assert f"game {shorten_key(broken.slug)} was left alone" in caplog.text
    assert broken.slug not in caplog.text  # it is the key of the game


async def test_down_time_is_given_back_once(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 30_000)
    alive, at = clocks.now() - 20_000, clocks.now()
    for later in (0, 50):  # the pulse of a server that dies before it has written it stays old
        await desk().read(background.write_pulse, alive)
        await background.credit_down_time(at + later)
    live = await desk().find(game.slug)
    assert 49_900 < live.times.left_at("white", at + 50) <= 50_000
    assert await desk().read(Entry.objects.filter(game=game.pk, kind="credit").count) == 2


async def test_a_short_pause_is_not_called_down_time(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await desk().read(background.write_pulse, clocks.now() - 1_500)
    await background.credit_down_time(clocks.now())
    assert (await desk().find(game.slug)).rev == 0


async def test_two_processes_that_sweep_together_end_a_game_once(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 90_000)
    other, at = Desk(), clocks.now()
    done = await asyncio.gather(
        *(each.perform(commands.Flag(game.slug, at)) for each in (desk(), other)),
        return_exceptions=True,
    )
    await other.close()
    assert sum(isinstance(each, Exception) for each in done) == 1
    assert await desk().read(Entry.objects.filter(game=game.pk, kind="flag").count) == 1


async def test_a_credit_that_could_not_be_written_is_tried_again_before_any_flag(
    table, monkeypatch
):
    from play import store

    game, commit = await table("pincer", Clock("fischer", 60_000)), store.commit
    await backdate(game, 90_000)
    alive = clocks.now() - 80_000
    await desk().read(background.write_pulse, alive)
    with monkeypatch.context() as patch, pytest.raises(Refused):
        patch.setattr(store, "commit", lambda batch: [store.Verdict.FAILED for _ in batch])
        await background.credit_down_time(clocks.now())
    assert (await desk().read(background.read_pulse), store.commit) == (alive, commit)
    await background.credit_down_time(clocks.now())
    await background.sweep()
    assert (await desk().find(game.slug)).ending is None


async def test_the_site_is_ready_only_when_down_time_has_been_given_back(table):
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 30_000)
    await desk().read(background.write_pulse, clocks.now() - 20_000)
    behind = background.ensure_started()
    assert not behind.is_ready.is_set()
    await asyncio.wait_for(behind.is_ready.wait(), 5)
    given = await credited(game)
    await behind.stop()
    assert given >= 20_000


async def begun(table) -> int:
    """A process starts 0.9 s after the last pulse; the rev of a timed game then."""
    game = await table("pincer", Clock("fischer", 60_000))
    await backdate(game, 10_000)
    await desk().read(background.write_pulse, clocks.now() - 900)
    behind = background.ensure_started()
    await asyncio.wait_for(behind.is_ready.wait(), 5)
    await behind.stop()
    return (await desk().renew(game.slug)).rev


async def test_a_restart_of_a_moment_is_given_back_where_nobody_else_can_serve(table, settings):
    settings.REDIS_URL = ""
    assert await begun(table) == 1


async def test_a_process_that_joins_others_gives_back_nothing_between_two_pulses(table, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert await begun(table) == 0


async def test_clocks_stand_still_while_pages_are_sent_away(table, monkeypatch):
    monkeypatch.setattr(GATE, "is_shut", False)
    sent_away = []

    async def send(event) -> None:
        sent_away.append(clocks.now())

    box = Mailbox(send, "spectator", Permit(None, None, 0))
    await asyncio.wait_for(background.ensure_started().is_ready.wait(), 5)
    await background.farewell()
    box.close()
    assert await desk().read(background.read_pulse) <= min(sent_away)
