"""After a hundred wrong passwords in a day, an unknown browser needs a mailed code."""

import re
import time

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.login import login_attempts, login_stages
from accounts.models import User
from tests.accounts.test_login_attempts import (
    CAFE,
    HOME,
    at,
    device_of,
    guess,
    guess_all_day,
    sign_in,
)
from tests.support.page_visitors import text_of
from tests.support.second_factor import code_of, has_app
from tests.support.sign_up_forms import PASSWORD, a_guest, account, who

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PAGE = "/log-in/mailed-code/"


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
    assert client.get(PAGE).headers["Location"] == "/log-in/"


@pytest.mark.parametrize("typed", ["{}", " {} ", "{}\n"])
def test_a_code_may_be_typed_in_any_case_and_without_its_dash(ada, typed) -> None:
    code = asked(browser := at(HOME))
    browser.post(PAGE, {"code": typed.format(code.lower().replace("-", " "))})
    assert who(browser) == ada.pk


def test_a_code_works_in_the_browser_that_asked_for_it_alone(ada, client) -> None:
    code = asked(client)
    thief = at(CAFE)
    assert thief.post(PAGE, {"code": code}).headers["Location"] == "/log-in/"
    own = asked(thief)
    assert own != code
    assert "Wrong code." in text_of(thief.post(PAGE, {"code": code}))
    assert who(thief) is None


def test_a_code_works_once(ada, client) -> None:
    code = asked(client)
    client.post(PAGE, {"code": code})
    client.post("/log-out/")
    again = at(CAFE)
    asked(again)
    again.post(PAGE, {"code": code})
    assert who(again) is None
    assert client.post(PAGE, {"code": code}).headers["Location"] == "/log-in/"


def test_three_wrong_codes_end_the_log_in_and_the_right_one_comes_too_late(ada, client) -> None:
    code = asked(client)
    answers = [client.post(PAGE, {"code": "BBBB-BBBB"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 302]
    assert "Too many wrong codes" in text_of(client.get("/log-in/"))
    assert client.post(PAGE, {"code": code}).headers["Location"] == "/log-in/"
    assert who(client) is None


def test_an_old_code_is_refused_with_a_sentence(ada, client) -> None:
    code = asked(client)
    session = client.session
    about = session[login_stages.STATE]
    session[login_stages.STATE] = {**about, "at": time.time() - login_stages.VALID_S}
    session.save()
    assert client.post(PAGE, {"code": code}).headers["Location"] == "/log-in/"
    assert "no longer valid" in text_of(client.get("/log-in/"))
    assert who(client) is None


@pytest.mark.parametrize("code", ["", " ", "\0", "é" * 8, "x" * 10_000, "<b>"])
def test_a_malformed_mailed_code_is_refused_beside_the_field(ada, client, code) -> None:
    asked(client)
    answer = client.post(PAGE, {"code": code})
    assert answer.status_code == 200
    assert 'id="id_code_error"' in answer.content.decode()


def test_the_session_holds_no_code(ada, client) -> None:
    code = asked(client)
    assert code.replace("-", "") not in str(dict(client.session)).replace("-", "")


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


def test_so_many_codes_are_mailed_in_an_hour_and_no_more(ada) -> None:
    for number in range(login_stages.MAX_CODES_PER_HOUR):
        asked(at(f"198.51.100.{number}"))
    browser = at("198.51.100.77")
    assert sign_in(browser).headers["Location"] == "/log-in/"
    assert "Too many codes" in text_of(browser.get("/log-in/"))
    assert len(mail.outbox) == login_stages.MAX_CODES_PER_HOUR
    assert browser.get(PAGE).headers["Location"] == "/log-in/"


def test_the_code_is_in_no_log(ada, client, caplog) -> None:
    code = asked(client)
    client.post(PAGE, {"code": "BBBB-BBBB"})
    client.post(PAGE, {"code": code})
    events = [getattr(record, "event", "") for record in caplog.records]
    assert events[-3:] == ["login_code_sent", "login_code_wrong", "log-in"]
    said = " ".join(record.getMessage() for record in caplog.records)
    assert not any(word in said for word in (code, code.replace("-", ""), "BBBB", "ada", PASSWORD))


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
