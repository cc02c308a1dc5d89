"""Reports in the admin: their count, their context, and the moderators' verdicts."""

import html

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from chat import chat_service
from chat.models import FOREVER_MS, ChatMember, Line, Report
from play.domain.clocks import now
from play.models import Game
from tests.support.chat_people import account, game_of
from tests.support.page_visitors import text_of
from tests.support.second_factor import browser_with_rights, staff_browser

pytestmark = pytest.mark.django_db
DAY_MS = 24 * 3600 * 1000


@pytest.fixture
def ada() -> User:
    return account("ada")


@pytest.fixture
def bob() -> User:
    return account("bob")


@pytest.fixture
def game(ada, bob) -> Game:
    return game_of(ada, bob)


@pytest.fixture
def report(game, ada, bob) -> Report:
    return make_report(game, ada, bob, "insulting words")


def make_report(game: Game, author: User, reporter: User, text: str) -> Report:
    line = chat_service.say("game", game.slug, author.pk, f"id-{text}", text, "").line
    chat_service.report("game", game.slug, reporter.pk, line, "insult")
    return Report.objects.latest("pk")


def moderator(*rights: str, **about: object) -> Client:
    return browser_with_rights("mod", *rights, **about)


def address(report: Report) -> str:
    return f"/admin/chat/report/{report.pk}/change/"


MODERATES = ("view_report", "change_report")


def test_the_admin_has_the_sites_name_and_counts_open_reports(report) -> None:
    browser = moderator(*MODERATES)
    for page in ("/admin/", "/admin/chat/report/"):
        words = text_of(browser.get(page))
        assert "Quiver administration" in words
        assert "Django administration" not in words
        assert "Reports (1)" in words
    assert "1 open report" in text_of(browser.get("/admin/"))
    assert "Muted players" not in text_of(browser.get("/admin/"))


def test_models_have_plain_names() -> None:
    words = text_of(moderator(is_superuser=True).get("/admin/"))
    assert "Muted players" in words
    for name in ("Talkers", "Lines"):
        assert name not in words


def test_the_sites_header_shows_open_reports_to_moderators_alone(report, ada) -> None:
    assert "Reports (1)" in text_of(moderator(*MODERATES).get("/watch/"))
    looker = staff_browser(account("looker", is_staff=True))
    player, stranger = Client(), Client()
    player.force_login(ada)
    for browser in (looker, player, stranger):
        assert "Reports (" not in text_of(browser.get("/watch/"))
    Report.objects.update(state="dismissed")
    browser = Client()
    browser.force_login(User.objects.get(username="mod"))
    assert "Reports (" not in text_of(browser.get("/watch/"))


def test_a_report_shows_its_game_its_author_and_the_authors_earlier_reports(
    report, game, ada, bob
) -> None:
    later = make_report(game, ada, bob, "more of them")
    chat_service.silence(ada.pk, FOREVER_MS)
    page = moderator(*MODERATES).get(address(later)).content.decode()
    assert game.get_absolute_url() in page
    for words in ("insulting words", "more of them", "← reported", "joined", "muted: for good"):
        assert words in html.unescape(page), words
    assert address(report) in page


@pytest.mark.parametrize(
    ("verdict", "low", "high"),
    [("day", DAY_MS - 60_000, DAY_MS), ("week", 7 * DAY_MS - 60_000, 7 * DAY_MS)],
)
def test_a_mute_takes_one_click_and_is_logged(report, ada, verdict: str, low, high) -> None:
    browser = moderator(*MODERATES)
    assert browser.post(address(report), {f"_{verdict}": "x"}).status_code == 302
    silent_for = ChatMember.objects.get(pk=ada.pk).silent_until - now()
    assert low <= silent_for <= high
    report.refresh_from_db()
    assert report.state == "acted"
    entry = LogEntry.objects.get(object_id=str(report.pk))
    assert entry.user.username == "mod"
    assert "Mute for" in entry.change_message


def test_dismissing_takes_one_click_and_changes_nothing_else(report, ada) -> None:
    moderator(*MODERATES).post(address(report), {"_dismiss": "x"})
    report.refresh_from_db()
    assert report.state == "dismissed"
    assert Line.objects.filter(is_hidden=False).count() == 1
    assert not ChatMember.objects.filter(pk=ada.pk, silent_until__gt=0).exists()


@pytest.mark.parametrize("verdict", ["hide", "good", "suspend"])
def test_what_is_destructive_is_asked_for_once_more(report, ada, verdict: str) -> None:
    browser = moderator(*MODERATES, "change_user")

    def state() -> tuple:
        member = ChatMember.objects.get(pk=ada.pk)
        hidden = Line.objects.filter(is_hidden=True).count()
        return member.silent_until, hidden, User.objects.get(pk=ada.pk).is_active

    before = state()
    page = browser.post(address(report), {f"_{verdict}": "x"})
    assert page.status_code == 200
    assert 'name="confirmed"' in page.content.decode()
    assert "insulting words" in text_of(page)
    assert state() == before
    browser.post(address(report), {f"_{verdict}": "x", "confirmed": "yes"})
    changed = {
        "hide": (before[0], 1, True),
        "good": (FOREVER_MS, 0, True),
        "suspend": (before[0], 0, False),
    }
    assert state() == changed[verdict]
    assert LogEntry.objects.filter(object_id=str(report.pk)).count() == 1


def test_verdicts_need_rights_and_a_post(report, ada, bob) -> None:
    watcher = moderator("view_report")
    assert "_dismiss" not in watcher.get(address(report)).content.decode()
    assert watcher.post(address(report), {"_good": "x", "confirmed": "yes"}).status_code == 403
    both = account("both", is_staff=True)
    both.user_permissions.add(*Permission.objects.filter(codename__in=MODERATES))
    browser = staff_browser(both)
    assert "_suspend" not in browser.get(address(report)).content.decode()
    browser.post(address(report), {"_suspend": "x", "confirmed": "yes"})
    browser.get(address(report), {"_good": "x", "confirmed": "yes"})
    report.refresh_from_db()
    ada.refresh_from_db()
    assert (report.state, ada.is_active) == ("open", True)


def test_nobody_suspends_staff_or_themselves_from_a_report(game, bob, ada) -> None:
    report = make_report(game, ada, bob, "words")
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    browser = moderator(*MODERATES, "change_user")
    browser.post(address(report), {"_suspend": "x", "confirmed": "yes"})
    ada.refresh_from_db()
    assert ada.is_active


def test_a_site_without_an_admin_has_no_link_to_reports(report, monkeypatch) -> None:
    from django.urls import NoReverseMatch

    from chat.templatetags import chat

    def fail(*_: object) -> str:
        raise NoReverseMatch

    monkeypatch.setattr(chat, "reverse", fail)
    superuser = account("boss", is_staff=True, is_superuser=True)
    assert chat.open_reports(superuser) is None
