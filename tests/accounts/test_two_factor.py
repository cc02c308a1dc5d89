"""Two-factor log-in: set-up, codes, recovery codes, storage and logging."""

import json
import logging
import re
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from accounts.account_service import delete_user
from accounts.models import User
from accounts.two_factor.forms import KEY_MADE, PENDING_KEY_LIFE_S
from tests.support.page_visitors import text_of
from tests.support.second_factor import PERIOD, SECRET, code_of, has_app
from tests.support.sign_up_forms import PASSWORD, a_guest, account, links_in, who

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
APP, CODES = "/settings/two-factor/app/", "/settings/two-factor/recovery-codes/"


def log_in(browser: Client, **more: str) -> str:
    """Make the first step of a log-in; return the address of the redirect."""
    form = {"login": "ada", "password": PASSWORD, **more}
    return browser.post("/log-in/", form).headers["Location"]


def confirmed(browser: Client) -> Client:
    """A browser whose user has just given the password once more."""
    browser.post("/log-in/again/", {"password": PASSWORD, "next": "/settings/"})
    return browser


@pytest.fixture
def own() -> Client:
    """The browser of ada, who has no second factor and has just given her password."""
    browser = Client()
    browser.force_login(account("ada", email="ada@example.org"))
    return confirmed(browser)


def test_an_app_is_set_up_with_a_code_and_the_password(client) -> None:
    client.force_login(account("ada"))
    assert "Two-factor sign-in: off" in text_of(client.get("/settings/"))
    assert client.get(APP).headers["Location"].startswith("/log-in/again/?next=")
    assert client.post(APP, {"code": "123456"}).headers["Location"].startswith("/log-in/again/")
    page = confirmed(client).get(APP)
    secret = page.context["form"].secret
    html = page.content.decode()
    assert "<svg" in html and "data:" not in html and "style=" not in html
    shown = re.search(r'class="totp-key">(.*?)</p>', html)[1]
    assert re.sub("<[^>]*>", "", shown) == secret
    wrong = client.post(APP, {"code": "000000"})
    assert "wrong or already used" in text_of(wrong)
    assert wrong.context["form"].secret == secret
    assert not Authenticator.objects.exists()
    assert client.post(APP, {"code": code_of(secret)}).headers["Location"] == CODES
    assert "Two-factor sign-in: on" in text_of(client.get("/settings/"))
    assert len(re.findall(r"<code>\d{8}</code>", client.get(CODES).content.decode())) == 10
    file = client.get(f"{CODES}file/")
    assert file.headers["Content-Disposition"] == 'attachment; filename="recovery-codes.txt"'
    assert re.fullmatch(r"(\d{8}\n){10}", file.content.decode())


def test_a_pending_key_stays_until_it_is_cancelled_or_old(own) -> None:
    def key() -> str:
        return own.get(APP).context["form"].secret

    first = key()
    assert key() == first  # a second tab, or the page reloaded
    assert own.post(APP, {"cancel": "yes"}).headers["Location"] == "/settings/two-factor/"
    second = key()
    assert second != first
    session = own.session
    session[KEY_MADE] -= PENDING_KEY_LIFE_S + 1
    session.save()
    third = own.post(APP, {"code": code_of(second)}).context["form"].secret
    assert third not in (first, second) and key() == third
    own.post(APP, {"code": code_of(third)})
    assert Authenticator.objects.filter(type="totp").exists()


def test_strangers_and_guests_have_no_second_factor(client) -> None:
    assert client.get(APP).headers["Location"].startswith("/log-in/?next=")
    a_guest(client)
    assert client.get(APP).headers["Location"].startswith("/sign-up/?next=")
    assert "Two-factor" not in text_of(client.get("/settings/"))


def test_second_factor_secrets_are_stored_encrypted(own) -> None:
    secret = own.get(APP).context["form"].secret
    own.post(APP, {"code": code_of(secret)})
    codes = own.get(f"{CODES}file/").content.decode().split()
    stored = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert not [code for code in codes if code in stored]
    totp = Authenticator.objects.get(type="totp")
    assert get_adapter().decrypt(totp.data["secret"]) == secret
    assert secret not in json.dumps(dict(own.session))


def test_another_secret_key_says_what_to_do_and_the_old_one_may_stay(settings) -> None:
    stored = get_adapter().encrypt(SECRET)
    assert get_adapter().encrypt(SECRET) != stored
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another" * 10
    with pytest.raises(ImproperlyConfigured, match="resetmfa NAME"):
        get_adapter().decrypt(stored)
    settings.SECRET_KEY_FALLBACKS = [old]
    assert get_adapter().decrypt(stored) == SECRET


def test_logging_in_takes_both_and_leads_back_to_the_page_before(client) -> None:
    ada = has_app(account("ada"))
    assert client.get("/log-in/code/").headers["Location"] == "/log-in/"
    assert log_in(client, next="/learn/") == "/log-in/code/"
    assert who(client) is None
    assert "wrong or already used" in text_of(client.post("/log-in/code/", {"code": "000000"}))
    assert who(client) is None
    answer = client.post("/log-in/code/", {"code": code_of()})
    assert (answer.headers["Location"], who(client)) == ("/learn/", ada.pk)


def test_a_guest_logs_in_with_both_and_stays_a_guest_until_then(client) -> None:
    ada = has_app(account("ada"))
    guest = a_guest(client)
    assert log_in(client) == "/log-in/code/"
    assert client.get("/log-in/code/").status_code == 200
    client.post("/log-in/code/", {"code": "000000"})
    assert who(client) == guest.pk
    client.post("/log-in/code/", {"code": code_of()})
    assert who(client) == ada.pk


def test_a_code_is_good_for_one_log_in(client, caplog) -> None:
    has_app(account("ada"))
    code = code_of()
    log_in(client)
    client.post("/log-in/code/", {"code": code})
    other = Client()
    log_in(other)
    with caplog.at_level(logging.INFO, "quiver.security"):
        spelled = other.post("/log-in/code/", {"code": f" {code[:3]}-{code[3:]} "})
    assert "wrong or already used" in text_of(spelled)
    assert who(other) is None
    assert "mfa_failed" in [getattr(record, "event", "") for record in caplog.records]


def test_a_code_that_is_still_accepted_is_refused_after_allauths_own_period(client) -> None:
    """A code is accepted for 90 s; allauth notes that it was used for 30."""
    has_app(account("ada"))
    code = code_of()
    log_in(client)
    client.post("/log-in/code/", {"code": code})
    user = User.objects.get()
    assert cache.delete(f"allauth.mfa.totp.used?user={user.pk}&code={code}")  # as if 30 s were over
    other = Client()
    log_in(other)
    other.post("/log-in/code/", {"code": code})
    assert who(other) is None


@pytest.mark.parametrize(("periods", "is_good"), [(-1, True), (1, True), (-3, False), (3, False)])
def test_a_phone_may_be_half_a_minute_off(client, monkeypatch, periods, is_good) -> None:
    middle = time.time() // PERIOD * PERIOD + PERIOD / 2
    monkeypatch.setattr(time, "time", lambda: middle)  # no new period begins meanwhile
    has_app(account("ada"))
    log_in(client)
    client.post("/log-in/code/", {"code": code_of(at=time.time() + periods * PERIOD)})
    assert (who(client) is not None) is is_good


def test_wrong_codes_are_bounded_for_the_user_from_wherever_they_come() -> None:
    has_app(account("ada"))
    for network in range(5):
        browser = Client(REMOTE_ADDR=f"203.0.113.{network}")
        log_in(browser)
        assert "wrong or already used" in text_of(browser.post("/log-in/code/", {"code": "000000"}))
    late = Client(REMOTE_ADDR="203.0.113.99")
    log_in(late)
    refused = late.post("/log-in/code/", {"code": code_of()})
    assert "Too many failed attempts" in text_of(refused)
    assert who(late) is None
    has_app(account("bob"))
    other = Client(REMOTE_ADDR="203.0.113.1")
    other.post("/log-in/", {"login": "bob", "password": PASSWORD})
    other.post("/log-in/code/", {"code": code_of()})
    assert who(other) == User.objects.get(username="bob").pk


def test_wrong_codes_when_setting_up_are_bounded_as_well(own) -> None:
    secret = own.get(APP).context["form"].secret
    for _ in range(5):
        own.post(APP, {"code": "000000"})
    refused = own.post(APP, {"code": code_of(secret)})
    assert refused.context["form"].errors
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("code", ["", " ", "a" * 10_000, "１２３４５６", "\0", "12 34", "'--"])
def test_a_malformed_second_factor_code_is_refused(client, code) -> None:
    has_app(account("ada"))
    log_in(client)
    answer = client.post("/log-in/code/", {"code": code})
    assert answer.status_code in (200, 400)
    assert who(client) is None


def test_a_recovery_code_signs_in_once(own) -> None:
    secret = own.get(APP).context["form"].secret
    own.post(APP, {"code": code_of(secret)})
    code = own.get(f"{CODES}file/").content.decode().split()[3]
    browser, other = Client(), Client()
    log_in(browser)
    browser.post("/log-in/code/", {"code": code})
    assert who(browser) is not None
    log_in(other)
    other.post("/log-in/code/", {"code": code})
    assert who(other) is None
    assert code not in own.get(CODES).content.decode()


def test_turning_it_off_takes_a_code_and_deletes_everything(client) -> None:
    ada = has_app(account("ada"))
    client.force_login(ada)
    off = f"{APP}off/"
    assert client.get(off).headers["Location"].startswith("/log-in/again/code/")
    again = client.get(f"/log-in/again/?next={off}")
    assert again.headers["Location"].startswith("/log-in/again/code/")  # no password instead
    client.post("/log-in/again/code/", {"code": code_of(), "next": off})
    assert client.post(f"{CODES}new/").headers["Location"] == CODES
    assert client.post(off).status_code == 302
    assert not Authenticator.objects.exists()
    assert log_in(Client()) == "/"


def test_a_new_password_by_mail_does_not_replace_the_second_factor(client, mailoutbox) -> None:
    ada = has_app(account("ada", email="ada@example.org"))
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    client.post("/password/reset/", {"email": ada.email})
    link = next(link for link in links_in(mailoutbox[-1].body) if "reset" in link)
    page = client.get(link, follow=True)
    new = "nine dull archers"
    client.post(page.redirect_chain[-1][0], {"password1": new, "password2": new})
    assert who(client) is None
    assert log_in(client, password=new) == "/log-in/code/"
    assert who(client) is None


@pytest.mark.django_db
def test_mails_tell_of_it_without_a_secret(own, mailoutbox) -> None:
    ada = User.objects.get()
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    secret = own.get(APP).context["form"].secret
    own.post(APP, {"code": code_of(secret)})
    cache.clear()
    own.post("/log-in/again/code/", {"code": code_of(secret), "next": "/"})
    own.post(f"{CODES}new/")
    own.post(f"{APP}off/")
    subjects = [mail.subject for mail in mailoutbox]
    assert subjects == [
        "Quiver: two-factor sign-in is on",
        "Quiver: new recovery codes",
        "Quiver: two-factor sign-in is off",
    ]
    assert not [mail for mail in mailoutbox if secret in mail.body]


@pytest.mark.django_db
def test_the_log_tells_what_happened_by_number(own, caplog) -> None:
    ada = User.objects.get()
    secret = own.get(APP).context["form"].secret
    code = code_of(secret)
    with caplog.at_level(logging.DEBUG):
        own.post(APP, {"code": code})
        other = Client()
        log_in(other)
        other.post("/log-in/code/", {"code": "000000"})
        cache.clear()
        other.post("/log-in/code/", {"code": code})
        cache.clear()
        other.post("/log-in/again/code/", {"code": code, "next": "/"})
        other.post(f"{CODES}new/")
        other.post(f"{APP}off/")
    events = [(r.event, r.user) for r in caplog.records if r.name == "quiver.security"]
    about = [event for event, user in events if event.startswith("mfa_") and user == ada.pk]
    assert sorted(set(about)) == ["mfa_added", "mfa_codes", "mfa_failed", "mfa_removed", "mfa_used"]
    assert secret not in caplog.text and code not in caplog.text


def test_the_copy_of_ones_data_says_that_it_is_on_and_no_secret(client) -> None:
    ada = has_app(account("ada"))
    client.force_login(ada)
    copy = client.post("/settings/export/", {"code": code_of()}).content.decode()
    told = json.loads(copy)["profile"]["two-factor"]
    used = Authenticator.objects.get().last_used_at.isoformat()
    assert [(each["type"], each["last_used"]) for each in told] == [("totp", used)]
    assert Authenticator.objects.get().data["secret"] not in copy
    assert SECRET not in copy


def test_deleting_an_account_deletes_its_second_factor() -> None:
    delete_user(has_app(account("ada")).pk)
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("page", ["/settings/delete/", "/settings/export/"])
def test_the_password_alone_neither_deletes_nor_copies_an_account_with_a_second_factor(
    client, page
) -> None:
    """A session that was stolen together with the password is not enough."""
    ada = has_app(account("ada"))
    client.force_login(ada)
    assert 'name="code"' in client.get(page).content.decode()
    assert client.post(page, {"password": PASSWORD}).status_code == 400
    assert client.post(page, {"password": PASSWORD, "code": "000000"}).status_code == 400
    assert User.objects.get(pk=ada.pk).is_active
    assert client.post(page, {"code": code_of()}).status_code == 200
    assert User.objects.get(pk=ada.pk).is_active == ("delete" not in page)


def test_an_account_with_a_second_factor_changes_its_password_after_a_code(client) -> None:
    ada = has_app(account("ada"))
    client.force_login(ada)
    chosen = "ten sharp arrows"
    form = {"oldpassword": PASSWORD, "password1": chosen, "password2": chosen}
    again = client.post("/password/", form).headers["Location"]
    assert (
        again
        == client.get("/password/").headers["Location"]
        == "/log-in/again/code/?next=%2Fpassword%2F"
    )
    assert User.objects.get(pk=ada.pk).check_password(PASSWORD)
    assert chosen not in json.dumps(dict(client.session))
    assert client.post(again, {"code": code_of()}).headers["Location"] == "/password/"
    assert client.post("/password/", form).headers["Location"] == "/settings/"
    assert User.objects.get(pk=ada.pk).check_password(chosen)


def test_wrong_codes_in_a_log_in_do_not_shut_the_owner_out_of_an_open_session(own) -> None:
    """A thief who knows only the password cannot keep the owner from changing it."""
    ada = has_app(User.objects.get(username="ada"))
    thief = Client(REMOTE_ADDR="203.0.113.9")
    log_in(thief)
    said = [text_of(thief.post("/log-in/code/", {"code": "000000"})) for _ in range(6)]
    assert "Too many failed attempts" in said[-1]
    confirm = {"code": code_of(), "next": "/password/"}
    assert own.post("/log-in/again/code/", confirm).headers.get("Location") == "/password/"
    late = Client(REMOTE_ADDR="203.0.113.10")
    log_in(late)
    assert "Too many failed attempts" in text_of(late.post("/log-in/code/", {"code": code_of()}))
    assert ada.pk != who(late)


def test_wrong_codes_in_a_session_are_bounded_too(own) -> None:
    has_app(User.objects.get(username="ada"))
    wrong = {"code": "000000", "next": "/password/"}
    said = [text_of(own.post("/log-in/again/code/", wrong)) for _ in range(6)]
    assert ["Too many failed attempts" in text for text in said] == [False] * 5 + [True]
    right = wrong | {"code": code_of()}
    assert "Too many failed attempts" in text_of(own.post("/log-in/again/code/", right))
