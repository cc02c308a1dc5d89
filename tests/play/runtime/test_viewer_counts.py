"""Counts of viewers in other processes: rows that are repeated, and expire."""

from collections import Counter

import pytest

from play.domain import clocks
from play.process_models import ProcessViewers
from play.runtime import viewer_counts
from play.runtime.layer import ProcessChannel
from play.runtime.viewer_counts import EXPIRY_MS, REPEAT_MS, ViewerCounts
from tests.support.game_page_client import Page
from tests.support.loop_runtime import game_service, hub

pytestmark = [pytest.mark.django_db, pytest.mark.dual]
X = ("game", "x")


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test turns."""

    class Clock:
        at = 1_000_000

    monkeypatch.setattr(clocks, "now", lambda: Clock.at)
    return Clock


async def share(viewers: ViewerCounts, **counts: Counter[str]) -> None:
    """Set the counts of games by slug, and exchange them."""
    for slug, each in counts.items():
        viewers.update_own(("game", slug), each)
    await viewers.exchange()


async def test_the_counts_of_other_processes_are_added_up(at_work):
    one, other, third = (ViewerCounts(game_service()) for _ in range(3))
    await share(one, x=Counter(white=1, spectator=2))
    await share(other, x=Counter(spectator=3), y=Counter(black=4))
    await third.exchange()
    assert third.elsewhere(X) == Counter(white=1, spectator=5)
    assert third.elsewhere(("game", "y")) == Counter(black=4)
    assert other.elsewhere(X) == Counter(white=1, spectator=2)


async def test_a_row_that_is_not_repeated_expires_and_is_deleted(at_work, clock):
    one, other = (ViewerCounts(game_service()) for _ in range(2))
    await share(one, x=Counter(white=1))
    clock.at += EXPIRY_MS - 1
    await other.exchange()
    assert other.elsewhere(X) == Counter(white=1)
    clock.at += 1
    await other.exchange()
    assert not other.elsewhere(X)
    clock.at += REPEAT_MS
    await other.exchange()
    assert await game_service().run_in_db_thread(ProcessViewers.objects.count) == 1


async def test_a_row_without_a_change_is_repeated_before_it_expires(at_work, clock):
    one, other = (ViewerCounts(game_service()) for _ in range(2))
    for _ in range(EXPIRY_MS // 1_000 + 1):
        await share(one, x=Counter(white=1))
        clock.at += 1_000
    await other.exchange()
    assert other.elsewhere(X) == Counter(white=1)


async def test_a_row_that_was_read_is_not_read_again_until_it_is_rewritten(
    at_work, clock, django_assert_num_queries
):
    one, other = (ViewerCounts(game_service()) for _ in range(2))
    await share(one, x=Counter(white=1))
    read = game_service().run_in_db_thread
    known = await read(viewer_counts.read_rows, "another", {})

    def read_again() -> viewer_counts.Rows:
        with django_assert_num_queries(1):
            return viewer_counts.read_rows("another", known)

    assert await read(read_again) == known
    clock.at += 1
    await share(one, x=Counter(white=2))
    await other.exchange()
    assert other.elsewhere(X) == Counter(white=2)


async def test_an_exchange_tells_what_has_changed_and_which_audiences_are_gone(at_work, clock):
    one, other, third = (ViewerCounts(game_service()) for _ in range(3))
    await share(one, x=Counter(white=1, spectator=2), y=Counter(black=1))
    await share(other, x=Counter(spectator=3))
    assert await third.exchange() == {X: set(), ("game", "y"): set()}
    clock.at += REPEAT_MS
    await share(one, x=Counter(), y=Counter(black=1))
    await other.exchange()
    assert await third.exchange() == {X: {"white"}}
    assert await third.exchange() == {}


async def test_a_process_that_ends_takes_its_counts_with_it(at_work):
    one, other = (ViewerCounts(game_service()) for _ in range(2))
    await share(one, x=Counter(white=1))
    await one.delete()
    await other.exchange()
    assert not other.elsewhere(X)


async def test_a_player_who_leaves_another_process_is_shown_absent_at_once(
    table, people, monkeypatch
):
    monkeypatch.setattr(ProcessChannel, "is_alone", False)
    game, other = await table("pincer"), ViewerCounts(game_service())
    async with Page(game.slug, people[0]) as ada:
        await share(other, **{game.slug: Counter(black=1, spectator=2)})
        await hub().exchange_viewers()
        await told(ada, ["white", "black"], 2)
        await other.delete()
        await hub().exchange_viewers()
        await told(ada, ["white"], 0)


async def told(page: Page, here: list[str], watchers: int) -> None:
    """Wait until a page is told who is there, and the number of spectators."""
    while True:
        frame = await page.next_due("people")
        if (frame["here"], frame["watchers"]) == (here, watchers):
            return
