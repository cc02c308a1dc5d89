"""Slow games to which none of their people can come back are aborted."""

import itertools

import pytest
from django.test import Client

from accounts.account_service import suspend
from accounts.models import User
from play.domain import clocks, commands
from play.domain.abandonment import GONE_LIMIT_MS
from play.domain.clocks import DAY_MS, Clock
from play.models import Entry, Game
from play.runtime import game_commands, periodic
from play.storage.verification import faults_of, rows_of
from tests.support.loop_runtime import game_service

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())
DAYS = Clock("days", 14 * DAY_MS)
ALL_GONE = [DAYS, Clock("none")]


async def run(function, *args):
    return await game_service().run_in_db_thread(function, *args)


async def unchanged(game, ms=GONE_LIMIT_MS) -> None:
    """Makes the last change of a game lie back by so much."""
    then = clocks.now() - ms
    await run(lambda: Game.objects.filter(pk=game.pk).update(changed=then))


async def end_all(game) -> str | None:
    """Ends forsaken games; returns the reason of this game's end, or None."""
    await periodic.end_forsaken_games(game_service())
    ending = (await game_service().find(game.slug)).ending
    return ending.reason if ending else None


def as_guest(user: User) -> Client:
    """Turns a user into a guest with a session; returns the browser."""
    User.objects.filter(pk=user.pk).update(is_guest=True)
    browser = Client()
    browser.force_login(User.objects.get(pk=user.pk))
    return browser


@pytest.mark.parametrize("clock", ALL_GONE)
async def test_a_game_between_two_suspended_users_is_aborted_and_its_ledger_right(
    table, people, clock
):
    game = await table("pincer", clock)
    for user in people[:2]:
        await run(suspend, user.pk)
    await unchanged(game)
    assert await end_all(game) == "aborted"
    row = await Game.objects.aget(pk=game.pk)
    assert (row.reason, row.winner) == ("aborted", "")
    last = await Entry.objects.filter(game=game.pk).order_by("-rev").afirst()
    assert (last.kind, '"gone":true' in last.body.replace(" ", "")) == ("idle", True)
    assert faults_of(await run(rows_of, game.slug)) == []


async def test_a_game_goes_on_while_one_of_two_can_come_back(table, people):
    game = await table("pincer", DAYS)
    await run(suspend, people[0].pk)
    await unchanged(game)
    assert await end_all(game) is None


async def test_a_suspension_ends_no_game_before_a_day_has_passed(table, people):
    game = await table("pincer", DAYS)
    for user in people[:2]:
        await run(suspend, user.pk)
    await unchanged(game, GONE_LIMIT_MS - 60_000)
    assert await end_all(game) is None


@pytest.mark.parametrize("clock", [Clock("fischer", 60_000), Clock("limit", 60_000)])
async def test_a_game_with_a_running_clock_is_left_to_its_clock(table, people, clock):
    game = await table("pincer", clock)
    for user in people[:2]:
        await run(suspend, user.pk)
    await unchanged(game)
    assert await end_all(game) is None
    await game_commands.end_forsaken(game_service(), game.slug, clocks.now(), game.rev)
    assert (await game_service().find(game.slug)).ending is None


async def test_a_guest_can_come_back_as_long_as_a_session_lives(table, people):
    game = await table("pincer", DAYS)
    browsers = [await run(as_guest, user) for user in people[:2]]
    await unchanged(game)
    assert await end_all(game) is None
    await run(browsers[0].logout)
    assert await end_all(game) is None
    await run(browsers[1].logout)
    assert await end_all(game) == "aborted"


async def test_a_game_against_the_computer_ends_when_its_guest_is_gone(table, people):
    await run(lambda: User.objects.filter(pk=people[1].pk).update(is_bot=True))
    game = await table("pincer", Clock("none"))
    browser = await run(as_guest, people[0])
    await unchanged(game)
    assert await end_all(game) is None
    await run(browser.logout)
    assert await end_all(game) == "aborted"


async def test_a_game_between_two_computers_is_not_forsaken(table, people):
    keys = [user.pk for user in people[:2]]
    await run(lambda: User.objects.filter(pk__in=keys).update(is_bot=True))
    game = await table("pincer", Clock("none"))
    await unchanged(game)
    assert await end_all(game) is None


async def test_a_game_that_changes_meanwhile_goes_on(table, people):
    game = await table("pincer", DAYS)
    command = commands.Draw(next(ids), "offer")
    await game_commands.perform(game_service(), game.slug, people[0].pk, command, clocks.now())
    await game_commands.end_forsaken(game_service(), game.slug, clocks.now(), game.rev)
    assert (await game_service().find(game.slug)).ending is None


async def test_an_aborted_game_is_not_ended_again(table, people):
    game = await table("pincer", DAYS)
    for user in people[:2]:
        await run(suspend, user.pk)
    await unchanged(game)
    await end_all(game)
    rev = (await Game.objects.aget(pk=game.pk)).rev
    await game_commands.end_forsaken(game_service(), game.slug, clocks.now(), rev)
    assert (await Game.objects.aget(pk=game.pk)).rev == rev
