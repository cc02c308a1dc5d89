"""Cached parts of pages: drawn without their reader, so that nobody's name or token is in them."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.template import Engine, RequestContext
from django.test import Client, RequestFactory

from accounts import account_service
from accounts.models import Block, User
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from play.domain.clocks import now
from play.models import Game
from play.time_controls import NO_CLOCK
from tests.support.page_visitors import (
    at_home,
    browser_of,
    ended,
    game_of,
    has_word,
    kept_texts,
    text_of,
)

pytestmark = pytest.mark.django_db
GOALS = '{"white":100,"black":0}'
OPTIONS = Options("pincer", NO_CLOCK, "white", True)
CACHED = re.compile(r"{% cache (.*?)%}(.*?){% endcache %}", re.DOTALL)
INCLUDED = re.compile(r'{% include "[\w/]+\.html" (with ([\w.]+=[\w.]+ )+)?only %}')
PROCESSORS = settings.TEMPLATES[0]["OPTIONS"]["context_processors"][:2]  # request, user
TEMPLATES = sorted((Path(settings.BASE_DIR) / "templates").rglob("*.html"))


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
def paths(ada, bob) -> list[str]:
    """Pages with cached parts; the game is one of ada and bob."""
    game, pages = over(ada, bob), ["/", "/watch/", "/watch/?game=pincer", "/learn/"]
    return [*pages, "/learn/blotto/", game.get_absolute_url(), "/ratings/", "/about/"]


@pytest.mark.parametrize("path", TEMPLATES, ids=str)
def test_a_cached_part_is_one_template_without_the_context_and_in_a_language(path) -> None:
    text = path.read_text(encoding="utf-8")
    found = CACHED.findall(text)
    assert len(found) == text.count("{% cache") == text.count("{% endcache")
    for arguments, part in found:
        assert INCLUDED.fullmatch(part), part
        assert arguments.split()[2] == "LANGUAGE_CODE"
        assert not re.search(r"=(user|request|mine|bell|messages|perms|csrf_token)\b", part)


@pytest.mark.parametrize("path", ["base.html", "play/game.html", "chat/panel.html"])
def test_a_part_of_a_game_page_is_given_nothing_that_is_not_in_its_key(path: str) -> None:
    text = (Path(settings.BASE_DIR) / "templates" / path).read_text(encoding="utf-8")
    for arguments, part in CACHED.findall(text):
        given = set(re.findall(r"=([\w.]+)", part)) - {"True", "False"}
        assert given <= set(arguments.split()), part


def test_a_player_and_a_spectator_share_no_part_that_differs(ada, bob) -> None:
    path = game_of(ada, bob).get_absolute_url()
    for _ in range(2):
        own, other = page_of(browser_of(ada), path), page_of(Client(), path)
        assert 'id="typed"' in own and 'id="typed"' not in other
        assert "New opponent" in own and "New opponent" not in other


def test_the_end_of_a_game_shows_at_once_in_its_cached_parts(ada, bob) -> None:
    game, browser = game_of(ada, bob), Client()
    path = game.get_absolute_url()
    assert "Watch live" in page_of(browser, path) and "goal-note" in page_of(browser, path)
    ended(game, "white", "resigned", goals=GOALS)
    page = page_of(browser, path)
    assert page.count("ada beat bob") == 2 and "Watch live" not in page
    assert "goal-note" not in page


def test_what_is_included_without_the_context_knows_no_reader(ada) -> None:
    request = RequestFactory().get("/a-path")
    request.user = ada
    shown = "{{ user.username }}{{ request.path }}{% csrf_token %}{{ csrf_token }}"
    templates = {
        "part": shown,
        "page": '{% load cache %}{% cache 60 x "en" %}{% include "part" only %}{% endcache %}|'
        + shown,
    }
    engine = Engine(
        loaders=[("django.template.loaders.locmem.Loader", templates)],
        libraries={"cache": "django.templatetags.cache"},
        context_processors=PROCESSORS,
    )
    part, _, rest = engine.get_template("page").render(RequestContext(request)).partition("|")
    assert part == ""
    assert rest.startswith("ada/a-path<input")


def test_the_cache_holds_no_name_and_no_token_of_its_readers(paths, kept_lists) -> None:
    reader, browser = at_home("Annabel")
    lobby_service.create(reader, Options("pincer", NO_CLOCK, "white", False))
    seen = [page_of(browser, path) for path in paths]
    kept = "".join(kept_texts())
    assert "bob" in kept and "Annabel" not in kept
    for html in seen:
        assert "Annabel" in html and token_of(html) not in kept
    assert browser.cookies["csrftoken"].value not in kept
    assert browser.cookies["sessionid"].value not in kept


@pytest.mark.slow
def test_two_users_see_their_own_names_and_tokens(paths, kept_lists) -> None:
    (_, ann), (_, zoe) = at_home("Annabel"), at_home("Zoediva")
    for path in paths:
        for language in ("en", "tr"):
            first, second = page_of(ann, path, language), page_of(zoe, path, language)
            assert "Annabel" in first and "Zoediva" not in first
            assert "Zoediva" in second and "Annabel" not in second
            assert token_of(first) != token_of(second)
            stranger = page_of(Client(), path, language)
            assert "Annabel" not in stranger and "Zoediva" not in stranger


def test_cached_parts_are_in_the_language_of_their_reader(kept_lists) -> None:
    for path in ("/", "/watch/", "/learn/", "/ratings/"):
        english, turkish = page_of(Client(), path, "en"), page_of(Client(), path, "tr")
        assert has_word(english, "Watch") and not has_word(turkish, "Watch")
        assert has_word(page_of(Client(), path, "en"), "Watch")


def test_a_reader_who_logs_out_is_a_stranger_at_once(paths, kept_lists) -> None:
    _, browser = at_home("Annabel")
    for path in paths:
        assert "Annabel" in page_of(browser, path)
    browser.logout()
    for path in paths:
        assert "Annabel" not in page_of(browser, path)


def test_a_token_of_a_page_with_cached_parts_is_accepted(paths, kept_lists) -> None:
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
    page_of(Client(), "/learn/")
    count = len(kept_texts())
    for number in range(5):
        path = f"/learn/?own-{number}={'x' * 4_000}"
        html = page_of(Client(), path, f"x{number},en;q=0.1")
        assert set(re.findall(r"own-\d+", html)) == {f"own-{number}"}
    assert len(kept_texts()) == count


def test_a_reader_with_a_block_sees_none_of_the_person_and_others_do(ada, bob, kept_lists) -> None:
    reader, browser = at_home("Annabel")
    lobby_service.create(bob, OPTIONS)
    over(ada, bob)
    Block.objects.create(blocker=reader, blocked=bob, at=now())
    for path in ("/", "/watch/"):
        assert has_word(page_of(Client(), path), "bob")
        count = len(kept_texts())
        assert not has_word(page_of(browser, path), "bob")
        assert len(kept_texts()) == count
        assert has_word(page_of(Client(), path), "bob")


def test_a_rename_shows_at_once_on_the_page_of_a_game(ada, bob) -> None:
    browser = Client()
    games = [over(ada, bob), game_of(bob, ada)]
    pages = [game.get_absolute_url() for game in games]
    assert all("bob" in text_of(browser.get(path)) for path in pages)
    account_service.rename_user(bob, "Ferdinand")
    for path in pages:
        told = text_of(browser.get(path))
        assert "Ferdinand" in told and not has_word(told, "bob")


def test_the_front_page_has_one_token_however_many_lobbies_it_lists(ada, bob) -> None:
    browser = Client()
    tokens = page_of(browser, "/").count("csrfmiddlewaretoken")
    for host in (ada, bob):
        lobby_service.create(host, OPTIONS)
    page = page_of(browser, "/")
    assert page.count('form="join"') == 3 and page.count("csrfmiddlewaretoken") == tokens


def test_views_of_an_unchanged_page_read_nothing_but_its_version_and_ratings(
    ada, bob, kept_lists, django_assert_num_queries
) -> None:
    over_game, live, browser = over(ada, bob), game_of(ada, bob), Client()
    reads = (("/", 0), ("/watch/", 0), (over_game.get_absolute_url(), 2),
             (live.get_absolute_url(), 2), ("/learn/", 0))  # fmt: skip
    for path, queries in reads:
        page_of(browser, path)
        with django_assert_num_queries(queries):
            page_of(browser, path)
