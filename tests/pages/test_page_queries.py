"""Limits on the number of queries of each page; no query is made twice."""

from collections import Counter

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.page_visitors import at_home, game_of, someone

pytestmark = pytest.mark.django_db
# With lists and parts of pages kept. A reader without games costs four more: session, user,
# whether there are games or lobbies, and the bell.
OF_STRANGERS = {"/": 0, "/watch/": 0, "/learn/": 0, "/learn/pincer/": 0, "/about/": 0}
OF_READERS = 4
RUNNING_GAME = 1


def queries_of(browser: Client, path: str) -> list[str]:
    browser.get(path)
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(path).status_code == 200
    return [each["sql"] for each in queries.captured_queries]


@pytest.mark.parametrize(("path", "most"), OF_STRANGERS.items())
def test_a_page_makes_few_queries_and_none_twice(path: str, most: int, kept_lists) -> None:
    _, reader = at_home("ada")
    player, busy = at_home("bob")
    game_of(someone("cy"), player)
    for browser, allowed in (
        (Client(), most),
        (reader, most + OF_READERS),
        (busy, most + OF_READERS + RUNNING_GAME),
    ):
        asked = queries_of(browser, path)
        assert len(asked) <= allowed, asked
        assert max(Counter(asked).values(), default=0) <= 1, asked


def test_a_post_without_a_session_makes_no_query() -> None:
    someone("ada")
    with CaptureQueriesContext(connection) as queries:
        answer = Client().post("/language/setlang/", {"language": "en", "next": "/"})
    assert (answer.status_code, len(queries)) == (302, 0)


def test_a_session_and_its_user_are_read_once_a_request() -> None:
    _, browser = at_home("ada")
    asked = queries_of(browser, "/learn/")
    for table in ("accounts_session", "accounts_user"):
        assert sum(f'FROM "{table}"' in sql for sql in asked) == 1
