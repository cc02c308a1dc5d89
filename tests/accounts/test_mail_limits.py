"""Limits on the mails that strangers can cause to one person."""

from collections import Counter
from itertools import pairwise

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.limits import rate_limits
from tests.support.sign_up_forms import PASSWORD, account

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
VICTIM = "victim@example.org"
RESET, CODE = "/password/reset/", "/log-in/by-email/"
TOO_MANY = "sent. Try again in an hour."


def confirmed_account(name: str, email: str) -> None:
    """An account that has confirmed its address."""
    user = account(name, email)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)


def sources(count: int):
    return (f"198.51.100.{number + 1}" for number in range(count))


@pytest.fixture(autouse=True)
def _no_limit_by_the_minute(settings) -> None:
    """An hour of an attacker's patience in a second: allauth allows so many mails each minute."""
    names = ("reset_password", "confirm_email", "signup", "change_password")
    limits = {**settings.ACCOUNT_RATE_LIMITS, "manage_email": "10000/m/user"}
    settings.ACCOUNT_RATE_LIMITS = limits | dict.fromkeys(names, "10000/m/ip")


def asked(client, page: str, source: str = "127.0.0.1", email: str = VICTIM) -> bool:
    """Whether a mail was asked for on a page, and the page did not say that there were too many."""
    answer = client.post(page, {"email": email}, REMOTE_ADDR=source)
    assert (answer.status_code == 302) != (TOO_MANY in answer.content.decode())
    return answer.status_code == 302


@pytest.mark.parametrize("page", [RESET, CODE])
@pytest.mark.parametrize("is_known", [False, True])
def test_one_person_gets_only_so_many_mails_an_hour_from_many_networks(client, page, is_known):
    if is_known:
        confirmed_account("victim", VICTIM)
    done = [asked(client, page, source) for source in sources(40)]
    assert done == [True] * rate_limits.MAX_MAILS_PER_HOUR_OF_ALL + [False] * 25
    assert len(mail.outbox) == rate_limits.MAX_MAILS_PER_HOUR_OF_ALL


def test_several_accounts_of_one_address_cause_no_more_mails_and_tell_nothing(client) -> None:
    for number in range(5):
        account(f"fake{number}", email=VICTIM)
    done = [asked(client, RESET, source) for source in sources(40)]
    assert done == [True] * rate_limits.MAX_MAILS_PER_HOUR_OF_ALL + [False] * 25
    assert len(mail.outbox) == rate_limits.MAX_MAILS_PER_HOUR_OF_ALL


@pytest.mark.parametrize("page", [RESET, CODE])
@pytest.mark.parametrize("is_known", [False, True])
def test_a_stranger_uses_up_no_mails_that_the_owner_asks_for(page, is_known) -> None:
    if is_known:
        confirmed_account("victim", VICTIM)
    done = [asked(Client(), page, "198.51.100.7") for _ in range(40)]
    assert done == [True] * rate_limits.MAX_MAILS_PER_HOUR + [False] * 35
    assert asked(Client(), page, "192.0.2.9")


@pytest.mark.parametrize("page", [RESET, CODE])
def test_strangers_on_many_networks_use_up_nothing_of_a_known_device(page) -> None:
    confirmed_account("victim", VICTIM)
    own = Client()
    own.post("/log-in/", {"login": "victim", "password": PASSWORD})
    own.post("/log-out/")
    for source in sources(40):
        asked(Client(), page, source)
    mail.outbox.clear()
    done = [asked(own, page, source) for source in sources(7)]
    assert done == [True] * rate_limits.MAX_MAILS_PER_HOUR + [False] * 2
    assert {receiver for each in mail.outbox for receiver in each.to} == {VICTIM}


def test_who_names_an_address_without_confirming_it_has_no_known_device_of_it(client) -> None:
    client.force_login(account("fake", email=VICTIM))
    done = [asked(client, RESET, source) for source in sources(40)]
    assert sum(done) == rate_limits.MAX_MAILS_PER_HOUR_OF_ALL


def test_strangers_use_up_no_confirmation_of_a_new_address() -> None:
    form = {"email": VICTIM, "action_send": ""}
    for name, source, most in (("fake", "198.51.100.7", 5), ("victim", "192.0.2.9", 5)):
        browser = Client()
        user = account(name)
        EmailAddress.objects.create(user=user, email=VICTIM)
        browser.post("/log-in/", {"login": name, "password": PASSWORD})
        mail.outbox.clear()
        for _ in range(9):
            page = browser.post("/e-mail/", form, REMOTE_ADDR=source, follow=True)
            assert "If none comes within 10 minutes" in page.content.decode()
        assert len(mail.outbox) == most


def test_sign_ups_send_one_person_only_so_many_mails_an_hour(client) -> None:
    for number, source in enumerate(sources(40)):
        form = {"username": f"fake{number}", "email": VICTIM}
        form |= dict.fromkeys(("password1", "password2"), PASSWORD)
        client.post("/sign-up/", form, REMOTE_ADDR=source)
        client.post("/log-out/")
    sent = Counter(each.subject for each in mail.outbox)
    assert max(sent.values()) == rate_limits.MAX_MAILS_PER_HOUR_OF_ALL
    assert mail.outbox[0].to == [VICTIM]


def test_another_spelling_of_an_address_is_the_same_person(client) -> None:
    for number, source in enumerate(sources(40)):
        email = f"{'Victim' if number % 2 else 'victim'}+{number}@example.org"
        client.post("/password/reset/", {"email": email}, REMOTE_ADDR=source)
    assert len(mail.outbox) == rate_limits.MAX_MAILS_PER_HOUR_OF_ALL


def test_sign_ups_of_others_use_up_no_reset(client) -> None:
    account("victim", email=VICTIM)
    for number, source in enumerate(sources(40)):
        form = {"username": f"fake{number}", "email": VICTIM}
        form |= dict.fromkeys(("password1", "password2"), PASSWORD)
        client.post("/sign-up/", form, REMOTE_ADDR=source)
        client.post("/log-out/")
    mail.outbox.clear()
    client.post("/password/reset/", {"email": VICTIM})
    assert mail.outbox and all(each.to == [VICTIM] for each in mail.outbox)


def test_one_address_sends_mails_to_only_so_many_people(client) -> None:
    most = rate_limits.MAILS.by_address
    for number in range(most + 5):
        email = f"person{number}@example.org"
        client.post("/password/reset/", {"email": email}, REMOTE_ADDR="198.51.100.7")
    assert len(mail.outbox) == most


def test_the_owner_is_told_of_every_new_password(client) -> None:
    client.force_login(account("victim", email=VICTIM))
    passwords = [
        PASSWORD,
        *(f"{PASSWORD} {n}" for n in range(rate_limits.MAX_MAILS_PER_HOUR_OF_ALL + 2)),
    ]
    for old, new in pairwise(passwords):
        client.post("/password/", {"oldpassword": old, "password1": new, "password2": new})
    assert len(mail.outbox) == len(passwords) - 1
