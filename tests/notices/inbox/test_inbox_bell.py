"""The bell on pages and over sockets: numbers, read marks, queries."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisCase

from notices.inbox import inbox
from notices.inbox.inbox import MAX_BELL_ROWS, count_unread, unread_of
from notices.inbox.inbox_topic import NoticesSource, load_all_unread, load_unread
from notices.models import Kind, Notice, Preferences
from notices.records import mark_read
from play.domain.clocks import now
from play.runtime.game_service import GameService
from tests.support.loop_runtime import is_silent
from tests.support.notice_games import record_notice
from tests.support.page_visitors import Watcher, at_home, game_of, someone, text_of

pytestmark = pytest.mark.django_db
HOUR_MS = 3_600_000
TURN = {"rules": "pincer", "opponent": "bob", "deadline": None, "is_first": False}
NEWEST, READ, PAGE = "/notifications/newest.json", "/notifications/read/", "/notifications/"
JSON = {"HTTP_ACCEPT": "application/json"}


def told(user, subject: str = "a", serial: int = 0, kind: Kind = Kind.TURN, **about) -> int:
    """Record a notice; return its id."""
    data = about.pop("data", TURN)
    assert record_notice(user.pk, kind, subject, serial, data=data, **about)
    return Notice.objects.get(user=user, kind=kind, subject=subject, serial=serial).pk


def bell_of(browser: Client, page: str = "/watch/") -> str | None:
    """Return what the bell of a page says; None if there is none."""
    text = browser.get(page).content.decode()
    found = re.search(r'id="bell".*?aria-label="([^"]*)"', text, re.S)
    return found and found[1]


def rows_of(browser: Client) -> list[dict]:
    return browser.get(NEWEST).json()["rows"]


def test_a_visitor_has_no_bell_and_pays_no_query(client) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert bell_of(client) is None
    assert not [query for query in queries if "notices" in query["sql"]]
    assert client.get(NEWEST).status_code == client.post(READ, {"all": "1"}).status_code == 403
    assert client.get(PAGE).headers["Location"] == f"/log-in/?next={PAGE}"


def test_a_user_without_unread_ones_pays_one_query() -> None:
    _, browser = at_home("ada")
    with CaptureQueriesContext(connection) as queries:
        assert bell_of(browser) == "Notifications"
    assert len([query for query in queries if "notices" in query["sql"]]) == 1


def test_the_bell_counts_what_is_unread_open_and_due() -> None:
    ada, browser = at_home("ada")
    at = now()
    told(ada, "a")
    told(ada, "b", due=at + HOUR_MS)  # a warning of later
    read, closed = told(ada, "c"), told(ada, "d")
    mark_read(ada.pk, [read], now())
    Notice.objects.filter(pk=closed).update(closed=at)
    told(someone("bob"), "e")
    assert bell_of(browser) == "Notifications (1)"
    assert load_unread(str(ada.pk)).count == 1


def test_a_kind_that_the_bell_is_not_to_show_is_neither_counted_nor_listed() -> None:
    ada, browser = at_home("ada")
    told(ada)
    Preferences.objects.create(user=ada, channels={"turn": ["push"]})
    assert bell_of(browser) == "Notifications"
    assert rows_of(browser) == []
    assert load_unread(str(ada.pk)).count == 0


def test_the_sheet_shows_the_newest_and_fetching_it_changes_nothing() -> None:
    ada, browser = at_home("ada")
    at = now()
    for serial in range(MAX_BELL_ROWS + 3):
        told(ada, "a", serial, due=at - 1000 * (20 - serial))
    rows = rows_of(browser)
    assert len(rows) == MAX_BELL_ROWS
    assert rows[0]["title"] == "Your turn against bob"
    assert rows[0]["id"] > rows[-1]["id"]
    assert all(row["is_unread"] for row in rows_of(browser))


def test_read_marks_are_for_own_notices_only() -> None:
    ada, browser = at_home("ada")
    bob = someone("bob")
    own, other, foreign = told(ada, "a"), told(ada, "b"), told(bob)
    answer = browser.post(READ, {"id": [own, foreign, 10**15]}, **JSON)
    assert answer.json() == {"unread": 1}
    unread = set(Notice.objects.unread().values_list("pk", flat=True))
    assert unread == {other, foreign}


def test_a_subject_is_read_as_a_whole() -> None:
    ada, browser = at_home("ada")
    told(ada, "a", 1), told(ada, "a", 2, Kind.HALF), told(ada, "b")
    assert browser.post(READ, {"subject": "a"}, **JSON).json() == {"unread": 1}


def test_without_scripts_a_form_marks_all_as_read() -> None:
    ada, browser = at_home("ada")
    told(ada, "a"), told(ada, "b")
    answer = browser.post(READ, {"all": "1"}, HTTP_ACCEPT="text/html")
    assert answer.headers["Location"] == PAGE
    assert unread_of(ada.pk, now()) == []
    assert "Mark all as read" not in text_of(browser.get(PAGE))


@pytest.mark.parametrize("ids", [["x"], ["-1"], ["1", "1.5"], ["9" * 19], ["１"], [""]])
def test_ids_that_are_no_numbers_are_refused_and_change_nothing(ids: list[str]) -> None:
    ada, browser = at_home("ada")
    told(ada)
    assert browser.post(READ, {"id": ids}, **JSON).status_code == 400
    assert len(unread_of(ada.pk, now())) == 1


def test_read_marks_are_no_matter_of_a_get() -> None:
    _, browser = at_home("ada")
    assert browser.get(READ).url == "/notifications/"
    assert browser.post(NEWEST).status_code == 405


def test_a_read_mark_of_another_site_is_refused() -> None:
    ada, _ = at_home("ada")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada)
    told(ada)
    assert strict.post(READ, {"all": "1"}, **JSON).status_code == 403
    assert len(unread_of(ada.pk, now())) == 1


def test_the_page_of_a_game_reads_what_is_about_it() -> None:
    ada, browser = at_home("ada")
    game = game_of(ada, someone("bob"))
    told(ada, game.slug), told(ada, "other")
    where = game.get_absolute_url()
    assert browser.get(where, headers={"Sec-Purpose": "prefetch;prerender"}).status_code == 200
    assert browser.head(where).status_code == 200
    assert bell_of(browser) == "Notifications (2)"
    assert bell_of(browser, where) == "Notifications (1)"
    assert bell_of(browser) == "Notifications (1)"
    with CaptureQueriesContext(connection) as queries:
        browser.get(where)
    assert not [query for query in queries if query["sql"].startswith('UPDATE "notices')]


def test_another_visitors_look_at_a_game_reads_nothing_of_its_players() -> None:
    ada, _ = at_home("ada")
    bob, other = at_home("bob")
    game = game_of(ada, bob)
    told(ada, game.slug)
    other.get(game.get_absolute_url())
    assert len(unread_of(ada.pk, now())) == 1


def test_the_page_lists_days_in_the_users_time_zone() -> None:
    ada, browser = at_home("ada")
    at = now()
    told(ada, "a", due=at - 5000)
    told(ada, "b", due=at - 3 * 24 * HOUR_MS)
    page = text_of(browser.get(PAGE))
    assert page.index("Today") < page.index("Your turn against bob")
    assert "Mark all as read" in page
    assert page.count("New Your turn against bob") == 2


def test_an_empty_page_says_so() -> None:
    _, browser = at_home("ada")
    assert "Nothing yet." in text_of(browser.get(PAGE))


def test_a_notice_that_cannot_be_read_is_left_out(caplog) -> None:
    ada, browser = at_home("ada")
    told(ada, "a", kind=Kind.MODERATION, data={"what": "knighted"})
    whole = told(ada, "b")
    assert [row["id"] for row in rows_of(browser)] == [whole]
    assert caplog.records


def test_many_users_revs_take_one_query() -> None:
    users = [someone(f"user-{number}") for number in range(6)]
    for user in users[1:]:
        told(user)
    idents = [str(user.pk) for user in users]
    source = NoticesSource(GameService())
    with CaptureQueriesContext(connection) as queries:
        revs = source.revs(idents)
    assert len(queries) == 1
    assert revs == {ident: load_unread(ident).rev for ident in idents}
    assert revs[idents[0]] == "0.0"
    assert source.revs([]) == {}
    assert source.revs(["", "x"]) == {}


def test_a_warning_shows_at_its_time_without_a_write() -> None:
    ada = someone("ada")
    source, ident = NoticesSource(GameService()), str(ada.pk)
    told(ada, "a", due=now() + 300)
    before = source.revs([ident])
    assert load_unread(ident).count == 0
    Notice.objects.update(due=now() - 1)  # as time passes; no rev of the inbox is written
    assert source.revs([ident]) != before
    assert load_unread(ident).count == 1


class ReadMarks(HypothesisCase):
    """Read marks in any order only reduce the number."""

    @settings(max_examples=30, deadline=None)
    @given(
        st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), unique=True, max_size=8),
        st.lists(st.integers(0, 7), max_size=12),
    )
    def test_each_notice_is_counted_until_it_is_read(self, notices, marks) -> None:
        ada = someone("ada")
        ids = [told(ada, subject, serial) for subject, serial in notices]
        for mark in marks:
            revs = NoticesSource(GameService()).revs([str(ada.pk)])
            changed = mark_read(ada.pk, ids[mark : mark + 1], now())
            after = NoticesSource(GameService()).revs([str(ada.pk)])
            assert (after != revs) == bool(changed)
        read = {ids[mark] for mark in marks if mark < len(ids)}
        assert load_unread(str(ada.pk)).count == len(ids) - len(read)


@pytest.mark.django_db
async def test_a_read_mark_reaches_all_pages_of_its_user_and_nobody_else(people, at_work) -> None:
    ada, bob, _ = people
    await sync_to_async(told)(ada, "a")
    await sync_to_async(told)(bob, "a")
    watch = [Watcher("notices", user, "/ws/?lang=en") for user in (ada, ada, bob)]
    async with watch[0] as one, watch[1] as two, watch[2] as other:
        for page in (one, two, other):
            assert (await page.next("notices"))["unread"] == 1

        await sync_to_async(mark_read)(ada.pk, None, now())
        for page in (one, two):  # a page may be told its first state twice
            await page.next("notices", lambda frame: frame["unread"] == 0)
        assert await is_silent(other.socket)


@pytest.mark.django_db
async def test_a_stranger_has_no_bell_on_the_socket(db, at_work) -> None:
    async with Watcher("notices", None) as page:
        assert (await page.next("ended"))["reason"] == "gone"


def test_the_bells_of_many_users_are_counted_as_each_alone(monkeypatch) -> None:
    monkeypatch.setattr(inbox, "MAX_COUNTED", 2)
    people = [someone(name) for name in ("ada", "bob", "cy", "dan")]
    for number, user in enumerate(people):
        for serial in range(number):
            told(user, "a", serial)
            told(user, "b", serial, kind=Kind.OFFER)
    Preferences.objects.create(user=people[2], channels={"turn": ["push"]})
    users, at = [user.pk for user in people], now()
    alone = {user: len(unread_of(user, at)) for user in users}
    counts = count_unread(users, at)
    assert {user: counts.get(user, 0) for user in users} == alone
    assert alone[users[3]] == 2
    idents = [str(user) for user in users]
    assert load_all_unread([*idents, "x"]) == {ident: load_unread(ident) for ident in idents}
