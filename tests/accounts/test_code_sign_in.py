"""Sign-in with a code by email, in the place of the password."""

import re
import time

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.account_service import suspend
from accounts.limits.rate_limits import MAX_MAILS_PER_HOUR_OF_ALL
from accounts.login import code_sign_in
from accounts.login.mailed_codes import MAX_TRIES
from accounts.models import User
from tests.support.page_visitors import text_of
from tests.support.second_factor import code_of, has_app
from tests.support.sign_up_forms import PASSWORD, a_guest, account, who

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ASK, ENTER = "/log-in/by-email/", "/log-in/by-email/code/"
ADDRESS = "ada@example.org"


@pytest.fixture
def ada(db) -> User:
    user = account("ada", ADDRESS)
    EmailAddress.objects.create(user=user, email=ADDRESS, verified=True, primary=True)
    return user


def asked(browser: Client, email: str = ADDRESS, **form: str) -> str:
    """Asks for a code; returns the mailed one, or an empty text."""
    answer = browser.post(ASK, {"email": email, **form})
    assert answer.headers["Location"] == ENTER
    found = re.search(r"^[A-Z0-9]{4}-[A-Z0-9]{4}$", mail.outbox[-1].body, re.MULTILINE)
    return found[0] if found else ""


def test_a_code_opens_the_account_once(ada, client) -> None:
    code = asked(client, "Ada@Example.org", next="/watch/")
    assert client.post(ENTER, {"code": code.lower()}).headers["Location"] == "/watch/"
    assert who(client) == ada.pk
    client.post("/log-out/")
    assert client.post(ENTER, {"code": code}).headers["Location"] == ASK
    assert who(client) is None


def test_the_log_in_links_to_it_and_keeps_the_way(client, settings) -> None:
    page = client.get("/log-in/?next=/watch/").content.decode()
    assert f"{ASK}?next=%2Fwatch%2F" in page
    asking = client.get(f"{ASK}?next=/watch/").content.decode()
    assert 'name="next" value="/watch/"' in asking
    settings.SENDS_MAIL = False
    assert ASK not in client.get("/log-in/").content.decode()
    assert client.get(ASK).status_code == client.post(ASK, {"email": ADDRESS}).status_code == 404


def test_a_way_to_another_site_is_not_followed(ada, client) -> None:
    code = asked(client, next="https://evil.example/")
    assert client.post(ENTER, {"code": code}).headers["Location"] == "/"


@pytest.mark.parametrize("email", [ADDRESS, "eve@example.org", "nobody@example.org"])
def test_pages_and_mails_do_not_tell_which_addresses_are_known(ada, email) -> None:
    account("eve", "eve@example.org")  # who has not confirmed it
    browser = Client()
    code = asked(browser, email)
    assert len(mail.outbox) == 1
    assert bool(code) == (email == ADDRESS)
    assert mail.outbox[0].to == [email]
    page = text_of(browser.get(ENTER))
    assert f"If an account has confirmed {email}" in page
    wrong = [browser.post(ENTER, {"code": "BBBB-BBBB"}) for _ in range(3)]
    assert [each.status_code for each in wrong] == [200, 200, 302]
    assert "Wrong code." in text_of(wrong[0])
    assert "Too many wrong codes. Get a new one." in text_of(browser.get(ASK))


@pytest.mark.parametrize("email", [ADDRESS, "nobody@example.org"])
def test_an_address_gets_so_many_codes_an_hour(ada, email) -> None:
    for _ in range(MAX_MAILS_PER_HOUR_OF_ALL):
        asked(Client(), email)
    answer = Client().post(ASK, {"email": email.upper()})
    assert answer.status_code == 200
    assert "Too many codes sent. Try again in an hour." in text_of(answer)
    assert len(mail.outbox) == MAX_MAILS_PER_HOUR_OF_ALL


def test_one_network_asks_for_so_many_codes(client) -> None:
    for number in range(150):
        client.post(ASK, {"email": f"p{number}@example.org"}, REMOTE_ADDR="198.51.100.7")
    assert len(mail.outbox) == 120


def test_a_second_factor_is_still_asked_for(ada, client) -> None:
    has_app(ada)
    answer = client.post(ENTER, {"code": asked(client, next="/watch/")})
    assert answer.headers["Location"].startswith("/log-in/code/")
    assert who(client) is None
    cache.clear()
    assert client.post("/log-in/code/", {"code": code_of()}).headers["Location"] == "/watch/"
    assert who(client) == ada.pk


def test_a_code_is_no_password(ada, client) -> None:
    client.post(ENTER, {"code": asked(client)})
    answer = client.post("/e-mail/", {"email": "new@example.org", "action_add": ""})
    assert answer.headers["Location"].startswith("/log-in/again/")


def test_staff_sessions_stay_short(ada, client) -> None:
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    client.post(ENTER, {"code": asked(client)})
    assert client.session.get_expiry_age() <= 12 * 3600


def test_the_session_has_another_key_after_the_code(ada, client) -> None:
    code = asked(client)
    planted = client.cookies["sessionid"].value
    client.post(ENTER, {"code": code})
    assert client.cookies["sessionid"].value != planted
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert who(thief) is None


def test_guesses_from_many_browsers_end_with_the_codes_of_the_hour(ada) -> None:
    tries = 0
    for number in range(20):
        browser = Client(REMOTE_ADDR=f"198.51.{number}.7")
        browser.post(ASK, {"email": ADDRESS})
        while browser.post(ENTER, {"code": "BBBB-BBBB"}).headers.get("Location") != ASK:
            tries += 1
    assert tries <= MAX_MAILS_PER_HOUR_OF_ALL * MAX_TRIES


def test_a_guest_stays_a_guest_until_the_code_is_right(ada, client) -> None:
    guest = a_guest(client)
    assert "leaves the games of guest" in text_of(client.get(ASK))
    code = asked(client)
    client.post(ENTER, {"code": "BBBB-BBBB"})
    assert who(client) == guest.pk
    client.post(ENTER, {"code": code})
    assert who(client) == ada.pk


@pytest.mark.parametrize("change", ["password", "address", "confirmation"])
def test_a_change_of_the_account_ends_a_code(ada, client, change) -> None:
    code = asked(client)
    if change == "password":
        ada.set_password(PASSWORD + "!")
        ada.save()
    elif change == "address":
        EmailAddress.objects.update(email="new@example.org")
    else:
        EmailAddress.objects.update(verified=False)
    assert client.post(ENTER, {"code": code}).headers["Location"] == ASK
    assert who(client) is None


def test_a_suspended_account_stays_closed(ada, client) -> None:
    code = asked(client)
    suspend(ada.pk)
    client.post(ENTER, {"code": code})
    client.post(ENTER, {"code": asked(client)})
    assert who(client) is None


def test_a_code_works_in_its_own_browser_and_for_a_while(ada, client) -> None:
    code = asked(client)
    thief = Client()
    assert thief.post(ENTER, {"code": code}).headers["Location"] == ASK
    session = client.session
    state = session[code_sign_in.STATE]
    assert code.replace("-", "") not in str(state)
    session[code_sign_in.STATE] = {**state, "at": time.time() - code_sign_in.VALID_S}
    session.save()
    assert client.post(ENTER, {"code": code}).headers["Location"] == ASK
    assert "no longer valid" in text_of(client.get(ASK))


@pytest.mark.parametrize(
    "email", ["", "x", "a@b", "x" * 300 + "@example.org", "a@example.org\n,b@c.d"]
)
def test_a_malformed_address_is_refused_beside_the_field(client, email) -> None:
    answer = client.post(ASK, {"email": email})
    assert answer.status_code == 200
    assert 'id="id_email_error"' in answer.content.decode()
    assert mail.outbox == []


def test_after_many_wrong_passwords_no_second_code_is_asked_for(ada, client, monkeypatch) -> None:
    monkeypatch.setattr(code_sign_in, "needs_code", lambda request, user: True)
    assert client.post(ENTER, {"code": asked(client)}).headers["Location"] == "/"
    assert len(mail.outbox) == 1
