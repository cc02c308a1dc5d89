"""Pages from the cache: the same as without it, and nobody's name or token in them."""

import gzip
import re
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from django.db import transaction
from django.shortcuts import render
from django.test import Client
from django.views.decorators.gzip import gzip_page
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import account_service
from accounts.models import User
from lobby import featured, lobby_service
from lobby.lobby_options import NO_CLOCK, Options
from page_cache.personal_tag import SECRET
from page_cache.shared_page import PAGES, Part
from pages import list_readings
from pages import views as pages_views
from pages.about import views as about_views
from pages.boards import views as board_views
from pages.learn import views as learn_views
from pages.page_lists import PAGE_LISTS
from play import views as play_views
from play.models import Game
from tests.support.page_visitors import at_home, ended, game_of, has_word, text_of

pytestmark = pytest.mark.django_db
GOALS = '{"white":100,"black":0}'
OPTIONS = Options("pincer", NO_CLOCK, "white", True)
VIEWS = (pages_views, learn_views, about_views, board_views, play_views)
VARYING = re.compile(
    r'(?<=name="csrfmiddlewaretoken" value=")\w{64}|(?<="now": )\d+|(?<=data-session=")\w+'
    r'|(?<="age": )\d+|(?<=data-text="age">)[^<]*'
)


def plain(html: str) -> str:
    """The page without what differs between any two requests."""
    return VARYING.sub("", html)


def page_of(browser: Client, path: str, language: str = "en") -> str:
    cache.clear()  # the counts of views
    response = browser.get(path, headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


def token_of(html: str) -> str:
    return re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html)[1]  # type: ignore[index]


def over(white: User, black: User) -> Game:
    """A game that is over, whose page can be read; lists show another one, of one step."""
    ended(game_of(white, black), "white", "resigned", step=1)
    return ended(game_of(white, black), "white", "resigned", goals=GOALS)


@pytest.fixture
def paths(ada, bob, monkeypatch) -> list[str]:
    """All shared pages; the game is one of ada and bob."""
    # It leaves the large board some seconds after its end, and no test may depend on the moment.
    monkeypatch.setattr(featured, "LINGER_MS", 60 * 60 * 1000)
    game = over(ada, bob)
    about = ["/about/", "/privacy/", "/contact/"]
    return [
        "/",
        "/watch/",
        "/watch/?game=pincer",
        "/learn/",
        "/learn/blotto/",
        game.get_absolute_url(),
        "/ratings/",
        "/ratings/pincer/live/",
        *about,
    ]


class Site:
    """People who play, rename themselves, log in and out, and look at pages."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths
        self.users = {
            "ada": User.objects.get(username="ada"),
            "bob": User.objects.get(username="bob"),
        }
        self.browsers = {"stranger": Client(), **{name: Client() for name in self.users}}
        self.count = 0

    def log_in(self, name: str) -> None:
        if name in self.users:
            self.browsers[name].force_login(self.users[name])

    def log_out(self, name: str) -> None:
        self.browsers[name].logout()

    def rename(self, name: str) -> None:
        if name in self.users:
            self.count += 1
            User.objects.filter(pk=self.users[name].pk).update(username=f"{name}-{self.count}")
            self.users[name].refresh_from_db()

    def open_game(self, name: str) -> None:
        Game.objects.filter(pk=game_of(*self.users.values()).pk).update(step=1)

    def end_game(self, name: str) -> None:
        if game := Game.objects.filter(ended=None).first():
            ended(game, "black", "time", step=1)

    def open_lobby(self, name: str) -> None:
        if name in self.users:
            lobby_service.create(self.users[name], OPTIONS)

    def look(self, name: str) -> None:
        """Everybody's pages, with the cache and without."""
        for path in self.paths:
            for language in ("en", "tr"):
                browser = self.browsers[name]
                cached = page_of(browser, path, language)
                with pytest.MonkeyPatch.context() as patch:
                    for view in VIEWS:
                        patch.setattr(view, "render_shared", render_whole)
                    PAGE_LISTS.clear()
                    whole = page_of(browser, path, language)
                assert plain(cached).splitlines() == plain(whole).splitlines(), path
                assert SECRET not in cached


def render_whole(request, template_name, version, read, own=None, note=None):
    """A page as Django renders and compresses it, without slots."""
    page = render(request, template_name, {**read(), **(own or {})})
    return gzip_page(lambda request: page)(request)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["log_in", "log_out", "rename", "open_game", "end_game", "open_lobby", "look"]
        ),
        st.sampled_from(["ada", "bob", "stranger"]),
    ),
    max_size=5,
)


@pytest.mark.slow
@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_a_cached_page_equals_the_uncached_one(paths, steps) -> None:
    PAGE_LISTS.clear()
    with transaction.atomic():
        site = Site(paths)
        for verb, name in [*steps, ("look", "stranger"), ("look", "ada")]:
            getattr(site, verb)(name)
        transaction.set_rollback(True)


def test_a_cached_page_is_in_the_language_of_its_reader():
    PAGES.clear()
    for language in ("en", "tr", "en"):
        assert f'<html lang="{language}"' in page_of(Client(), "/learn/", language)


@pytest.mark.slow
def test_two_users_see_their_own_names_and_tokens(paths) -> None:
    (_, ann), (_, zoe) = at_home("Annabel"), at_home("Zoediva")
    for path in paths:
        for language in ("en", "tr"):
            first, second = page_of(ann, path, language), page_of(zoe, path, language)
            assert "Annabel" in first and "Zoediva" not in first
            assert "Zoediva" in second and "Annabel" not in second
            assert token_of(first) != token_of(second)
            stranger = page_of(Client(), path, language)
            assert "Annabel" not in stranger and "Zoediva" not in stranger


def test_the_cache_holds_no_name_and_no_token_of_its_readers(paths) -> None:
    reader, browser = at_home("Annabel")
    lobby_service.create(reader, Options("pincer", NO_CLOCK, "white", False))
    seen = [page_of(browser, path) for path in paths]
    assert len(PAGES) >= len(paths)
    kept = b"".join(_kept_texts()).decode()
    assert "Annabel" not in kept
    for html in seen:
        assert token_of(html) not in kept
    assert browser.cookies["csrftoken"].value not in kept
    assert browser.cookies["sessionid"].value not in kept


def _kept_texts() -> Iterator[bytes]:
    for page, _ in PAGES._values.values():
        yield from (part.text for part in page.parts if isinstance(part, Part))


def test_a_reader_who_logs_out_is_a_stranger_at_once(paths) -> None:
    _, browser = at_home("Annabel")
    for path in paths:
        assert "Annabel" in page_of(browser, path)
    browser.logout()
    for path in paths:
        assert "Annabel" not in page_of(browser, path)


def test_a_token_of_a_cached_page_is_accepted(paths) -> None:
    browser = Client(enforce_csrf_checks=True)
    for path in paths:
        page_of(browser, path)
        form = {
            "language": "en",
            "next": "/",
            "csrfmiddlewaretoken": token_of(page_of(browser, path)),
        }
        assert browser.post("/language/setlang/", form).status_code == 302
    form["csrfmiddlewaretoken"] = "a" * 64
    assert browser.post("/language/setlang/", form).status_code == 403


def test_query_strings_and_unknown_languages_take_no_room() -> None:
    for number in range(20):
        path = f"/learn/?own-{number}={'x' * 4_000}"
        html = page_of(Client(), path, f"x{number},en;q=0.1")
        assert set(re.findall(r"own-\d+", html)) == {f"own-{number}"}
    assert len(PAGES) == 1


def test_a_page_that_a_head_request_has_cached_is_whole() -> None:
    assert Client().head("/learn/").status_code == 200
    assert len(PAGES) == 1
    assert 'name="next" value="/learn/"' in page_of(Client(), "/learn/")


def renamed(user: User) -> None:
    account_service.rename_user(user, "Ferdinand")


def suspended(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def test_a_rename_shows_at_once_on_all_pages(ada, bob) -> None:
    game, browser = over(ada, bob), Client()
    Game.objects.filter(pk=game_of(bob, ada, "blotto").pk).update(step=1)
    pages = ["/", "/watch/", game.get_absolute_url()]
    assert all("bob" in text_of(browser.get(path)) for path in pages)
    account_service.rename_user(bob, "Ferdinand")
    for path in pages:
        told = text_of(browser.get(path))
        assert "Ferdinand" in told and not has_word(told, "bob")


@pytest.mark.parametrize("change", [renamed, suspended])
def test_a_change_of_a_person_while_lists_are_read_shows_at_once(
    ada, bob, change: Callable[[User], None], monkeypatch
) -> None:
    over(ada, bob)
    read, changes = list_readings.newest_results, [change]

    def read_then_change(at: int) -> list[Game]:
        found = read(at)
        while changes:
            changes.pop()(bob)
        return found

    monkeypatch.setattr(list_readings, "newest_results", read_then_change)
    assert not has_word(page_of(Client(), "/"), "bob")
    assert not has_word(page_of(Client(), "/watch/"), "bob")


@pytest.mark.parametrize(
    "change",
    [
        lambda ada, bob: over(ada, bob),
        lambda ada, bob: Game.objects.filter(pk=game_of(ada, bob).pk).update(step=1),
    ],
    ids=["a game ends", "a game begins"],
)
def test_a_change_shows_at_once(ada, bob, change: Callable[[User, User], object]) -> None:
    browser = Client()
    before = page_of(browser, "/watch/")
    assert not has_word(before, "bob")
    change(ada, bob)
    assert "bob" in page_of(browser, "/watch/")


def test_a_host_sees_the_own_lobby_as_such_and_nobody_else_does(ada, bob) -> None:
    _, other = at_home("Annabel")
    _, host = at_home("Hosting")
    page_of(other, "/")
    lobby_service.create(User.objects.get(username="Hosting"), OPTIONS)
    hidden = re.compile(r'<button class="button plain" form="join" formaction="/[^>]+" hidden>')
    assert hidden.search(page_of(host, "/"))
    assert not hidden.search(page_of(other, "/"))
    assert not hidden.search(page_of(Client(), "/"))


def test_the_front_page_has_one_token_however_many_lobbies_it_lists(ada, bob) -> None:
    browser = Client()
    tokens = page_of(browser, "/").count("csrfmiddlewaretoken")
    for host in (ada, bob):
        lobby_service.create(host, OPTIONS)
    page = page_of(browser, "/")
    assert page.count('form="join"') == 3 and page.count("csrfmiddlewaretoken") == tokens


def test_views_of_an_unchanged_page_read_nothing_but_its_version_and_ratings(
    ada, bob, django_assert_num_queries
) -> None:
    game, browser = over(ada, bob), Client()
    for path, queries in (("/", 2), ("/watch/", 2), (game.get_absolute_url(), 2), ("/learn/", 0)):
        page_of(browser, path)
        with django_assert_num_queries(queries):
            page_of(browser, path)


def test_headers_are_those_of_an_uncached_page(paths, monkeypatch) -> None:
    for accepted in ("gzip", "identity"):
        browser = Client()
        cached = [browser.get(path, headers={"accept-encoding": accepted}) for path in paths]
        with pytest.MonkeyPatch.context() as patch:
            for view in VIEWS:
                patch.setattr(view, "render_shared", render_whole)
            whole = [browser.get(path, headers={"accept-encoding": accepted}) for path in paths]
        for one, other in zip(cached, whole, strict=True):
            first, second = dict(one.headers), dict(other.headers)
            for headers in (first, second):
                headers.pop("Content-Length", None)
                headers.pop("Expires", None)
                headers["Vary"] = ", ".join(sorted(headers["Vary"].split(", ")))
            assert first == second
            if accepted == "gzip":
                assert plain(gzip.decompress(one.content).decode()) == plain(
                    gzip.decompress(other.content).decode()
                )
