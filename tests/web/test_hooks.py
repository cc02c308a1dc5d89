"""What the apps above hang on to play: chores, the news of an end, a new name."""

import asyncio

import pytest
from pages_of_a_game import Page, all_at

from accounts.models import User
from play import background, clocks, commands, outbox
from play import desk as desks
from play.clocks import Clock
from play.desk import desk
from play.hub import hub
from play.models import Game

pytestmark = pytest.mark.django_db(transaction=True)


async def until(holds) -> None:
    for _ in range(500):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("that never came true")


async def test_a_chore_is_done_again_and_again_and_an_error_is_logged(
    at_work, people, monkeypatch, caplog
):
    done = []

    async def sweep_the_yard():
        done.append(len(done))
        if len(done) == 2:
            raise RuntimeError("the broom broke")

    monkeypatch.setattr(background, "CHORES", [])
    background.chore(0.01, sweep_the_yard)
    behind = background.ensure_started()
    await until(lambda: len(done) > 3)
    await behind.stop()
    assert "sweep_the_yard could not be done" in caplog.text
    assert "the broom broke" in caplog.text


async def test_who_listens_is_told_once_of_every_end(table, people, monkeypatch, caplog):
    def broken(live):
        raise RuntimeError("planted")

    told, listeners = [], []
    monkeypatch.setattr(desks, "LISTENERS", listeners)
    monkeypatch.setattr(outbox, "LISTENERS", listeners)
    outbox.when_over(broken)
    outbox.when_over(told.append)
    resigned, flagged = await table("pincer"), await table("pincer", Clock("fischer", 1_000))
    at = clocks.now()
    await desk().perform(commands.Draw(resigned.slug, people[0].pk, "d", at, "offer"))
    assert told == []
    for _ in range(2):
        await desk().perform(commands.Resign(resigned.slug, people[0].pk, "r", at))
    await desk().perform(commands.Flag(flagged.slug, at + 2_000))
    endings = [(live.slug, live.ending.reason, live.ended) for live in told]
    assert endings == [(resigned.slug, "resigned", at), (flagged.slug, "time", at + 2_000)]
    assert "planted" in caplog.text


async def test_a_new_name_is_shown_at_once_and_kept(table, people):
    game, other = await table("pincer"), await table("pincer")
    await desk().find(other.slug)

    def rename() -> None:
        User.objects.filter(pk=people[0].pk).update(username="ada-lovelace", is_guest=False)
        outbox.renamed(people[0].pk)

    async with Page(game.slug, people[0]) as ada, Page(game.slug) as watcher:
        await all_at(0, ada, watcher)
        await asyncio.gather(ada.quiet(), watcher.quiet())
        await asyncio.to_thread(rename)
        for page in (ada, watcher):
            seat = (await page.next("game"))["seats"]["white"]
            assert (seat["name"], seat["url"]) == ("ada-lovelace", "/u/ada-lovelace/")
        assert (await desk().find(other.slug)).people["white"].name == "ada-lovelace"
        await ada.act("move 1 5 2 5")
        assert (await watcher.until(1))["seats"]["white"]["name"] == "ada-lovelace"


async def test_a_new_name_waits_for_what_is_being_changed(table, people):
    game = await table("pincer")
    live = await desk().find(game.slug)
    await desk()._queues.enter(game.slug)
    hub().renamed(people[0].pk)
    await asyncio.sleep(0.1)
    assert (await desk().find(game.slug)) is live
    desk()._queues.leave(game.slug)
    await until(lambda: game.slug not in desk()._games)


async def test_another_process_shows_the_new_name_with_the_next_change(table, people):
    game, other = await table("pincer"), desks.Desk()
    await other.find(game.slug)
    await desk().read(lambda: User.objects.filter(pk=people[1].pk).update(username="robert"))
    resign = commands.Resign(game.slug, people[0].pk, "r", clocks.now())
    await desk().perform(resign)
    assert (await other.renew(game.slug)).people["black"].name == "robert"
    await other.close()


def test_a_game_without_spectators_is_listed_only_when_it_is_over(opened, people):
    from django.db import transaction

    from play.act import open_game

    seats = {"white": people[0], "black": people[1]}
    with transaction.atomic():
        hidden = open_game("pincer", Clock("none"), seats, public=True, watch=False)
    shown = opened("pincer")
    assert set(Game.objects.public()) == {shown}
    assert set(Game.objects.of(people[0])) == {shown, hidden}
    Game.objects.filter(pk=hidden.pk).update(ended=1, reason="resigned")
    assert set(Game.objects.public()) == {shown, hidden}


def test_what_was_broken_off_counts_for_nobody(opened):
    games = [opened("pincer") for _ in range(4)]
    for game, reason in zip(games, ["resigned", "aborted", "idle", ""], strict=True):
        Game.objects.filter(pk=game.pk).update(ended=1 if reason else None, reason=reason)
    assert list(Game.objects.counted()) == games[:1]
    assert set(Game.objects.over()) == set(games[:3])
