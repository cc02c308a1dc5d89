"""Extension points of play: periodic tasks, ends of games, changed names."""

import asyncio

import pytest

from accounts.models import User
from play.domain import clocks, commands
from play.domain.clocks import Clock
from play.models import Game
from play.runtime import game_service as desks
from play.runtime import notify
from play.runtime import runtime as runtimes
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import game_service, hub, started
from tests.support.run.database_threads import run_in_thread
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db


async def test_a_chore_is_done_again_and_again_and_an_error_is_logged(
    at_work, people, monkeypatch, caplog
):
    done = []

    async def sweep_the_yard(runtime):
        done.append(len(done))
        if len(done) == 2:
            raise RuntimeError("the broom broke")

    monkeypatch.setattr(runtimes, "PERIODIC_TASKS", [])
    runtimes.register_periodic_task(0.01, sweep_the_yard)
    behind = started()
    await wait_until(lambda: len(done) > 3, "the task has run four times")
    await behind.stop()
    assert "sweep_the_yard could not be done" in caplog.text
    assert "the broom broke" in caplog.text


async def test_a_listener_is_called_once_for_every_end_of_a_game(
    table, people, monkeypatch, caplog
):
    def broken(games, live):
        raise RuntimeError("planted")

    told, listeners = [], []
    monkeypatch.setattr(desks, "END_LISTENERS", listeners)
    desks.on_game_over(broken)
    desks.on_game_over(lambda games, live: told.append(live))
    resigned, flagged = await table("pincer"), await table("pincer", Clock("fischer", 1_000))
    at = clocks.now()
    await game_service().perform(
        commands.Envelope(resigned.slug, people[0].pk, at, commands.Draw("d", "offer"))
    )
    assert told == []
    for _ in range(2):
        await game_service().perform(
            commands.Envelope(resigned.slug, people[0].pk, at, commands.Resign("r"))
        )
    await game_service().perform(commands.Flag(flagged.slug, at + 2_000))
    endings = [(live.slug, live.ending.reason, live.ended) for live in told]
    assert endings == [(resigned.slug, "resigned", at), (flagged.slug, "time", at + 2_000)]
    assert "planted" in caplog.text


@pytest.mark.django_db(transaction=True)
async def test_a_new_name_is_shown_at_once_and_kept(table, people):
    game, other = await table("pincer"), await table("pincer")
    await game_service().find(other.slug)

    def rename() -> None:
        User.objects.filter(pk=people[0].pk).update(username="ada-lovelace", is_guest=False)
        notify.refresh_name(people[0].pk)

    async with Page(game.slug, people[0]) as ada, Page(game.slug) as watcher:
        await all_at(0, ada, watcher)
        await asyncio.gather(ada.quiet(), watcher.quiet())
        await run_in_thread(rename)
        for page in (ada, watcher):
            seat = (await page.next("game"))["seats"]["white"]
            assert (seat["name"], seat["url"]) == ("ada-lovelace", "/u/ada-lovelace/")
        assert (await game_service().find(other.slug)).people["white"].name == "ada-lovelace"
        await ada.act("move 1 5 2 5")
        assert (await watcher.until(1))["seats"]["white"]["name"] == "ada-lovelace"


async def test_a_new_name_waits_for_what_is_being_changed(table, people):
    game = await table("pincer")
    live = await game_service().find(game.slug)
    await game_service()._locks.enter(game.slug)
    hub().show_new_name(people[0].pk)
    locks = game_service()._locks
    try:
        await wait_until(lambda: locks._waiting[game.slug], "the new name waits for the game")
        assert (await game_service().find(game.slug)) is live
    finally:
        locks.leave(game.slug)
    await wait_until(lambda: game.slug not in game_service()._games, "the game is forgotten")


async def test_another_process_shows_the_new_name_with_the_next_change(table, people):
    game, other = await table("pincer"), desks.GameService()
    await other.find(game.slug)
    await game_service().run_in_db_thread(
        lambda: User.objects.filter(pk=people[1].pk).update(username="robert")
    )
    resign = commands.Envelope(game.slug, people[0].pk, clocks.now(), commands.Resign("r"))
    await game_service().perform(resign)
    assert (await other.renew(game.slug)).people["black"].name == "robert"
    await other.close()


def test_a_game_without_spectators_is_listed_only_when_it_is_over(opened, people):
    from django.db import transaction

    from play.runtime.game_commands import open_game

    seats = {"white": people[0], "black": people[1]}
    with transaction.atomic():
        hidden = open_game("pincer", Clock("none"), seats, public=True, watch=False)
    shown = opened("pincer")
    assert set(Game.objects.public()) == {shown}
    assert set(Game.objects.of(people[0])) == {shown, hidden}
    Game.objects.filter(pk=hidden.pk).update(ended=1, reason="resigned")
    assert set(Game.objects.public()) == {shown, hidden}


def test_an_aborted_game_calls_no_listener_of_results(opened):
    games = [opened("pincer") for _ in range(4)]
    for game, reason in zip(games, ["resigned", "aborted", "idle", ""], strict=True):
        Game.objects.filter(pk=game.pk).update(ended=1 if reason else None, reason=reason)
    assert list(Game.objects.counted()) == games[:1]
    assert set(Game.objects.over()) == set(games[:3])
