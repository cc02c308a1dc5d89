"""Settings page, and the displayed name."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.account_service import TooSoon, rename_user
from accounts.models import User
from accounts.settings_views import DEVICE
from tests.support.page_visitors import at_home, someone, text_of
from tests.support.sign_up_forms import a_guest

pytestmark = pytest.mark.django_db


def later(user: User, **ago: int) -> None:
    """Moves the last change of the name into the past."""
    User.objects.filter(pk=user.pk).update(renamed=timezone.now() - timedelta(**ago))
    user.refresh_from_db()


def test_strangers_have_settings_of_their_device_and_leave_no_trace(client) -> None:
    page = client.get("/settings/")
    assert page.status_code == 200
    assert "sessionid" not in client.cookies
    assert "Display name" not in text_of(page)
    assert (
        client.post("/settings/name/", {"username": "magnus"}).headers["Location"] == "/settings/"
    )
    assert User.objects.count() == 0


def test_the_settings_of_the_device_are_those_of_the_script(client) -> None:
    page = client.get("/settings/").content.decode()
    for choice in DEVICE:
        for value, _ in choice.values:
            assert f'name="{choice.name}" id="{choice.name}-{value}" value="{value}"' in page
    assert '<div id="device" hidden>' in page
    unscripted = re.search(r"<noscript>(.*?)</noscript>", page, re.DOTALL)[1]
    assert "They need JavaScript" in unscripted


def test_a_name_is_changed_and_told(
    client, account_events, django_capture_on_commit_callbacks
) -> None:
    ada, browser = at_home("ada")
    with django_capture_on_commit_callbacks(execute=True):
        response = browser.post("/settings/name/", {"username": " Magnus "}, follow=True)
    assert "Your name is now Magnus." in text_of(response)
    ada.refresh_from_db()
    assert ada.username == "Magnus"
    assert account_events == [("renamed", ada.pk)]


def test_an_account_changes_its_name_once_a_day() -> None:
    ada, browser = at_home("ada")
    browser.post("/settings/name/", {"username": "magnus"})
    second = browser.post("/settings/name/", {"username": "magna"})
    assert second.status_code == 400
    assert "You can change it again after" in text_of(second)
    ada.refresh_from_db()
    assert ada.username == "magnus"
    later(ada, hours=23)
    assert browser.post("/settings/name/", {"username": "magna"}).status_code == 400
    later(ada, hours=25)
    assert browser.post("/settings/name/", {"username": "magna"}).status_code == 302


def test_a_guest_changes_the_name_every_ten_minutes(client) -> None:
    guest = a_guest(client)
    assert client.post("/settings/name/", {"username": "magnus"}).status_code == 302
    assert client.post("/settings/name/", {"username": "magna"}).status_code == 400
    guest.refresh_from_db()
    later(guest, minutes=11)
    assert client.post("/settings/name/", {"username": "magna"}).status_code == 302


def test_two_changes_at_once_are_one() -> None:
    ada, other = someone("ada"), User.objects.get(username="ada")
    rename_user(ada, "magnus")
    with pytest.raises(TooSoon):
        rename_user(other, "magna")  # read before the first change
    assert User.objects.get().username == "magnus"


def test_ones_own_name_may_get_other_letters_but_not_anothers() -> None:
    ada, browser = at_home("ada")
    someone("Bob")
    taken = browser.post("/settings/name/", {"username": "bob"})
    assert taken.status_code == 400
    assert "That name is taken." in text_of(taken)
    assert 'id="id_username_error"' in taken.content.decode()
    assert browser.post("/settings/name/", {"username": "ADA"}).status_code == 302
    ada.refresh_from_db()
    assert ada.username == "ADA"


def test_the_same_name_is_no_change() -> None:
    ada, browser = at_home("ada")
    browser.post("/settings/name/", {"username": "ada"})
    ada.refresh_from_db()
    assert ada.renamed is None


@pytest.mark.parametrize("name", ["", "ab", "x" * 10_000, "a\0b", "admin", "ann bob", "<b>x</b>"])
def test_a_name_out_of_order_changes_nothing(name: str) -> None:
    ada, browser = at_home("ada")
    response = browser.post("/settings/name/", {"username": name})
    assert response.status_code == 400
    assert 'aria-invalid="true"' in response.content.decode()
    assert "ada" in response.content.decode()
    ada.refresh_from_db()
    assert ada.username == "ada"


def test_a_get_changes_nothing() -> None:
    _, browser = at_home("ada")
    assert browser.get("/settings/name/?username=magnus").url == "/settings/"


def test_holidays_are_turned_off_and_on_again() -> None:
    ada, browser = at_home("ada")
    for value, state in (("off", False), ("on", True)):
        assert browser.post("/settings/holidays/", {"holidays": value}).url == "/settings/"
        ada.refresh_from_db()
        assert ada.has_holidays is state
        page = browser.get("/settings/").content.decode()
        assert f'name="holidays" value="{value}" aria-pressed="true"' in page


@pytest.mark.parametrize("form", [{}, {"holidays": "maybe"}, {"holidays": "\0"}])
def test_bad_holidays_change_nothing(form) -> None:
    ada, browser = at_home("ada")
    assert browser.post("/settings/holidays/", form).status_code == 400
    assert Client().post("/settings/holidays/", {"holidays": "off"}).url == "/settings/"
    ada.refresh_from_db()
    assert ada.has_holidays


def test_the_language_is_chosen_and_leads_back(client) -> None:
    response = client.post("/language/setlang/", {"language": "tr", "next": "/settings/"})
    assert response.headers["Location"] == "/settings/"
    page = client.get("/settings/").content.decode()
    assert '<html lang="tr">' in page
    assert 'value="tr" lang="tr" aria-pressed="true"' in page
    away = client.post("/language/setlang/", {"language": "tr", "next": "https://evil.example/"})
    assert "evil" not in away.headers["Location"]


def test_password_and_address_are_a_link_away_for_accounts_only(client) -> None:
    _, browser = at_home("ada")
    page = browser.get("/settings/").content.decode()
    assert 'href="/password/"' in page
    assert 'href="/e-mail/"' in page
    a_guest(client)
    page = client.get("/settings/").content.decode()
    assert 'href="/password/"' not in page
    assert 'href="/sign-up/?next=%2Fsettings%2F"' in page


def test_a_name_found_in_any_case_is_found_by_an_index() -> None:
    for lookup in ("username__iexact", "username"):
        plan = User.objects.filter(**{lookup: "ADA"}).explain()
        assert "SCAN" not in plan, plan
    assert "SCAN" not in User.objects.filter(email="ada@example.org").explain()
    someone("Ada")
    assert User.objects.get(username__iexact="aDA").username == "Ada"


def test_the_page_costs_the_same_for_everybody(django_assert_max_num_queries) -> None:
    _, browser = at_home("ada")
    with django_assert_max_num_queries(7):
        browser.get("/settings/")
    with django_assert_max_num_queries(0):
        Client().get("/settings/")
