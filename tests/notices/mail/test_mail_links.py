"""Links of mails: to the game, and to unsubscribe."""

import re
import time

import pytest
from allauth.account.models import EmailAddress
from django.core import mail, signing
from django.test import Client

from accounts.account_service import delete_user
from notices.mail import links, sender
from notices.models import Kind, Preferences
from notices.preferences.preferences import MAIL, channels_of
from tests.support.mail_people import NOON, mail_post, mailed_person
from tests.support.page_visitors import text_of
from tests.support.sign_up_forms import a_guest, links_in, who

pytestmark = pytest.mark.django_db
ONE_CLICK = "List-Unsubscribe=One-Click"
FORM = "application/x-www-form-urlencoded"


def off_path(user, scope: str = links.EVERYTHING) -> str:
    prefs = Preferences.objects.get(user=user)
    return links_in(links.unsubscribe_url(prefs, "ada@example.org", scope))[0]


def mode_of(user) -> str:
    return Preferences.objects.get(user=user).mail


def test_one_click_of_a_mail_program_turns_all_mails_off() -> None:
    ada = mailed_person()
    mail_post(ada)
    sender.send_due("test", NOON)
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == ONE_CLICK
    path = links_in(headers["List-Unsubscribe"].strip("<>"))[0]
    program = Client(enforce_csrf_checks=True)
    answer = program.post(path, ONE_CLICK, content_type=FORM)
    assert (answer.status_code, mode_of(ada)) == (200, "off")
    assert program.post(path, ONE_CLICK, content_type=FORM).status_code == 200


def test_a_link_of_a_former_secret_unsubscribes_while_that_is_a_fallback(client, settings) -> None:
    ada, former = mailed_person(), settings.SECRET_KEY
    path = off_path(ada)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the present secret", [former]
    client.post(path)
    assert mode_of(ada) == "off"


def test_looking_at_the_link_unsubscribes_nobody() -> None:
    ada = mailed_person()
    scanner = Client()
    page = scanner.get(off_path(ada))
    assert scanner.head(off_path(ada)).status_code == 200
    assert scanner.options(off_path(ada)).status_code == 405
    assert "Turn off all notification emails?" in text_of(page)
    assert mode_of(ada) == "at_once"


def test_a_link_of_one_kind_leaves_the_others_on(client) -> None:
    ada = mailed_person()
    client.post(off_path(ada, Kind.TURN))
    prefs = Preferences.objects.get(user=ada)
    assert mode_of(ada) == "at_once"
    assert MAIL not in channels_of(prefs, Kind.TURN)
    assert channels_of(prefs, Kind.TURN) == {"bell", "push"}
    assert MAIL in channels_of(prefs, Kind.LAST)


@pytest.mark.parametrize("change", ["address", "unconfirmed", "mode", "deleted"])
def test_an_old_link_changes_nothing_and_says_so(client, change) -> None:
    ada = mailed_person(mail="digest")
    path = off_path(ada)
    if change == "address":
        EmailAddress.objects.filter(user=ada).update(email="new@example.org")
    elif change == "unconfirmed":
        EmailAddress.objects.filter(user=ada).update(verified=False)
    elif change == "mode":
        Preferences.objects.filter(user=ada).update(mail="at_once")
    else:
        delete_user(ada.pk)
    before = Preferences.objects.filter(user=ada).values().first()
    answer = client.post(path)
    assert answer.status_code == 410
    assert "Nothing was changed" in text_of(answer)
    assert Preferences.objects.filter(user=ada).values().first() == before


def test_an_expired_link_changes_nothing(client, monkeypatch) -> None:
    ada = mailed_person()
    path = off_path(ada)
    late = time.time() + links.UNSUBSCRIBE_AGE_S + 1
    monkeypatch.setattr(time, "time", lambda: late)
    assert client.post(path).status_code == 404
    assert mode_of(ada) == "at_once"


def forged_links(user) -> list[str]:
    prefs = Preferences.objects.get(user=user)
    true = links.unsubscribe_url(prefs, "ada@example.org", "all").split("/")[-2]
    value = [user.pk, "all", "0" * 16, "at_once"]
    return [
        "x",
        "\u00e9",
        true[:-1],
        true[:-1] + ("A" if true[-1] != "A" else "B"),
        signing.dumps(value, salt="another"),
        signing.dumps([user.pk, "/", "0" * 16], salt=links.OPEN_SALT, compress=True),
        "A" * 5_000,
    ]


def test_a_forged_link_changes_nothing(client) -> None:
    ada = mailed_person()
    for token in forged_links(ada):
        answer = client.post(f"/notifications/mail/off/{token}/")
        assert answer.status_code == 404, token
        assert mode_of(ada) == "at_once"


def test_a_link_of_a_kind_that_is_gone_changes_nothing(client) -> None:
    ada = mailed_person()
    assert client.post(off_path(ada, "weather")).status_code == 404


def open_path(user, path: str = "/g/abc/") -> str:
    return links_in(links.page_url(user.pk, "ada@example.org", path))[0]


def test_whoever_is_signed_in_goes_on_to_the_game(client) -> None:
    ada, bob = mailed_person(), mailed_person("bob")
    for user in (ada, bob):
        client.force_login(user)
        assert client.get(open_path(ada)).headers["Location"] == "/g/abc/"


@pytest.mark.parametrize("is_guest", [False, True])
def test_others_sign_in_with_a_code_in_two_clicks_and_land_on_the_game(client, is_guest) -> None:
    ada = mailed_person()
    if is_guest:
        a_guest(client)
    page = client.get(open_path(ada)).content.decode()
    assert 'value="ada@example.org"' in page and 'name="next" value="/g/abc/"' in page
    assert mail.outbox == [], "looking sends nothing"
    form = {"email": "ada@example.org", "next": "/g/abc/"}
    enter = client.post("/log-in/by-email/", form).headers["Location"]
    code = re.search(r"^[A-Z0-9]{4}-[A-Z0-9]{4}$", mail.outbox[0].body, re.MULTILINE)[0]
    assert client.post(enter, {"code": code}).headers["Location"] == "/g/abc/"
    assert who(client) == ada.pk


def test_a_forged_link_to_a_page_leads_nowhere(client) -> None:
    ada = mailed_person()
    outside = [
        links.page_url(ada.pk, "ada@example.org", path).split("/")[-2]
        for path in ("https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:1")
    ]
    for token in (*forged_links(ada)[:5], *outside):
        answer = client.get(f"/notifications/mail/open/{token}/")
        assert answer.status_code == 404
        assert "ada@example.org" not in answer.content.decode()


def test_a_link_of_an_old_mailbox_does_not_show_the_new_address(client) -> None:
    ada = mailed_person()
    path = open_path(ada)
    EmailAddress.objects.filter(user=ada).update(email="new@example.org")
    answer = client.get(path)
    assert answer.headers["Location"] == "/g/abc/"
    assert "new@example.org" not in answer.content.decode()


def test_a_link_to_a_page_of_someone_deleted_leads_to_the_page_alone(client) -> None:
    ada = mailed_person()
    path = open_path(ada)
    delete_user(ada.pk)
    assert client.get(path).headers["Location"] == "/g/abc/"
