"""Attributes that password managers read in the forms of accounts."""

import re

import pytest
from django.core import mail
from django.test import Client

from tests.support.second_factor import has_app
from tests.support.sign_up_forms import PASSWORD, account, links_in

pytestmark = pytest.mark.django_db
CODE, OLD, NEW = "one-time-code", "current-password", "new-password"


def fields_of(browser: Client, path: str) -> list[str]:
    """The autocomplete value of each field of an account form, with the value it has, if any."""
    answer = browser.get(path, follow=True)
    html = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    fields = re.findall(r"<input [^>]*>", html)
    found = []
    for field in fields:
        if 'type="hidden"' in field or 'type="checkbox"' in field:
            continue
        kind, value = (
            re.search(r'autocomplete="([^"]*)"', field),
            re.search(' value="(.*?)"', field),
        )
        assert kind, field
        found.append(f"{kind[1]}={value[1]}" if value else kind[1])
    return found


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/sign-up/", ["username", NEW, NEW, "email"]),
        ("/log-in/", ["username", OLD]),
        ("/log-in/by-email/", ["email"]),
        ("/password/reset/", ["email"]),
    ],
)
def test_visitors_forms_name_their_fields(client, path, fields) -> None:
    assert fields_of(client, path) == fields


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/password/", ["username=ada", OLD, NEW, NEW]),
        ("/log-in/again/", ["username=ada", OLD]),
        ("/settings/delete/", ["username=ada", OLD]),
    ],
)
def test_forms_with_a_password_name_their_account(client, path, fields) -> None:
    client.force_login(account("ada"))
    assert fields_of(client, path) == fields


def test_the_page_of_a_new_password_names_its_account(client) -> None:
    account("ada", "ada@example.org")
    client.post("/password/reset/", {"email": "ada@example.org"})
    path = next(each for each in links_in(mail.outbox[0].body) if each.startswith("/password/"))
    assert fields_of(client, path) == ["username=ada", NEW, NEW]


def test_forms_of_codes_name_their_account(client) -> None:
    ada = account("ada")
    client.force_login(ada)
    client.post("/log-in/again/", {"password": PASSWORD})
    assert fields_of(client, "/settings/two-factor/app/") == ["username=ada", CODE]
    has_app(ada)
    other = Client()
    other.post("/log-in/", {"login": "ada", "password": PASSWORD})
    assert fields_of(other, "/log-in/code/") == ["username=ada", CODE]
