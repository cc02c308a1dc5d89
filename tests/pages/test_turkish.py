"""Turkish pages contain no English text."""

import re

import pytest
from django.test import Client

from assets.script_texts import catalogue, file_of
from lobby.models import Lobby
from pages.profile_texts import DRAWN, LOST, NOTHING, WON
from play.domain.clocks import now
from play.models import Game
from ratings.rules.scale import append_anchors
from tests.ratings.placement_games import end, timed, work
from tests.support.page_visitors import at_home, game_of, someone
from tests.support.rated_games import rated_game
from tests.support.sign_up_forms import LOBBY, account
from tests.support.untranslated_text import english_in, read

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
KEYS = ["amazons-10x10", "amazons-8x8", "amazons", "blotto", "pincer"]
OPEN_PAGES = [
    "/", "/watch/", "/learn/", *(f"/learn/{key}/" for key in KEYS), "/new/", "/new/?game=blotto",
    "/about/", "/how-it-works/", "/fair-play/", "/privacy/", "/terms/", "/contact/", "/source/",
    "/computer/", "/computer/?game=blotto", "/computer/?game=pincer",
    "/nowhere/", "/log-in/", "/sign-up/", "/password/reset/", "/settings/", "/suspended/",
    "/ratings/", "/ratings/blotto/live/", "/ratings/combined/",
    "/blotto-lab/", "/analysis/pincer/", "/analysis/amazons-8x8/",
    "/puzzles/", "/daily/", "/daily/archive/", "/studies/", "/studies/amazons-8x8/",
]  # fmt: skip
OWN_PAGES = [
    "/", "/settings/", "/u/qaya/", "/password/", "/e-mail/", "/ratings/pincer/days/", "/studies/",
]  # fmt: skip
TURKISH = {"HTTP_ACCEPT_LANGUAGE": "tr-TR,tr;q=0.9,en;q=0.5"}
ENGLISH = {"HTTP_ACCEPT_LANGUAGE": "en"}


def page(browser: Client, address: str, language: dict[str, str]) -> str:
    return browser.get(address, follow=True, **language).content.decode()


def check(browser: Client, address: str) -> None:
    """Finds the same text on the Turkish and the English page, and English words on the Turkish."""
    turkish, english = (page(browser, address, words) for words in (TURKISH, ENGLISH))
    assert '<html lang="tr">' in turkish
    told = read(turkish)
    assert not told & read(english), address
    assert not english_in(told), address


def over(game: Game, winner: str, reason: str) -> Game:
    Game.objects.filter(pk=game.pk).update(
        ended=1, winner=winner, reason=reason, goals='{"white":18,"black":12}'
    )
    return game


@pytest.mark.parametrize("address", OPEN_PAGES)
def test_public_pages_answer_200_to_everybody(client, address) -> None:
    game_of(someone("qaya"), someone("qurt"))
    check(client, address)


@pytest.mark.parametrize("address", OWN_PAGES)
def test_pages_of_somebody_with_an_account(client, address) -> None:
    qaya, qurt = account("qaya", email="q@example.org"), someone("qurt")
    client.force_login(qaya)
    game_of(qaya, qurt)
    game_of(qurt, qaya, "blotto")
    check(client, address)


def test_the_form_of_bio_and_country_with_its_refusals(client) -> None:
    client.force_login(account("qaya"))
    many = "a\n" * 7 + "a"
    for bio in ("", "a" * 301, many):
        form = {"bio": bio, "country": ""}
        answer = client.post("/settings/profile/", form, follow=True, **TURKISH)
        assert answer.status_code == (400 if bio else 200)
        assert not english_in(read(answer.content.decode())), bio


@pytest.mark.parametrize("key", ["pincer", "blotto"])
def test_statistics_of_somebody_who_has_played(client, key) -> None:
    qaya, qurt = account("qaya"), account("qurt")
    rated_game(qaya, qurt, "white", key=key, turns=6)
    check(client, f"/u/qaya/statistics/{key}/live/")


def test_the_page_of_a_placement_from_its_start_to_its_rating(client) -> None:
    append_anchors(now())
    qaya = account("qaya")
    client.force_login(qaya)
    address = "/ratings/pincer/live/placement/"
    check(client, address)
    for result in ("won", "lost"):
        client.post(address, {"do": "play"})
        check(client, address)
        end(timed(Game.objects.get(ended=None)), qaya, result)
        check(client, address)
    client.post(address, {"do": "finish"})
    check(client, address)
    work()
    check(client, address)
    answer = client.post(address, {"do": "play"}, **TURKISH)
    assert not english_in(read(answer.content.decode()))


@pytest.mark.parametrize(
    ("winner", "reasons"),
    [("white", WON), ("black", LOST), ("", {*DRAWN, *NOTHING})],
    ids=["won", "lost", "neither"],
)
def test_games_that_have_ended_in_every_way(client, winner, reasons) -> None:
    qaya, qurt = account("qaya"), someone("qurt")
    for reason in reasons:
        over(game_of(qaya, qurt, "blotto" if reason == "rounds" else "pincer"), winner, reason)
    for address in ("/u/qaya/", "/watch/"):
        check(client, address)


@pytest.mark.parametrize("key", KEYS)
def test_a_game_for_those_who_play_and_those_who_watch(key) -> None:
    (qaya, white), (qurt, black) = at_home("qaya"), at_home("qurt")
    game = game_of(qaya, qurt, key)
    for browser in (white, black, Client()):
        check(browser, f"/g/{game.slug}/")
    over(game, "white", "resigned")
    study = "lab" if key == "blotto" else "analysis"
    for browser in (white, Client()):
        check(browser, f"/g/{game.slug}/")
        check(browser, f"/g/{game.slug}/{study}/")


@pytest.mark.parametrize("key", KEYS)
def test_a_person_plays_a_whole_game_against_the_computer(key) -> None:
    _, browser = at_home("qaya")
    browser.post("/computer/", {"game": key, "side": "white", "clock": "none", "level": "4"})
    game = Game.objects.get()
    for address in (f"/g/{game.slug}/", "/", "/u/Magpie/", f"/l/{game.lobby}/"):
        check(browser, address)
    over(game, "white", "resigned")
    for address in (f"/g/{game.slug}/", f"/l/{game.lobby}/", "/watch/"):
        check(browser, address)
    answer = browser.post("/computer/", {"game": key, "level": "9"}, **TURKISH)
    assert not english_in(read(answer.content.decode()))


@pytest.mark.nightly
@pytest.mark.parametrize("key", ["amazons-10x10", "blotto"])
def test_a_lobby_at_every_stage(key) -> None:
    (_, host), (_, guest) = at_home("qaya"), at_home("qurt")
    host.post("/lobbies/", {**LOBBY, "game": key, "clock": "days:1"})
    lobby = Lobby.objects.get()
    address = lobby.get_absolute_url()
    deeds = [
        (guest, "swap"), (guest, "sit"), (guest, "swap"), (host, "change"), (guest, "unready"),
        (host, "unready"), (host, "free"), (guest, "sit"), (host, "close"),
    ]  # fmt: skip
    seen = {"seat": "2", "side": "black", "seen": lobby.options.digest}
    check(Client(), address)
    for browser, verb in deeds:
        for each in (host, guest):
            check(each, address)
        answer = browser.post(f"{address}{verb}/", seen, follow=True, **TURKISH)
        assert not english_in(read(answer.content.decode())), verb
    check(guest, address)


def test_the_language_of_the_cookie_precedes_that_of_the_browser(client) -> None:
    assert '<html lang="en">' in page(client, "/", {"HTTP_ACCEPT_LANGUAGE": "de"})
    assert '<html lang="tr">' in page(client, "/", {"HTTP_ACCEPT_LANGUAGE": "de,tr;q=0.4"})
    chosen = client.post("/language/setlang/", {"language": "tr", "next": "/settings/"}, **ENGLISH)
    assert (chosen.status_code, chosen.headers["Location"]) == (302, "/settings/")
    assert '<html lang="tr">' in page(client, "/", ENGLISH)
    client.post("/language/setlang/", {"language": "xx", "next": "/"})
    assert '<html lang="tr">' in page(client, "/", ENGLISH)
    client.post("/language/setlang/", {"language": "en", "next": "/"})
    assert '<html lang="en">' in page(client, "/", TURKISH)


def test_the_settings_name_each_language_in_itself_and_say_that_turkish_is_unreviewed(
    client,
) -> None:
    assert 'aria-pressed="false">Türkçe</button>' in page(client, "/settings/", ENGLISH)
    assert "No native speaker has checked the Turkish" in page(client, "/settings/", ENGLISH)
    assert 'aria-pressed="true">Türkçe</button>' in page(client, "/settings/", TURKISH)
    assert "anadili Türkçe" in page(client, "/settings/", TURKISH)


def test_the_scripts_of_a_page_get_their_words_with_it(client) -> None:
    assert "texts/" not in page(client, "/", ENGLISH)
    scripts = re.findall(r"<script (.*?)></script>", page(client, "/", TURKISH))
    # Deferred, and before the page's module: the browser runs both in this order.
    assert scripts.index('defer src="/static/texts/tr.js"') < next(
        number for number, script in enumerate(scripts) if 'type="module"' in script
    )
    words = catalogue("tr")
    assert words["Now shoot"] == "Şimdi ok at"
    assert words["{count} troop"] == ["{count} birlik", "{count} birlik"]
    assert "" not in words
    assert file_of("tr") == "texts/tr.js"
    assert file_of("en") == file_of("en-gb") == ""
