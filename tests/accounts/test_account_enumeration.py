"""Response times do not reveal whether a name or an address is registered.

What takes time is counted in the place of seconds: the hashes of passwords, and the mails.
"""

from dataclasses import dataclass

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.support.sign_up_forms import NEW, PASSWORD, account, who

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
WRONG = "not the password"


@dataclass(frozen=True)
class Cost:
    """An answer to a form, with its cost in password hashes and mails."""

    status: int
    leads_to: str
    hashes: int
    mails: int


@pytest.fixture
def cost_of(hashed):
    """Returns a function that sends a form from a new browser and measures the cost."""

    def cost_of(path: str, form: dict[str, str]) -> Cost:
        cache.clear()
        hashed.clear()
        mail.outbox.clear()
        answer = Client().post(path, form)
        leads_to = answer.headers.get("Location", "")
        return Cost(answer.status_code, leads_to, len(hashed), len(mail.outbox))

    return cost_of


@pytest.fixture
def _known(db) -> None:
    """Accounts with a confirmed address, with one that nobody has confirmed, without any, and one
    that is suspended."""
    ada = account("ada", "ada@example.org")
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    account("eve", "eve@example.org")
    account("bob")
    account("robo", "robo@example.org", is_active=False)


ADDRESSES = ["ada@example.org", "ADA@example.org", "eve@example.org", "robo@example.org"]


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("login", ["ada", "ADA", "bob", "robo", *ADDRESSES])
def test_a_wrong_password_costs_as_much_for_a_known_name_as_for_none(cost_of, login) -> None:
    unknown = "nobody@example.org" if "@" in login else "nobody"
    expected = cost_of("/log-in/", {"login": unknown, "password": WRONG})
    assert expected.hashes > 0
    assert cost_of("/log-in/", {"login": login, "password": WRONG}) == expected


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_new_password_costs_as_much_for_a_known_address_as_for_none(cost_of, address) -> None:
    expected = cost_of("/password/reset/", {"email": "nobody@example.org"})
    assert expected.mails == 1
    assert cost_of("/password/reset/", {"email": address}) == expected


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("address", ADDRESSES)
def test_signing_up_costs_as_much_with_a_known_address_as_with_another(cost_of, address) -> None:
    expected = cost_of("/sign-up/", NEW | {"email": "nobody@example.org"})
    assert (expected.hashes, expected.mails) == (1, 1)
    assert cost_of("/sign-up/", NEW | {"username": "another", "email": address}) == expected


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("address", ["nobody@example.org", *ADDRESSES])
def test_a_log_in_by_an_address_tells_nobody_that_its_owner_is_here(address) -> None:
    """Anybody may sign up with an address; a log-in by it must not reveal the owner."""
    chosen = "ten sharp arrows"
    form = {"username": "mallory", "password1": chosen, "password2": chosen, "email": address}
    assert Client().post("/sign-up/", form).status_code == 302
    browser = Client()
    assert browser.post("/log-in/", {"login": address, "password": chosen}).status_code == 302
    assert who(browser) == User.objects.get(username="mallory").pk


@pytest.mark.usefixtures("_known")
def test_the_owner_of_an_address_comes_before_those_who_have_only_named_it() -> None:
    for number in range(6):
        account(f"decoy{number}", "ada@example.org")
    ada = User.objects.get(username="ada")
    browser = Client()
    browser.post("/log-in/", {"login": "ada@example.org", "password": PASSWORD})
    assert who(browser) == ada.pk
