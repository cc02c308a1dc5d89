"""Footer and pages about the site: operator, storage and language."""

import re

import pytest
from django.apps import apps
from django.conf import settings as site_settings
from django.test import Client

from accounts.account_service import UNPLAYED_GUEST_LIFE
from bots.preference_cookie import COOKIE as COMPUTER_COOKIE
from chat.chat_service import ROOM_KEPT_MS
from config.template_context import operator
from lobby.pairing.search_form import COOKIE as SEARCH_COOKIE
from notices.records import KEPT_MS as NOTICE_KEPT_MS
from pages.about.views import PAGES
from play.domain.abandonment import IDLE_LIMIT_MS
from play.domain.clocks import FIRST_TURN_MS
from ratings.fair_play.sightings import KEPT_DAYS
from tests.support.page_visitors import at_home, game_of, someone, text_of

pytestmark = pytest.mark.django_db
FOOTER = re.compile(r'<footer class="footer">.*</footer>', re.DOTALL)
SETLANG = "/language/setlang/"


def footer(page: str) -> str:
    found = FOOTER.search(page)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("name", PAGES)
def test_every_page_about_the_site_is_linked_from_the_footer(client, name) -> None:
    page = client.get(f"/{name}/")
    assert page.status_code == 200
    assert f'href="/{name}/"' in footer(client.get("/watch/").content.decode())
    assert page.content.count(b"<h1") == 1
    assert page.headers["Cache-Control"] == "private, no-cache"


def test_the_page_of_a_game_has_no_footer() -> None:
    ada, browser = at_home("ada")
    game = game_of(ada, someone("bob"))
    assert "<footer" not in browser.get(game.get_absolute_url()).content.decode()


def test_the_operator_of_the_settings_stands_on_contact_and_privacy(client, settings) -> None:
    settings.OPERATOR_NAME = "Ada <Byron>"
    settings.OPERATOR_EMAIL = "ada@example.org"
    settings.OPERATOR_ADDRESS = ["1 Example Street", "", "12345 Exampletown"]
    for page in ("/contact/", "/privacy/"):
        text = client.get(page).content.decode()
        assert "Ada &lt;Byron&gt;" in text
        assert 'href="mailto:ada@example.org"' in text
        assert "<span>1 Example Street</span>" in text
        assert "has not given contact details" not in text
    assert "run by Ada &lt;Byron&gt;" in text_of(client.get("/about/"))


def test_a_site_without_an_operator_says_so(client, settings) -> None:
    settings.OPERATOR_NAME, settings.OPERATOR_EMAIL, settings.OPERATOR_ADDRESS = "", "", [""]
    assert not operator().has_contact
    assert "has not given contact details" in text_of(client.get("/contact/"))
    settings.OPERATOR_NAME = "Ada"
    assert "has not given contact details" in text_of(client.get("/privacy/"))


def test_the_source_is_linked_if_the_settings_name_it(client, settings) -> None:
    settings.SOURCE_URL = ""
    assert "hasn’t said where to get its source" in text_of(client.get("/source/"))
    settings.SOURCE_URL = "https://example.org/quiver?a=b&c"
    page = client.get("/source/").content.decode()
    assert 'href="https://example.org/quiver?a=b&amp;c"' in page


def test_what_privacy_says_is_what_the_code_does(client, settings) -> None:
    text = text_of(client.get("/privacy/"))
    assert f"deleted after {UNPLAYED_GUEST_LIFE.days} days" in text
    assert f"deleted {ROOM_KEPT_MS // 86_400_000} days after the last one" in text
    assert f"for {NOTICE_KEPT_MS // 86_400_000} days at most" in text
    assert f"your network address, for {KEPT_DAYS} days" in text
    ages = (site_settings.SESSION_COOKIE_AGE, site_settings.LANGUAGE_COOKIE_AGE)
    assert ages == (365 * 86_400,) * 2
    settings.SENDS_MAIL = False
    assert "sends no email" in text_of(client.get("/privacy/"))


# Tables with rows of a user, each with the words by which the page tells of it.
STORED = {
    "ratings.Ruling": "Rulings:",
    "ratings.Sighting": "Devices and networks",
    "notices.Notice": "what you were told of your games",
    "notices.Inbox": "Notifications:",
    "notices.Preferences": "quiet hours",
    "notices.PushDevice": "Push, if you turn it on",
    "play.Holiday": "Holidays: when yours began",
    "play.ReplyPlan": "Conditional moves are kept",
    "play.Seat": "when you last looked at each of your games",
    "analysis.Study": "Studies: the moves, comments and titles",
}


def test_privacy_names_every_table_of_notices_and_slow_games(client) -> None:
    text = text_of(client.get("/privacy/"))
    for name, words in STORED.items():
        assert words in text, name
    models = apps.get_app_config("notices").get_models()
    tables = {model._meta.label for model in models if hasattr(model, "user")}
    assert tables
    assert tables <= set(STORED)


def test_how_it_works_says_what_the_code_does_and_where_to_begin(client) -> None:
    page = client.get("/how-it-works/")
    text = text_of(page)
    assert f"for which you have {FIRST_TURN_MS // 1000} seconds" in text
    assert f"aborted after {IDLE_LIMIT_MS // 86_400_000} days without a move" in text
    for address in ("/help/abandoned/", "/open-games/", "/play/online/", "/play/friend/", "/new/"):
        assert f'href="{address}"' in page.content.decode(), address


def test_privacy_names_every_cookie_of_the_site(client) -> None:
    text = text_of(client.get("/privacy/"))
    settings_of_names = [name for name in dir(site_settings) if name.endswith("_COOKIE_NAME")]
    assert len(settings_of_names) > 2
    names = [getattr(site_settings, name) for name in settings_of_names]
    for name in (*names, SEARCH_COOKIE, COMPUTER_COOKIE, "sessionid", "csrftoken", "messages"):
        assert name.removeprefix("__Host-") in text, name


def test_each_language_is_named_in_itself_and_chosen_in_the_footer(client) -> None:
    part = footer(client.get("/watch/?game=pincer").content.decode())
    assert re.search(r'value="en" lang="en" aria-pressed="true">English<', part)
    assert re.search(r'value="tr" lang="tr" aria-pressed="false">Türkçe<', part)
    assert 'name="next" value="/watch/?game=pincer"' in part
    answer = client.post(SETLANG, {"language": "tr", "next": "/watch/?game=pincer"})
    assert answer.headers["Location"] == "/watch/?game=pincer"
    assert '<html lang="tr"' in client.get("/watch/").content.decode()


@pytest.mark.parametrize(
    "language", ["xx", "", "de", "de-AT", "TR\x00", "../../tr", "t" * 5_000, "en;q=2", "ş", None]
)
def test_a_language_that_is_not_there_changes_nothing(client, language) -> None:
    client.post(SETLANG, {"language": "tr", "next": "/"})
    form = {"next": "/watch/"} | ({} if language is None else {"language": language})
    answer = client.post(SETLANG, form)
    assert answer.status_code in (302, 400)
    assert site_settings.LANGUAGE_COOKIE_NAME not in answer.cookies
    assert '<html lang="tr"' in client.get("/watch/").content.decode()


def test_a_language_in_a_cookie_that_is_not_there_is_passed_over(client) -> None:
    client.cookies[site_settings.LANGUAGE_COOKIE_NAME] = "xx\"'<"
    assert '<html lang="en"' in client.get("/watch/").content.decode()


def test_asking_for_the_address_of_the_picker_changes_nothing(client) -> None:
    answer = client.get(f"{SETLANG}?language=tr&next=/watch/")
    assert site_settings.LANGUAGE_COOKIE_NAME not in answer.cookies


def test_the_picker_takes_forms_of_this_site_only() -> None:
    forged = Client(enforce_csrf_checks=True).post(SETLANG, {"language": "tr"})
    assert forged.status_code == 403
    assert site_settings.LANGUAGE_COOKIE_NAME not in forged.cookies


def test_the_footer_of_settings_repeats_no_choice(client) -> None:
    page = client.get("/settings/").content.decode()
    assert page.count('name="theme"') == 3
    assert page.count(SETLANG) == 1
