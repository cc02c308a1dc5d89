"""Bio and country: saved by their owner, hidden, exported, deleted, removed by staff."""

import json

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.account_service import delete_user, export_profile, restore, suspend
from accounts.models import PublicProfile
from accounts.people.computer_users import computer
from accounts.people.relations import block
from accounts.public_profile.details import Details, read_details, save_details
from tests.support.page_visitors import at_home, someone, text_of
from tests.support.second_factor import staff_browser
from tests.support.sign_up_forms import a_guest, account

pytestmark = pytest.mark.django_db
FORM = "/settings/profile/"
ABOUT = Details("I like arrows.\nVisit http://spam.example <b>now</b>", "TR")


def test_a_bio_goes_from_the_settings_to_the_profile() -> None:
    ada, home = at_home("ada")
    assert FORM in home.get("/settings/").content.decode()
    assert "Add a bio and your country" in text_of(home.get("/u/ada/"))
    answer = home.post(FORM, {"bio": ABOUT.bio, "country": "TR"}, follow=True)
    assert answer.redirect_chain == [("/u/ada/", 302)]
    assert "Saved." in text_of(answer)
    assert read_details(ada.pk) == ABOUT
    page = Client().get("/u/ada/").content.decode()
    said = "I like arrows.<br>Visit http://spam.example &lt;b&gt;now&lt;/b&gt;</p>"
    assert said in page
    assert 'href="http' not in page.partition("<main")[2].partition(said)[0]
    assert '<span aria-hidden="true">🇹🇷</span> Türkiye</span>' in page
    form = home.get(FORM).content.decode()
    assert '<option value="TR" selected>Türkiye</option>' in form
    assert "Change bio and country" not in page  # only its owner's page


def test_both_may_be_taken_back() -> None:
    ada, home = at_home("ada")
    save_details(ada.pk, ABOUT)
    assert home.post(FORM, {"bio": "", "country": ""}).status_code == 302
    assert PublicProfile.objects.count() == 0
    assert "Türkiye" not in text_of(Client().get("/u/ada/"))


def test_a_control_character_is_dropped_from_a_bio() -> None:
    ada, home = at_home("ada")
    assert home.post(FORM, {"bio": "a\x00b\U0001fa77\r\nc", "country": ""}).status_code == 302
    assert PublicProfile.objects.get(user=ada).bio == "ab\U0001fa77\nc"


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"bio": "a" * 301, "country": ""}, "Use at most 300 characters."),
        ({"bio": "a", "country": "XX"}, "Select a valid choice"),
        ({"bio": "a", "country": "tr"}, "Select a valid choice"),
    ],
)
def test_bad_forms_change_nothing(form: dict, says: str) -> None:
    _, home = at_home("ada")
    answer = home.post(FORM, form)
    assert answer.status_code == 400
    assert says in text_of(answer)
    assert PublicProfile.objects.count() == 0


def test_guests_visitors_and_computers_have_none() -> None:
    guest_browser = Client()
    guest = a_guest(guest_browser)
    for browser in (Client(), guest_browser):
        for answer in (browser.get(FORM), browser.post(FORM, {"bio": "x", "country": "TR"})):
            assert answer.headers["Location"] == "/settings/"
    assert not save_details(guest.pk, ABOUT)
    assert not save_details(computer(1).pk, ABOUT)
    assert PublicProfile.objects.count() == 0


def test_suspended_and_blocked_people_are_not_heard() -> None:
    ada, home = at_home("ada")
    bob = someone("bob")
    save_details(bob.pk, ABOUT)
    assert "arrows" in text_of(home.get("/u/bob/"))
    block(ada, "bob")
    assert "arrows" not in text_of(home.get("/u/bob/"))
    assert "arrows" in text_of(Client().get("/u/bob/"))
    suspend(bob.pk)
    page = text_of(Client().get("/u/bob/"))
    assert "arrows" not in page
    assert "Türkiye" not in page
    assert not save_details(bob.pk, Details("no", ""))
    restore(bob.pk)
    assert "arrows" in text_of(Client().get("/u/bob/"))


def test_copy_and_deletion_know_them() -> None:
    ada = account("ada")
    save_details(ada.pk, ABOUT)
    copy = export_profile(ada)
    assert (copy["bio"], copy["country"]) == (ABOUT.bio, "TR")
    json.dumps(copy)
    delete_user(ada.pk)
    assert PublicProfile.objects.count() == 0
    assert not save_details(ada.pk, ABOUT)


def test_staff_remove_them_and_that_is_logged() -> None:
    ada = someone("ada")
    save_details(ada.pk, ABOUT)
    boss = account("boss", is_staff=True, is_superuser=True)
    browser = staff_browser(boss)
    answer = browser.post(
        "/admin/accounts/user/", {"action": "remove_details", "_selected_action": [ada.pk]}
    )
    assert answer.status_code == 302
    assert PublicProfile.objects.count() == 0
    assert LogEntry.objects.get().object_id == str(ada.pk)


def test_the_privacy_page_names_them() -> None:
    assert "Bio and country:" in text_of(Client().get("/privacy/"))
