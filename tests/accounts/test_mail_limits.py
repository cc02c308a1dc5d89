"""Limits on the mails that strangers can cause to one person."""

from collections import Counter
from itertools import pairwise

import pytest
from django.core import mail

from accounts.limits import rate_limits
from tests.support.sign_up_forms import PASSWORD, account

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
VICTIM = "victim@example.org"


def sources(count: int):
    return (f"198.51.100.{number + 1}" for number in range(count))


@pytest.fixture(autouse=True)
def _no_limit_by_the_minute(settings) -> None:
    """A day of an attacker's patience in a second: allauth allows so many mails each minute."""
    names = ("reset_password", "confirm_email", "signup", "change_password")
    settings.ACCOUNT_RATE_LIMITS = dict.fromkeys(names, "10000/m/ip")


@pytest.mark.parametrize("is_known", [False, True])
def test_resets_send_one_person_only_so_many_mails_a_day(client, is_known: bool) -> None:
    if is_known:
        account("victim", email=VICTIM)
    for source in sources(40):
        answer = client.post("/password/reset/", {"email": VICTIM}, REMOTE_ADDR=source)
        assert answer.headers["Location"] == "/password/reset/sent/"  # the limit tells nothing
    assert len(mail.outbox) == rate_limits.MAX_MAILS_PER_DAY


def test_sign_ups_send_one_person_only_so_many_mails_a_day(client) -> None:
    for number, source in enumerate(sources(40)):
        form = {"username": f"fake{number}", "email": VICTIM}
        form |= dict.fromkeys(("password1", "password2"), PASSWORD)
        client.post("/sign-up/", form, REMOTE_ADDR=source)
        client.post("/log-out/")
    sent = Counter(each.subject for each in mail.outbox)
    assert max(sent.values()) == rate_limits.MAX_MAILS_PER_DAY
    assert mail.outbox[0].to == [VICTIM]


def test_another_spelling_of_an_address_is_the_same_person(client) -> None:
    for number, source in enumerate(sources(40)):
        email = f"{'Victim' if number % 2 else 'victim'}+{number}@example.org"
        client.post("/password/reset/", {"email": email}, REMOTE_ADDR=source)
    assert len(mail.outbox) == rate_limits.MAX_MAILS_PER_DAY


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
    passwords = [PASSWORD, *(f"{PASSWORD} {n}" for n in range(rate_limits.MAX_MAILS_PER_DAY + 2))]
    for old, new in pairwise(passwords):
        client.post("/password/", {"oldpassword": old, "password1": new, "password2": new})
    assert len(mail.outbox) == len(passwords) - 1
