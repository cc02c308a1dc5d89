"""Names that are not free: look-alikes of accounts, names that were given up."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.account_service import delete_user, export_profile, rename_user, sign_up
from accounts.models import NameClaim, User
from accounts.people.guests import check_guest_name, new_named_guest
from accounts.people.name_claims import KEPT_FOR, NameTaken, delete_old_claims, suggest_name
from tests.support.page_visitors import text_of
from tests.support.second_factor import staff_browser
from tests.support.sign_up_forms import NEW, PASSWORD, account

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
LATER = KEPT_FOR + DAY


def rename(user: User, name: str) -> None:
    """Rename a user whose last change of the name is long ago."""
    User.objects.filter(pk=user.pk).update(renamed=None)
    rename_user(User.objects.get(pk=user.pk), name)


def pass_time() -> None:
    """Let all claims end."""
    NameClaim.objects.update(until=timezone.now() - DAY)


def refusal(name: str) -> str:
    """What the form of the sign-up says about a name; empty if it is free."""
    answer = Client().post("/sign-up/", {**NEW, "username": name})
    return "" if answer.status_code == 302 else str(answer.context["form"].errors["username"][0])


@pytest.mark.parametrize("name", ["4da-1", "AD-AL", "ada_i", "ada1-"])
def test_a_name_that_looks_like_an_accounts_is_refused(name) -> None:
    account("adal")
    assert "looks too much like" in refusal(name)
    with pytest.raises(NameTaken):
        check_guest_name(name)
    with pytest.raises(NameTaken):
        new_named_guest(name)
    with pytest.raises(NameTaken):
        rename(account("bob"), name)
    assert User.objects.filter(username="bob").exists()
    browser = Client()
    browser.force_login(User.objects.get(username="bob"))
    User.objects.update(renamed=None)
    assert "looks too much like" in text_of(browser.post("/settings/name/", {"username": name}))


def test_names_of_guests_do_not_keep_alike_ones_from_others() -> None:
    new_named_guest("Ana-1")
    assert refusal("Anal") == ""
    assert refusal("ana-1") != ""


def test_two_accounts_that_look_alike_cannot_be_written_at_once() -> None:
    account("adal")
    with pytest.raises(IntegrityError), transaction.atomic():
        account("ada-1")


def test_a_user_may_respell_the_own_name() -> None:
    ada = account("ada")
    rename(ada, "A-da")
    rename(ada, "4DA")
    assert User.objects.get().username == "4DA"


def test_a_name_that_was_given_up_is_kept_for_its_owner() -> None:
    ada = account("ada")
    rename(ada, "lovelace")
    assert "used that name until" in refusal("Ada") and "used that name until" in refusal("a-d-4")
    with pytest.raises(NameTaken):
        new_named_guest("ada")
    with pytest.raises(NameTaken):
        rename(account("bob"), "ada")
    assert export_profile(ada)["names_kept"][0]["name"] == "ada"
    rename(ada, "ada")
    assert User.objects.get(pk=ada.pk).username == "ada"
    assert [claim.name for claim in NameClaim.objects.all()] == ["lovelace"]


def test_a_name_is_free_again_after_its_time() -> None:
    rename(account("ada"), "lovelace")
    pass_time()
    assert refusal("ada") == ""
    assert NameClaim.objects.count() == 0


def test_the_old_address_leads_to_the_present_name_while_it_is_kept() -> None:
    rename(account("ada"), "lovelace")
    answer = Client().get("/u/ADA/?game=pincer")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/u/lovelace/?game=pincer"
    for page in ("studies/", "challenge/", "statistics/", "ratings/pincer/live/", "picture.png"):
        answer = Client().get(f"/u/ada/{page}?a=b")
        assert answer.headers["Location"].split("?")[0] == f"/u/lovelace/{page}", page
    assert Client().get("/u/a-d-a/").status_code == 404
    pass_time()
    assert Client().get("/u/ada/").status_code == 404


def test_the_name_of_a_deleted_account_is_kept_and_leads_nowhere() -> None:
    ada = account("ada")
    rename(ada, "lovelace")
    delete_user(ada.pk)
    for name in ("ada", "lovelace"):
        assert Client().get(f"/u/{name}/").status_code == 404
        assert "used that name until" in refusal(name)
    assert set(NameClaim.objects.values_list("name", "user")) == {("", None)}


def test_a_guest_gives_no_name_up() -> None:
    guest = new_named_guest("Ana")
    rename(guest, "Anna")
    assert NameClaim.objects.count() == 0
    sign_up("anna-b", PASSWORD, guest=User.objects.get(pk=guest.pk))
    assert User.objects.get().skeleton == "annab"
    assert refusal("Anna") == ""


def test_staff_renames_by_the_same_rules() -> None:
    ada, _ = account("ada"), account("bob")
    browser = staff_browser(account("root1", is_staff=True, is_superuser=True))
    page = f"/admin/accounts/user/{ada.pk}/change/"
    form = {"username": "b-ob", "is_active": "on"}
    assert "looks too much like" in text_of(browser.post(page, form))
    assert browser.post(page, {**form, "username": "lovelace"}).status_code == 302
    assert User.objects.get(pk=ada.pk).skeleton == "lovelace"
    assert NameClaim.objects.get().name == "ada"


def test_old_claims_are_deleted() -> None:
    for number, name in enumerate(("ada", "bob")):
        rename(account(name), f"former-{number}")
    NameClaim.objects.filter(name="ada").update(until=timezone.now())
    assert delete_old_claims() == 1
    assert NameClaim.objects.get().name == "bob"
    assert delete_old_claims() == 0


def test_a_free_name_like_a_taken_one_is_suggested() -> None:
    assert suggest_name("Ana") == "Ana"
    new_named_guest("ana")
    assert suggest_name("Ana") == "Ana-2"
    new_named_guest("Ana-2")
    account("an4e")
    assert suggest_name("Ana") == "Ana-4"  # Ana-3 looks like an4e
    new_named_guest("x" * 20)
    assert suggest_name("X" * 20) == "X" * 18 + "-2"
