"""After a hundred wrong passwords in a day, an unknown browser needs a mailed code."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.limits.rate_limits import MAX_MAILS_PER_HOUR_OF_ALL
from accounts.login import login_attempts
from accounts.models import User
from tests.accounts.test_login_attempts import (
    CAFE,
    at,
    device_of,
    guess,
    guess_all_day,
    sign_in,
)
from tests.support.page_visitors import text_of
from tests.support.second_factor import code_of, has_app
from tests.support.sign_up_forms import a_guest, account, who

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PAGE = "/log-in/by-email/code/"


@pytest.fixture
def _short_day(monkeypatch) -> None:
    """Ten wrong passwords in a day in the place of a hundred, to save time."""
    monkeypatch.setattr(login_attempts, "MAX_WRONG_A_DAY", 10)


@pytest.fixture
def ada(db, _short_day) -> User:
    """Somebody with a confirmed address, whose password very many have tried today."""
    user = account("ada", "ada@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    guess_all_day()
    mail.outbox.clear()
    return user


def code_in(message) -> str:
    return re.search(r"^[A-Z0-9]{4}-[A-Z0-9]{4}$", message.body, re.MULTILINE)[0]


def asked(browser: Client, **form: str) -> str:
    """Signs in with the right password, which is not enough; returns the mailed code."""
    answer = sign_in(browser, **form)
    assert answer.headers["Location"] == PAGE
    assert who(browser) is None
    return code_in(mail.outbox[-1])


def test_the_right_password_and_the_mailed_code_open_the_account(ada, client) -> None:
    code = asked(client, next="/watch/")
    assert mail.outbox[-1].to == ["ada@example.org"]
    assert "Check your email" in text_of(client.get(PAGE))
    done = client.post(PAGE, {"code": code})
    assert done.headers["Location"] == "/watch/"
    assert who(client) == ada.pk


def test_a_browser_that_has_entered_a_code_is_a_known_device_from_then_on(ada, client) -> None:
    client.post(PAGE, {"code": asked(client)})
    client.post("/log-out/")
    assert sign_in(client).headers["Location"] == "/"
    assert len(mail.outbox) == 1


@pytest.mark.usefixtures("_short_day")
def test_a_known_device_needs_no_code() -> None:
    user = account("ada", "ada@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    home = device_of(user)
    guess_all_day()
    assert sign_in(home).headers["Location"] == "/"
    assert who(home) == user.pk
    assert mail.outbox == []


def test_ninety_nine_wrong_passwords_ask_for_no_code_and_a_hundred_do() -> None:
    user = account("ada", "ada@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    guess_all_day(times=99)
    assert sign_in(at(CAFE)).headers["Location"] == "/"
    guess(CAFE, times=1)
    assert sign_in(at(CAFE)).headers["Location"] == PAGE


@pytest.mark.usefixtures("_short_day")
def test_tries_of_the_name_and_of_the_address_count_together() -> None:
    user = account("ada", "ada@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    guess_all_day("ada", 5), guess_all_day("ada@example.org", 5)
    for login in ("ada", "ada@example.org"):
        assert sign_in(at(CAFE), login).headers["Location"] == PAGE


def test_a_wrong_password_tells_nobody_of_the_code(ada, client) -> None:
    assert sign_in(client, password="wrong").status_code == 200
    assert mail.outbox == []
    assert client.get(PAGE).headers["Location"] == "/log-in/by-email/"


def test_the_address_is_not_shown_to_somebody_who_knows_the_password_alone(ada, client) -> None:
    asked(client)
    for page in (PAGE, "/log-in/by-email/"):
        assert "ada@example.org" not in client.get(page).content.decode()


def test_so_many_codes_are_mailed_in_an_hour_and_no_more(ada) -> None:
    for number in range(MAX_MAILS_PER_HOUR_OF_ALL):
        asked(at(f"198.51.100.{number}"))
    browser = at("198.51.100.77")
    assert sign_in(browser).headers["Location"] == "/log-in/"
    assert "Too many codes" in text_of(browser.get("/log-in/"))
    assert len(mail.outbox) == MAX_MAILS_PER_HOUR_OF_ALL


def test_a_guest_stays_that_guest_until_the_code_is_right(ada, client) -> None:
    guest = a_guest(client)
    assert sign_in(client).headers["Location"] == PAGE
    assert who(client) == guest.pk
    client.post(PAGE, {"code": "BBBB-BBBB"})
    assert who(client) == guest.pk
    client.post(PAGE, {"code": code_in(mail.outbox[-1])})
    assert who(client) == ada.pk


@pytest.mark.usefixtures("_short_day")
@pytest.mark.parametrize("lacks", ["address", "confirmation", "mail"])
def test_an_account_without_a_confirmed_address_needs_no_mailed_code(settings, lacks) -> None:
    user = account("ada", "" if lacks == "address" else "ada@example.org")
    if lacks != "address":
        EmailAddress.objects.create(user=user, email=user.email, verified=lacks == "mail")
    settings.SENDS_MAIL = lacks != "mail"
    guess_all_day()
    browser = at(CAFE)
    assert sign_in(browser).headers["Location"] == "/"
    assert who(browser) == user.pk


def test_the_code_goes_to_the_confirmed_address_only(ada, client) -> None:
    EmailAddress.objects.create(user=ada, email="new@example.org", verified=False)
    guess_all_day("new@example.org", 5)
    asked(client, login="new@example.org")
    assert mail.outbox[-1].to == ["ada@example.org"]


def test_a_second_factor_takes_the_place_of_the_mailed_code(ada, client) -> None:
    has_app(ada)
    assert sign_in(client).headers["Location"] == "/log-in/code/"
    client.post("/log-in/code/", {"code": code_of()})
    assert who(client) == ada.pk
    assert mail.outbox == []


def test_wrong_codes_of_a_second_factor_are_bounded(client) -> None:
    has_app(account("ada"))
    sign_in(client)
    texts = [text_of(client.post("/log-in/code/", {"code": "000000"})) for _ in range(6)]
    assert ["Too many failed attempts" in text for text in texts] == [False] * 5 + [True]
