"""Pages in other processes: rows that are repeated, and expire."""

from collections import Counter

import pytest

from play.domain import clocks
from play.process_models import ProcessPresence
from play.runtime import presence
from play.runtime.layer import ProcessChannel
from play.runtime.presence import EXPIRY_MS, REPEAT_MS, Presence
from play.runtime.topics import KINDS, Topic
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


class Opened:
    """A page that is open, and is told nothing."""

    is_visible = False

    def __init__(self, audience: str, user: int | None = None) -> None:
        self.audience, self.viewer, self.reader = audience, user, user


def process() -> Presence:
    """Return the presence of another process."""
    return Presence(game_service(), {kind: hub().source(kind) for kind in KINDS})


def open_pages(pages: Presence, topic: Topic, counts: Counter[str]) -> None:
    """Open just so many pages of a topic, by audience, and close the others."""
    for page in list(pages.sockets(topic)):
        pages.remove(topic, page)
    for audience in counts.elements():
        pages.add(topic, Opened(audience))


async def share(pages: Presence, **counts: Counter[str]) -> None:
    """Open just so many pages of games by slug, and exchange them."""
    for slug, each in counts.items():
        open_pages(pages, ("game", slug), each)
    await pages.exchange()


async def test_the_counts_of_other_processes_are_added_up(at_work):
    one, other, third = (process() for _ in range(3))
    await share(one, x=Counter(white=1, spectator=2))
    await share(other, x=Counter(spectator=3), y=Counter(black=4))
    await third.exchange()
    assert third.everywhere(X) == Counter(white=1, spectator=5)
    assert third.everywhere(("game", "y")) == Counter(black=4)
    assert other.everywhere(X) == Counter(white=1, spectator=5)


async def test_a_row_that_is_not_repeated_expires_and_is_deleted(at_work, clock):
    one, other = (process() for _ in range(2))
    await share(one, x=Counter(white=1))
    clock.at += EXPIRY_MS - 1
    await other.exchange()
    assert other.everywhere(X) == Counter(white=1)
    clock.at += 1
    await other.exchange()
    assert not other.everywhere(X)
    clock.at += REPEAT_MS
    await other.exchange()
    assert await game_service().run_in_db_thread(ProcessPresence.objects.count) == 1


async def test_a_row_without_a_change_is_repeated_before_it_expires(at_work, clock):
    one, other = (process() for _ in range(2))
    for _ in range(EXPIRY_MS // 1_000 + 1):
        await share(one, x=Counter(white=1))
        clock.at += 1_000
    await other.exchange()
    assert other.everywhere(X) == Counter(white=1)


async def test_a_row_that_was_read_is_not_read_again_until_it_is_rewritten(
    at_work, clock, django_assert_num_queries
):
    one, other = (process() for _ in range(2))
    await share(one, x=Counter(white=1))
    read = game_service().run_in_db_thread
    known = await read(presence.read_rows, "another", {})

    def read_again() -> presence.Rows:
        with django_assert_num_queries(1):
            return presence.read_rows("another", known)

    assert await read(read_again) == known
    clock.at += 1
    await share(one, x=Counter(white=2))
    await other.exchange()
    assert other.everywhere(X) == Counter(white=2)


async def test_an_exchange_tells_what_has_changed_and_which_audiences_are_gone(at_work, clock):
    one, other, third = (process() for _ in range(3))
    await share(one, x=Counter(white=1, spectator=2), y=Counter(black=1))
    await share(other, x=Counter(spectator=3))
    assert await third.exchange() == {X: set(), ("game", "y"): set()}
    clock.at += REPEAT_MS
    await share(one, x=Counter(), y=Counter(black=1))
    await other.exchange()
    assert await third.exchange() == {X: {"white"}}
    assert await third.exchange() == {}


async def test_a_process_that_ends_takes_its_counts_with_it(at_work):
    one, other = (process() for _ in range(2))
    await share(one, x=Counter(white=1))
    await one.delete()
    await other.exchange()
    assert not other.everywhere(X)


async def test_the_users_of_other_processes_are_here_while_their_rows_last(
    at_work, clock, monkeypatch
):
    one, other = (process() for _ in range(2))
    monkeypatch.setattr(presence, "open_users", lambda: frozenset({7}))
    await one.exchange()
    monkeypatch.setattr(presence, "open_users", frozenset)
    await other.exchange()
    assert (one.users_elsewhere(), other.users_elsewhere()) == (set(), {7})
    clock.at += EXPIRY_MS
    await other.exchange()
    assert other.users_elsewhere() == set()


async def test_who_closes_the_last_page_of_a_lobby_has_departed_unless_they_come_back(
    at_work, clock
):
    pages, topic, user = process(), ("lobby", "x"), 7
    first, second = Opened("7|en", user), Opened("7|tr", user)
    for page in (first, second):
        pages.add(topic, page)
    pages.remove(topic, first)
    assert pages.users("lobby") == {("x", user)}
    pages.remove(topic, second)
    assert (pages.users("lobby"), pages.take_departed("lobby", 1)) == (set(), {})
    clock.at += 1
    pages.add(topic, first)
    assert pages.take_departed("lobby", 0) == {}
    pages.remove(topic, first)
    assert pages.take_departed("search", 0) == {}
    assert pages.take_departed("lobby", 0) == {("x", user): clock.at}
    assert pages.take_departed("lobby", 0) == {}


@pytest.mark.embedded("a process without a channel layer")
async def test_a_process_alone_writes_no_row(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await ada.next("game")
        await hub().exchange_presence()
        assert hub().presence._changed == set()
    assert await game_service().run_in_db_thread(ProcessPresence.objects.count) == 0


async def test_a_player_who_leaves_another_process_is_shown_absent_at_once(
    table, people, monkeypatch
):
    monkeypatch.setattr(ProcessChannel, "is_alone", False)
    game, other = await table("pincer"), process()
    async with Page(game.slug, people[0]) as ada:
        await share(other, **{game.slug: Counter(black=1, spectator=2)})
        await hub().exchange_presence()
        await told(ada, ["white", "black"], 2)
        await other.delete()
        await hub().exchange_presence()
        await told(ada, ["white"], 0)


async def told(page: Page, here: list[str], watchers: int) -> None:
    """Wait until a page is told who is there, and the number of spectators."""
    while True:
        frame = await page.next_due("people")
        if (frame["here"], frame["watchers"]) == (here, watchers):
            return
