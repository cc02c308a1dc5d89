"""A form that waits for the password is kept without cookies and tokens, then carried out."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import Session
from tests.support.sign_up_forms import PASSWORD, account

pytestmark = pytest.mark.django_db
NEXT = "/e-mail/"


def test_a_form_that_waits_for_the_password_holds_no_cookie(settings) -> None:
    settings.SENDS_MAIL = True
    ada, browser = account("ada"), Client(enforce_csrf_checks=True)
    browser.force_login(ada)  # nothing says when: the password is asked for again
    browser.get("/password/")
    secrets = {browser.cookies[name].value for name in ("sessionid", "csrftoken")}
    token = browser.get("/password/").context["csrf_token"]
    form = {"csrfmiddlewaretoken": str(token), "email": "ada@example.org", "action_add": ""}
    answer = browser.post(NEXT, form, headers={"X-CSRFToken": str(token)})
    assert answer.headers["Location"].startswith("/log-in/again/")
    kept = str(Session.objects.get(user=ada.pk).get_decoded())
    assert "ada%40example.org" in kept, "the form waits"
    assert not [secret for secret in {*secrets, str(token)} if secret in kept]

    again = {"csrfmiddlewaretoken": str(token), "password": PASSWORD, "next": NEXT}
    assert browser.post("/log-in/again/", again).status_code == 302
    assert EmailAddress.objects.get(user=ada).email == "ada@example.org"
    assert browser.cookies["csrftoken"].value in secrets, "open forms stay good"


@pytest.mark.parametrize(
    "form", [{"code": "123456", "more": "é" * 20_000}, {"code": "1", "password1": "words of ada"}]
)
def test_a_large_form_and_one_with_a_password_are_not_kept(form) -> None:
    ada, browser = account("ada"), Client()
    browser.force_login(ada)
    answer = browser.post("/settings/two-factor/app/", form)
    assert answer.headers["Location"].startswith("/log-in/again/?next=")
    kept = str(Session.objects.get(user=ada.pk).get_decoded())
    assert "%C3%A9%C3%A9" not in kept
    assert "words" not in kept
    again = browser.post(answer.headers["Location"], {"password": PASSWORD})
    assert again.headers["Location"] == "/settings/two-factor/app/"
