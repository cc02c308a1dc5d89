"""Pages of the leaderboards: rows, the reader's own row, empty leaderboards, cursors, the cache."""

import html
import re
from collections import Counter

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import account_service
from accounts.models import User
from accounts.people.guests import new_guest
from accounts.public_profile.avatar import avatar_svg
from games.rating.pools import POOLS, Pool, Speed
from ratings.leaderboards import leaderboard_reads
from ratings.leaderboards.leaderboard_pass import make_pass
from ratings.rules.generations import rebuild
from tests.ratings.leaderboards.rated_pools import (
    AT,
    Played,
    append_log,
    fold_log,
    round_robin,
)
from tests.support.page_visitors import browser_of, kept_texts, text_of
from tests.support.rated_games import create_accounts

pytestmark = pytest.mark.django_db
BOARD, BLOTTO = "/ratings/pincer/live/", "/ratings/blotto/days/"
OF_READERS = 4  # session, user, games and the bell, as in test_page_queries


@pytest.fixture(autouse=True)
def at_that_time(monkeypatch) -> None:
    monkeypatch.setattr("ratings.leaderboards.own_context.now", lambda: AT)


@pytest.fixture
def four(db) -> list[User]:
    return create_accounts("ada", "bob", "cyn", "dan")


def names_of(page) -> list[str]:
    """The names in the rows of tables, from the top."""
    names = (
        r'<th scope="row"><a href="/u/[^"]+"><svg class="avatar.*?</svg>(?:<span[^>]*>)?([^<]+)<'
    )
    return re.findall(names, page.content.decode())


def said_on(page) -> str:
    return html.unescape(text_of(page))


def test_a_board_shows_place_name_rating_and_margin(four) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    page = Client().get(BOARD)
    assert names_of(page) == ["ada", "bob", "cyn", "dan"]
    assert re.search(r" 1 ada 1[5-9]\d\d ± \d+ 0 6 ", said_on(page))
    assert "Pincer: live games" in said_on(page)
    assert "needed" not in said_on(page)


def test_the_own_row_is_shown_on_every_page(four, monkeypatch) -> None:
    monkeypatch.setattr(leaderboard_reads, "ROWS_A_PAGE", 2)
    monkeypatch.setattr("ratings.leaderboards.leaderboard_context.ROWS_A_PAGE", 2)
    fold_log(four, round_robin())
    make_pass("test", AT)
    browser = browser_of(four[3])
    first = browser.get(BOARD)
    assert names_of(first) == ["You", "ada", "bob"]
    assert re.search(r" 4 You \d+ ± \d+ 0 6 ", said_on(first))
    assert avatar_svg("dan") in first.content.decode()
    next_page = re.search(r'rel="next" href="(\?after=\d+)"', first.content.decode())
    assert next_page is not None
    second = browser.get(BOARD + next_page[1])
    assert names_of(second) == ["You", "cyn", "dan"]
    assert 'rel="next"' not in second.content.decode()
    assert 'href="/ratings/pincer/live/"' in second.content.decode()


def test_the_own_row_has_the_numbers_of_the_last_game(four) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    append_log(four, [Played(3, other, days_ago=0) for other in range(3)] * 8)
    rebuild("test")  # stands for the applier
    page = browser_of(four[3]).get(BOARD)
    assert re.search(r" 1 You 1[5-9]\d\d ± ", said_on(page))
    assert re.search(r" 4 dan 1[0-4]\d\d ± ", said_on(page))


def test_a_reader_without_a_row_is_told_what_is_missing(four) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    (eve,) = create_accounts("eve")
    page = browser_of(eve).get(BOARD)
    assert "In the last 90 days: 0 of 5 rated games, 0 of 3 opponents." in said_on(page)
    assert 'href="/new/?game=pincer"' in page.content.decode()
    people = [*four, eve]
    fold_log(people, [Played(4, 0), *[Played(4, 1)] * 6])
    page = browser_of(eve).get(BOARD)
    assert "5 of 5 rated games, 2 of 3 opponents. Opponents count once" in said_on(page)
    assert "You" not in names_of(page)


@pytest.mark.parametrize("who", ["stranger", "guest"])
def test_who_has_no_account_is_told_to_sign_up(four, who) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    browser = Client() if who == "stranger" else browser_of(new_guest(""))
    page = browser.get(BOARD)
    assert "Only games between people with accounts are rated." in said_on(page)
    assert "not on this leaderboard" not in said_on(page)


def test_an_empty_board_says_how_many_are_missing(four) -> None:
    assert "Three players are needed for this leaderboard" in said_on(Client().get(BOARD))
    fold_log(four, [*[Played(0, n) for n in (1, 2, 3, 1, 2)], Played(1, 2), Played(2, 3)])
    make_pass("test", AT)
    page = browser_of(four[0]).get(BOARD)
    assert "Two more players are needed for this leaderboard: five rated games" in said_on(page)
    assert "You have played enough for this leaderboard." in said_on(page)
    assert "<table" not in page.content.decode()
    assert 'href="/new/?game=pincer"' in page.content.decode()
    fold_log(four, [Played(1, n) for n in (3, 3)])
    make_pass("test", AT)
    assert "One more player is needed for this leaderboard" in said_on(Client().get(BOARD))
    assert "One more player is needed" in said_on(Client().get(f"{BOARD}?after=7"))


def test_blotto_says_that_luck_weighs_more() -> None:
    assert "Luck weighs more in Blotto" in said_on(Client().get(BLOTTO))
    assert "Luck" not in said_on(Client().get(BOARD))


def test_suspended_deleted_and_renamed_people_are_right_at_once(four) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    browser = Client()
    for address in (BOARD, "/ratings/", "/ratings/combined/"):
        assert "bob" in names_of(browser.get(address))
    account_service.rename_user(four[1], "Bertram")
    account_service.suspend(four[2].pk)
    for address in (BOARD, "/ratings/", "/ratings/combined/"):
        assert set(names_of(browser.get(address))) == {"ada", "Bertram", "dan"}
    account_service.delete_user(four[3].pk)
    page = browser.get(BOARD)
    assert names_of(page) == []  # two people are no leaderboard
    assert "One more player is needed" in said_on(page)
    assert names_of(browser.get("/ratings/")) == names_of(browser.get("/ratings/combined/"))


@pytest.mark.parametrize(
    "after", ["-1", "x", "1.5", "9" * 10, "1 ", "٣", "%00", "1%00", "1;DROP", "0x1", "+1"]
)
def test_a_cursor_that_is_none_is_not_found(four, after) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    for address in (BOARD, "/ratings/combined/"):
        assert Client().get(f"{address}?after={after}").status_code == 404


def test_a_cursor_behind_the_end_says_so(four) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    for address in (BOARD, "/ratings/combined/"):
        for after in ("4", "999999999"):
            page = Client().get(f"{address}?after={after}")
            assert page.status_code == 200
            assert "No places after this one." in said_on(page)
            assert f'href="{address}"' in page.content.decode()


@pytest.mark.parametrize(
    "address", ["/ratings/pincer/fast/", "/ratings/chess/live/", "/ratings/-/-/"]
)
def test_an_unknown_board_is_not_found(address) -> None:
    assert Client().get(address).status_code == 404


def test_all_boards_can_be_reached_from_the_overview() -> None:
    page = Client().get("/ratings/").content.decode()
    for pool in POOLS:
        assert f'href="/ratings/{pool.rules}/{pool.speed}/"' in page
        assert Client().get(f"/ratings/{pool.rules}/{pool.speed}/").status_code == 200
    assert 'href="/ratings/combined/"' in page
    assert 'href="/ratings/"' in Client().get("/").content.decode()
    assert 'href="/ratings/"' in Client().get("/players/").content.decode()


def test_the_overview_shows_tops_gains_and_the_readers_places(four) -> None:
    slow = Pool("blotto", Speed.DAYS)
    old = [*round_robin(days_ago=20), *round_robin(days_ago=20, pool=slow)]
    fold_log(four, [*old, *[Played(3, 0, days_ago=1)] * 3])
    make_pass("test", AT)
    page = browser_of(four[1]).get("/ratings/")
    told = said_on(page)
    assert re.search(r"Your places .* Blotto: games by days 2 \d+ ± \d+ Pincer: live games", told)
    assert re.search(r"Gains of the last 7 days .* dan Pincer Live \+\d+ ", told)
    assert told.count("Three players needed.") == 8
    stranger = said_on(Client().get("/ratings/"))
    assert "Your places" not in stranger and "All five games" in stranger


def test_the_combined_table_shows_the_own_row(four) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    page = browser_of(four[0]).get("/ratings/combined/")
    assert names_of(page) == ["You", "ada", "bob", "cyn", "dan"]
    assert page.content.decode().count(avatar_svg("ada")) == 4  # two in the header
    assert re.search(r" 1 You 17\.5 1 of 5 1 ada 17\.5 1 of 5 ", said_on(page))
    (eve,) = create_accounts("eve")
    assert "You’re not in this table yet." in said_on(browser_of(eve).get("/ratings/combined/"))


def test_the_page_of_a_rating_leads_to_its_board(four) -> None:
    fold_log(four, [Played(0, 1)])
    assert f'href="{BOARD}"' in Client().get("/u/ada/ratings/pincer/live/").content.decode()


@pytest.mark.parametrize(
    ("address", "most", "own"),
    [(BOARD, 2, 5), (f"{BOARD}?after=1", 3, 5), ("/ratings/", 4, 1), ("/ratings/combined/", 2, 1)],
)
def test_a_page_makes_few_queries_and_none_twice(four, address, most, own) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    for browser, allowed in ((Client(), most), (browser_of(four[0]), most + OF_READERS + own)):
        browser.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(address).status_code == 200
        asked = [each["sql"] for each in queries.captured_queries]
        assert len(asked) <= allowed, asked
        assert max(Counter(asked).values()) == 1, asked


def test_the_cached_part_has_nothing_about_the_reader(four) -> None:
    fold_log(four, round_robin())
    make_pass("test", AT)
    (reader,) = create_accounts("Annabel")
    browser = browser_of(reader)
    pages = [browser.get(path) for path in (BOARD, "/ratings/", "/ratings/combined/", BLOTTO)]
    assert all("Annabel" in page.content.decode() for page in pages)
    kept = "".join(kept_texts())
    assert "ada" in kept
    assert "Annabel" not in kept
    assert "You’re not on this leaderboard yet" not in html.unescape(kept)
    assert browser.cookies["sessionid"].value not in kept
