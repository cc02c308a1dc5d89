"""Names of spectators: told to every page of the game, except of those who watch unseen."""

from collections import Counter

import pytest

from accounts.account_service import rename_user
from accounts.models import User
from accounts.people.relations import block, unblock
from play.runtime.layer import ProcessChannel
from play.runtime.presence import MAX_NAMES, Row, count_named, named_users
from tests.support.game_page_client import Page
from tests.support.loop_runtime import game_service, hub

pytestmark = pytest.mark.django_db


async def watching(page: Page, watchers: int, *names: str) -> None:
    """Waits until a page is told of so many spectators, with these names."""
    while True:
        frame = await page.next_due("people")
        if (frame["watchers"], frame["watching"]) == (watchers, [*names]):
            return


def make_people(*names: str) -> list[User]:
    return [User.objects.create(username=name) for name in names]


@pytest.fixture
async def spectators(table, people):
    return await game_service().run_in_db_thread(make_people, "Zoe", "eve")


async def test_spectators_are_named_to_players_and_to_one_another(table, people, spectators):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug) as stranger:
        await watching(ada, 1)
        async with Page(game.slug, spectators[0]), Page(game.slug, spectators[1]) as eve:
            for page in (ada, stranger, eve):
                await watching(page, 3, "eve", "Zoe")
        await watching(ada, 1)


async def test_two_pages_of_a_spectator_have_one_name(table, people, spectators):
    game = await table("pincer")
    pages = [Page(game.slug, user) for user in (people[0], spectators[0], spectators[0])]
    async with pages[0] as ada, pages[1], pages[2]:
        await watching(ada, 2, "Zoe")


async def test_who_watches_unseen_is_counted_and_may_change_that(table, people, spectators):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, spectators[0]) as zoe:
        await watching(ada, 1, "Zoe")
        await zoe.say(t="subscribe", rev=-1, unseen=True)
        await watching(ada, 1)
        await zoe.say(t="subscribe", rev=-1)  # as before
        await zoe.say(t="subscribe", rev=-1, unseen=False)
        await watching(ada, 1, "Zoe")
    assert [frame["watching"] for frame in ada.heard if frame["t"] == "people"][-3:] == [
        ["Zoe"],
        [],
        ["Zoe"],
    ]


async def test_who_comes_unseen_is_named_at_no_moment(table, people, spectators):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        hidden = Page(game.slug, spectators[0])
        await hidden.socket.connect(timeout=5)
        await hidden.say(t="subscribe", rev=-1, unseen=True)
        await watching(ada, 1)
        await hidden.socket.disconnect()
        await watching(ada, 0)
    assert all(frame["watching"] == [] for frame in ada.heard if frame["t"] == "people")


async def test_a_renamed_spectator_has_the_new_name_on_all_pages(table, people, spectators):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, spectators[1]):
        await watching(ada, 1, "eve")
        await game_service().run_in_db_thread(rename_user, spectators[1], "evelyn")
        hub().show_new_name(spectators[1].pk)
        await watching(ada, 1, "evelyn")


async def test_a_name_whose_hint_from_another_process_was_lost_is_shown_later(
    table, people, spectators, monkeypatch
):
    monkeypatch.setattr(ProcessChannel, "is_alone", False)
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, spectators[1]):
        await watching(ada, 1, "eve")
        await game_service().run_in_db_thread(rename_user, spectators[1], "evelyn")
        await hub().show_recent_names()
        await watching(ada, 1, "evelyn")


async def test_a_spectator_who_is_blocked_is_counted_and_not_named(table, people, spectators):
    """Ada plays and has blocked eve; Zoe has been blocked by nobody."""
    game, run = await table("pincer"), game_service().run_in_db_thread
    await run(block, people[0], "eve")
    pages = [Page(game.slug, user) for user in (*people[:2], *spectators)]
    async with pages[0] as ada, pages[1] as bob, pages[2], pages[3] as eve:
        await watching(ada, 2, "Zoe")
        await watching(bob, 2, "eve", "Zoe")
        await watching(eve, 2, "eve", "Zoe")
    assert not any("eve" in frame["watching"] for frame in ada.heard if frame["t"] == "people")


async def test_a_block_hides_two_spectators_from_each_other_at_once(table, people, spectators):
    game, run = await table("pincer"), game_service().run_in_db_thread
    async with Page(game.slug, spectators[0]) as zoe, Page(game.slug, spectators[1]) as eve:
        await watching(zoe, 2, "eve", "Zoe")
        await run(block, spectators[0], "eve")
        await watching(zoe, 2, "Zoe")
        await watching(eve, 2, "eve")
        await run(unblock, spectators[0], "eve")
        await watching(zoe, 2, "eve", "Zoe")


async def test_spectators_in_another_process_are_named_too(table, people, spectators):
    game = await table("pincer")
    topic, there = ("game", game.slug), Counter({"spectator": 2, f"user:{spectators[1].pk}": 1})
    async with Page(game.slug, people[0]) as ada:
        await watching(ada, 0)
        hub().presence._others = {"other": Row(0, {f"game:{game.slug}": there}, frozenset())}
        hub().tell(topic)
        await watching(ada, 2, "eve")


def test_no_more_than_thirty_are_named_and_a_key_that_is_no_user_is_ignored():
    counts = count_named([*range(100), None, 3])
    assert named_users(counts) == [*range(MAX_NAMES)]
    assert named_users(counts + count_named(range(100, 200))) == [*range(MAX_NAMES)]
    assert named_users(Counter({"user:x": 1, "user:-1": 1, "user:²": 1, "white": 1})) == []
