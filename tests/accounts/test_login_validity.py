"""A log-in that waits for a code does not outlive the password that began it."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from accounts.account_service import restore, suspend
from accounts.login import login_attempts
from accounts.models import User
from tests.accounts.test_login_attempts import OTHER, guess_all_day, sign_in
from tests.accounts.test_login_code import code_in
from tests.support.page_visitors import text_of
from tests.support.second_factor import code_of, has_app
from tests.support.sign_up_forms import PASSWORD, account, who

pytestmark = pytest.mark.django_db
CODE, MAILED = "/log-in/code/", "/log-in/by-email/code/"


def change_password(user: User) -> None:
    """Changes the password in another browser."""
    browser = Client()
    browser.force_login(user)
    browser.post("/log-in/again/code/", {"code": code_of(), "next": "/password/"})
    cache.clear()  # so that the same code may be given again
    form = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert browser.post("/password/", form).status_code == 302


def log_out_everywhere(user: User) -> None:
    call_command("logoutall", user=user.username, asks=False)


def suspend_and_restore(user: User) -> None:
    suspend(user.pk)
    restore(user.pk)


@pytest.mark.parametrize("change", [change_password, log_out_everywhere, suspend_and_restore])
def test_a_log_in_that_waits_for_a_code_ends_with_all_sessions(client, change) -> None:
    ada = has_app(account("ada"))
    assert sign_in(client).headers["Location"] == CODE
    change(ada)
    late = client.post(CODE, {"code": code_of()})
    assert late.headers["Location"] == "/log-in/"
    assert who(client) is None
    assert "no longer valid" in text_of(client.get("/log-in/"))
    assert client.get(CODE).headers["Location"] == "/log-in/"


def test_a_log_in_that_waits_for_a_mailed_code_ends_with_the_password(client, monkeypatch) -> None:
    monkeypatch.setattr(login_attempts, "MAX_WRONG_A_DAY", 10)
    ada = account("ada", "ada@example.org")
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    guess_all_day()
    assert sign_in(client).headers["Location"] == MAILED
    code = code_in(mail.outbox[-1])
    ada.set_password(OTHER)
    ada.save()
    assert client.post(MAILED, {"code": code}).headers["Location"] == "/log-in/by-email/"
    assert who(client) is None
