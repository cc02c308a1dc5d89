"""Readings of the lists: immediate ones, and those in the background of requests."""

import json
import re
from collections.abc import Callable
from threading import Event, current_thread

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.models import F
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import account_service
from accounts.models import User
from games.catalogue import PINCER
from games.core import assemble_joint
from lobby import lobby_service
from lobby.listed_games import read_stamp
from lobby.lobby_options import NO_CLOCK, Options
from lobby.models import Lobby
from page_cache.shared_page import PAGES, CachedPage
from pages import list_readings, page_lists
from pages.list_readings import MAX_AGE_MS, Reading, State, compare
from pages.page_lists import (
    MAX_MOVED_AGE_MS,
    MAX_READS_AT_ONCE,
    PAGE_LISTS,
    REFRESH_MOVED_MS,
    REFRESH_MS,
)
from play.domain import clocks
from play.models import Game
from tests.support.page_visitors import ended, game_of

pytestmark = pytest.mark.django_db(transaction=True)  # the thread has a connection of its own
OPTIONS = Options("pincer", NO_CLOCK, "white", True)
THREAD = "quiver-page-lists"


class Clock:
    """The time of readings, which passes when a test says so."""

    def __init__(self) -> None:
        self.at = clocks.now()

    def __call__(self) -> int:
        return self.at


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(list_readings, "now", clock)
    return clock


@pytest.fixture
def game(ada, bob) -> Game:
    """A running game in which somebody has moved, beside an open lobby."""
    lobby_service.create(bob, OPTIONS)
    game = game_of(ada, bob)
    move(game)
    return game


def move(game: Game, **columns: object) -> None:
    """A change of a running game, as the commit of an action writes it."""
    counts = {"rev": F("rev") + 1, "step": F("step") + 1}
    Game.objects.filter(pk=game.pk).update(**counts, changed=clocks.now(), **columns)


def revs(reading: Reading) -> int | None:
    return reading.stamp.game_revs


def page_of(path: str, language: str = "en") -> str:
    cache.clear()  # the counts of views
    response = Client().get(path, headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


def test_a_move_is_read_beside_requests(game, clock, django_assert_num_queries) -> None:
    first = PAGE_LISTS.read()
    move(game)
    assert PAGE_LISTS.read() is first
    clock.at += REFRESH_MOVED_MS
    with django_assert_num_queries(2):  # the stamp and the names
        assert PAGE_LISTS.read() is first
    PAGE_LISTS.finish_refreshes()
    second = PAGE_LISTS.read()
    assert revs(second) == revs(first) + 1
    assert compare(second) is State.CURRENT


def test_a_request_reads_by_itself_if_the_last_reading_is_long_before_a_move(game, clock) -> None:
    first = PAGE_LISTS.read()
    move(game)
    clock.at += MAX_MOVED_AGE_MS
    assert revs(PAGE_LISTS.read()) == revs(first) + 1


def test_an_unchanged_reading_is_replaced_beside_requests_before_it_is_too_old(game, clock) -> None:
    first = PAGE_LISTS.read()
    clock.at += REFRESH_MS
    assert PAGE_LISTS.read() is first
    PAGE_LISTS.finish_refreshes()
    second = PAGE_LISTS.read()
    assert second is not first and second.at == clock.at
    clock.at += MAX_AGE_MS
    assert PAGE_LISTS.read() is not second  # nobody asked meanwhile


def open_lobby(game: Game, host: User) -> None:
    lobby_service.create(host, OPTIONS)


def close_lobby(game: Game, host: User) -> None:
    lobby = Lobby.objects.get()
    lobby_service.close(lobby.code, lobby.host)


def begin_game(game: Game, host: User) -> None:
    game_of(host, User.objects.get(username="bob"))


def end_game(game: Game, host: User) -> None:
    ended(game, "white", "resigned")


def rename(game: Game, host: User) -> None:
    account_service.rename_user(host, "Ferdinand")


def suspend(game: Game, host: User) -> None:
    User.objects.filter(pk=host.pk).update(is_active=False)


CHANGES = [open_lobby, close_lobby, begin_game, end_game, rename, suspend]


@pytest.mark.parametrize("change", CHANGES)
def test_all_but_a_move_shows_at_once_also_while_a_thread_reads(
    game, ada, clock, change: Callable[[Game, User], None], reading_stops
) -> None:
    PAGE_LISTS.read()
    move(game)
    clock.at += REFRESH_MOVED_MS
    with reading_stops():
        PAGE_LISTS.read()  # the thread has its stamp and waits
        change(game, ada)
        read = PAGE_LISTS.read()
        assert compare(read) is State.CURRENT
    PAGE_LISTS.finish_refreshes()
    assert PAGE_LISTS.read() is read  # the thread's older one takes the place of none


class StoppedReading:
    """Holds the thread's reading after its stamp while the block runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._stamped, self._may_end, read = Event(), Event(), list_readings.stored_lists

        def wait_then_read(key: str) -> object:
            if current_thread().name.startswith(THREAD):
                self._stamped.set()
                assert self._may_end.wait(60)
            return read(key)

        monkeypatch.setattr(list_readings, "stored_lists", wait_then_read)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        assert self._stamped.wait(60)
        self._may_end.set()


@pytest.fixture
def reading_stops(monkeypatch) -> Callable[[], StoppedReading]:
    return lambda: StoppedReading(monkeypatch)


def test_one_thread_reads_for_all_requests(game, clock, reading_stops, monkeypatch) -> None:
    first, keys = PAGE_LISTS.read(), []
    read = page_lists.read_lists
    monkeypatch.setattr(
        page_lists, "read_lists", lambda key, *rest: keys.append(key) or read(key, *rest)
    )
    move(game)
    clock.at += REFRESH_MOVED_MS
    with reading_stops():
        assert {PAGE_LISTS.read().number for _ in range(20)} == {first.number}
        clock.at += MAX_MOVED_AGE_MS  # the thread reads already
        assert PAGE_LISTS.read() is first
    PAGE_LISTS.finish_refreshes()
    assert keys == [""]


def test_a_failed_refresh_is_logged_and_the_next_request_reads(
    game, clock, monkeypatch, records
) -> None:
    first, read = PAGE_LISTS.read(), list_readings.stored_lists

    def fail_in_the_thread(key: str) -> object:
        if current_thread().name.startswith(THREAD):
            raise ValueError("a damaged row")
        return read(key)

    monkeypatch.setattr(list_readings, "stored_lists", fail_in_the_thread)
    move(game)
    clock.at += REFRESH_MOVED_MS
    assert PAGE_LISTS.read() is first
    PAGE_LISTS.finish_refreshes()
    events = [record.get("event") for record in records.as_json()]
    assert events.count("page_lists_refresh_failed") == 1
    second = PAGE_LISTS.read()
    assert revs(second) == revs(first) + 1 and compare(second) is State.CURRENT


def test_the_thread_holds_a_connection_of_sqlite_and_none_of_a_pool(game, clock) -> None:
    PAGE_LISTS.read()
    clock.at += REFRESH_MS
    PAGE_LISTS.read()
    PAGE_LISTS.finish_refreshes()
    held = PAGE_LISTS._thread.submit(lambda: connection.connection is not None).result()
    assert held == (connection.vendor == "sqlite")


def test_readings_in_requests_are_limited_while_games_begin(ada, bob, clock, monkeypatch) -> None:
    monkeypatch.setattr(page_lists, "READS_PER_S", 0)
    numbers = [PAGE_LISTS.read().number]
    for _ in range(2 * MAX_READS_AT_ONCE):
        game_of(ada, bob)
        numbers.append(PAGE_LISTS.read().number)
    assert len(set(numbers)) == 1 + MAX_READS_AT_ONCE
    clock.at += MAX_AGE_MS
    assert PAGE_LISTS.read().number not in numbers


def drawn(number: int) -> dict[object, CachedPage]:
    """The cached pages of a reading by all but their version."""
    return {key[:-1]: page for key, (page, _) in PAGES._values.items() if key[-1] == number}


def test_pages_that_are_asked_for_are_drawn_before_a_new_reading_is_shown(game, clock) -> None:
    asked = [("/", "en"), ("/watch/", "en"), ("/watch/", "tr")]
    for path, language in asked:
        page_of(path, language)
    first = PAGE_LISTS.read()
    move(game)
    clock.at += REFRESH_MOVED_MS
    PAGE_LISTS.read()
    PAGE_LISTS.finish_refreshes()
    second = PAGE_LISTS.read()
    beforehand = drawn(second.number)
    assert beforehand.keys() == drawn(first.number).keys() and len(beforehand) == len(asked)
    pages = {each: page_of(*each) for each in asked}
    PAGES.clear()
    for (path, language), page in pages.items():  # as a request draws them
        assert without_times(page) == without_times(page_of(path, language))


def without_times(page: str) -> str:
    """The page without what differs between any two requests."""
    return re.sub(
        r'name="csrfmiddlewaretoken" value="\w+"|"(now|age)": \d+|data-session="\w+"'
        r'|data-text="age">[^<]*',
        "",
        page,
    )


def test_a_page_shows_the_move_that_was_read_beside_requests(game, clock) -> None:
    def turns() -> int:
        found = re.search(r'id="lists-now" type="application/json">(.*?)</script>', page_of("/"))
        return json.loads(found[1])["featured"]["turns"]  # type: ignore[index]

    assert turns() == 0
    move(game, position=position_after_a_turn(game))
    clock.at += REFRESH_MOVED_MS
    assert turns() == 0
    PAGE_LISTS.finish_refreshes()
    assert turns() == 1


def position_after_a_turn(game: Game) -> str:
    state = PINCER.read(game.position)
    while PINCER.turns(state) == 0:
        (role,) = PINCER.control(state)
        action = next(iter(PINCER.choices(state, role)))
        state = PINCER.play(state, assemble_joint(PINCER, state, {role: action}))
    return PINCER.write(state)


STEPS = st.lists(
    st.sampled_from(["move", "wait", "settle", "open_lobby", "begin_game", "end_game", "rename"]),
    max_size=12,
)


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_a_shown_reading_lacks_nothing_but_moves(ada, bob, clock, monkeypatch, steps) -> None:
    monkeypatch.setattr(page_lists, "READS_PER_S", 1e9)
    games = [game_of(ada, bob)]
    for number, step in enumerate(steps):
        if step == "move" and games:
            move(games[-1])
        elif step == "wait":
            clock.at += REFRESH_MOVED_MS
        elif step == "settle":
            PAGE_LISTS.finish_refreshes()
        elif step == "open_lobby":
            lobby_service.create(bob, OPTIONS)
        elif step == "begin_game":
            games.append(game_of(ada, bob))
        elif step == "end_game" and games:
            ended(games.pop(), "white", "resigned", step=1)
        elif step == "rename":
            User.objects.filter(pk=ada.pk).update(username=f"ada-{clocks.now()}-{number}")
        read = PAGE_LISTS.read()
        assert read.stamp.has_only_moved(read_stamp())
        assert compare(read) is not State.CHANGED
    PAGE_LISTS.finish_refreshes()
