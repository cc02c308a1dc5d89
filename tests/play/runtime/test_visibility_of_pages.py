"""Whether somebody sees a page of a seat: its pings say so, and its connection has to answer."""

import time

import pytest

from play.domain import clocks
from play.domain.clocks import Clock
from play.domain.lag import SILENT_S, ConnectionStats
from play.models import FRESH_MS, Seat
from tests.support.game_page_client import Page
from tests.support.loop_runtime import game_service, seats

pytestmark = pytest.mark.django_db
DAYS = Clock("days", clocks.DAY_MS)


async def ping(page, **more) -> None:
    await page.say(t="ping", **more)
    await page.next("pong")
    await seats().wait_until_stored()


async def forget_looks(game) -> None:
    """All pages of the game were last visible long ago, as the database has it."""
    long_ago = clocks.now() - 2 * FRESH_MS
    rows = Seat.objects.filter(game=game.pk)
    await game_service().run_in_db_thread(lambda: rows.update(visible=long_ago))


async def seen_by(game, user) -> bool:
    rows = Seat.objects.in_view(clocks.now()).filter(game=game.pk, user=user.pk)
    return await game_service().run_in_db_thread(rows.exists)


async def test_a_page_is_visible_from_its_ping_until_it_says_otherwise(table, people):
    game, (ada, bob, _) = await table("pincer", DAYS), people
    async with Page(game.slug, ada) as page:
        await page.next("game")
        assert not await seen_by(game, ada)
        await ping(page, visible=True)
        assert await seen_by(game, ada)
        assert not await seen_by(game, bob)
        await ping(page)
        assert not await seen_by(game, ada)
        await seats().refresh()
        assert not await seen_by(game, ada)


async def test_closing_the_last_visible_page_hides_the_game(table, people):
    game, (ada, *_) = await table("pincer", DAYS), people
    async with Page(game.slug, ada) as hidden:
        await hidden.next("game")
        async with Page(game.slug, ada) as one:
            await one.next("game")
            async with Page(game.slug, ada) as two:
                await two.next("game")
                await ping(one, visible=True)
                await ping(two, visible=True)
            await seats().refresh()
            assert await seen_by(game, ada)
        await seats().wait_until_stored()
        assert not await seen_by(game, ada)


async def test_what_a_page_has_said_holds_however_rarely_it_pings(table, people):
    game, (ada, *_) = await table("pincer", DAYS), people
    async with Page(game.slug, ada) as page:
        await page.next("game")
        await ping(page, visible=True)
        await forget_looks(game)
        await seats().refresh()
        assert await seen_by(game, ada)


async def test_a_page_that_was_visible_before_it_followed_the_game_is_so_then(table, people):
    game, (ada, *_) = await table("pincer", DAYS), people
    async with Page(game.slug, ada) as page:
        await page.next("game")
        await ping(page, visible=True)
        await page.say(t="unsubscribe")
        await page.next("ended")
        await seats().wait_until_stored()
        assert not await seen_by(game, ada)
        await page.say(t="subscribe", rev=-1)
        await page.next("game")
        await seats().wait_until_stored()
        assert await seen_by(game, ada)


async def test_a_page_whose_line_is_silent_is_visible_no_more_until_it_answers(table, people):
    game, (ada, *_) = await table("pincer", DAYS), people
    line = ConnectionStats()
    async with Page(game.slug, ada, line=line) as page:
        await page.next("game")
        await ping(page, visible=True)
        line.pinged_at = time.monotonic() - SILENT_S
        await seats().refresh()
        assert not await seen_by(game, ada)
        line.note_pong(time.monotonic(), None)
        await seats().refresh()
        assert await seen_by(game, ada)


async def test_a_page_that_is_closed_while_its_line_is_silent_was_not_looking(table, people):
    game, (ada, *_) = await table("pincer", DAYS), people
    line = ConnectionStats()
    async with Page(game.slug, ada, line=line) as page:
        await page.next("game")
        await ping(page, visible=True)
        line.pinged_at = time.monotonic() - SILENT_S
    await seats().refresh()
    assert not await seen_by(game, ada)


async def test_spectators_and_other_topics_store_nothing(table, people):
    game, (*_, cy) = await table("pincer", DAYS), people
    async with Page(game.slug, cy) as page:
        await page.next("game")
        await ping(page, visible=True)
        await seats().refresh()
    values = await game_service().run_in_db_thread(
        lambda: set(Seat.objects.values_list("visible", flat=True))
    )
    assert values == {0}
